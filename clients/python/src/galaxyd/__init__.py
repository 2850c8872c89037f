"""A client for galaxyd, a multiplayer space-conquest world that is played by programs.

Client blocks, AsyncClient runs in asyncio. Both send calls, which the functions of galaxyd.operations make, and return
replies in the shapes of galaxyd.shapes. galaxyd.planning computes stocks between reads.
"""

from .calls import Call, Command, Outcome, Reply, call_of
from .client import AsyncClient, Client
from .errors import GalaxydError
from .instants import format_instant, parse_instant
from .patience import Patience
from .planning import affordable_at, stock_at, total

__all__ = [
    "AsyncClient",
    "Call",
    "Client",
    "Command",
    "GalaxydError",
    "Outcome",
    "Patience",
    "Reply",
    "affordable_at",
    "call_of",
    "format_instant",
    "parse_instant",
    "stock_at",
    "total",
]

"""What an agent knows of its world at an instant, and rewards made of two such views."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ..shapes import Player
from .rules import Place


@dataclass(frozen=True, slots=True)
class Home:
    """Where the first planet of an agent is."""

    planet_id: str
    place: Place


@dataclass(frozen=True, slots=True)
class View:
    """One agent at one instant. Never changes."""

    now: datetime
    """World time."""
    state: Player
    """As GET /api/game/state/:playerId returns it."""
    points: int
    rank: int
    """From 1, the best."""
    home: Home


Reward = Callable[[View, View], float]
"""Gets the views before and after a step."""


def points_gained(before: View, after: View) -> float:
    """The default reward: the change of points. Points are the units of resources in finished buildings and ships, so an upgrade
    is rewarded when it is complete, and lost ships are a loss."""
    return float(after.points - before.points)


def log_points_gained(before: View, after: View) -> float:
    """The change of the natural logarithm of 1 + points: early and late growth count alike."""
    return math.log1p(max(after.points, 0)) - math.log1p(max(before.points, 0))

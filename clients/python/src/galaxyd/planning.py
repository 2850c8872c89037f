"""Stocks between reads, computed from `production`: no request is needed to know what a planet has by now.

A result holds until the planet's `nextTimerAt`, when production may change, or until a command changes the stocks.
Replies show whole units, rounded down, so a computed stock is at most one unit too low, and never too high.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TypedDict, cast

from .shapes import Planet, Production, ResourceAmounts

RESOURCES = ("iron", "silver", "ember", "h2", "energy")

_MILLISECOND = timedelta(milliseconds=1)
_HOUR_MS = 3_600_000
_LAST_INSTANT = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""World time ends then."""


class Cost(TypedDict, total=False):
    """Whole units to pay; what is absent costs nothing. The `cost` of an option is one."""

    iron: float
    silver: float
    ember: float
    h2: float
    energy: float


def stock_at(planet: Planet, as_of: datetime, instant: datetime) -> ResourceAmounts:
    """The stocks of a planet at an instant of world time, in whole units.

    `as_of` is the instant of the planet: `Reply.as_of` of the reply that it came with.
    """
    elapsed_ms = max(0, (instant - as_of) // _MILLISECOND)
    stocks = _amounts(planet)
    gains = {name: int(_rate(planet, name) * elapsed_ms // _HOUR_MS) for name in RESOURCES}
    return {
        "iron": stocks["iron"] + gains["iron"],
        "silver": stocks["silver"] + gains["silver"],
        "ember": stocks["ember"] + gains["ember"],
        "h2": stocks["h2"] + gains["h2"],
        "energy": stocks["energy"] + gains["energy"],
    }


def affordable_at(planet: Planet, as_of: datetime, cost: Cost | ResourceAmounts) -> datetime | None:
    """When production alone covers a cost: `as_of` if it is covered already, None if never or after the year 9999.

    At most the time that one unit takes later than the `affordableAt` of the server, which knows the fractions.
    """
    wait_ms = 0
    stocks = _amounts(planet)
    amounts = cast(Mapping[str, float], cost)
    for name in RESOURCES:
        missing = Fraction(str(amounts.get(name, 0))) - stocks[name]
        if missing <= 0:
            continue
        rate = _rate(planet, name)
        if rate <= 0:
            return None
        wait_ms = max(wait_ms, -(-missing * _HOUR_MS // rate))
    if wait_ms > (_LAST_INSTANT - as_of) // _MILLISECOND:
        return None
    return as_of + wait_ms * _MILLISECOND


def total(cost: Cost | ResourceAmounts | Production) -> float:
    """The units of all resources together."""
    return sum(cast(Mapping[str, float], cost).values())


def _amounts(planet: Planet) -> dict[str, int]:
    return {
        "iron": planet["iron"],
        "silver": planet["silver"],
        "ember": planet["ember"],
        "h2": planet["h2"],
        "energy": planet["energy"],
    }


def _rate(planet: Planet, name: str) -> Fraction:
    """Units per hour, exact: a float would round thousandths."""
    return Fraction(str(cast(Mapping[str, float], planet["production"])[name]))

"""What an agent knows at an instant: its view, from which rewards are made, and its situation among the others, from which features and
actions are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..shapes import Player
from .dealings import Dealings
from .rules import Place, Rules


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
    """The reply of GET /api/game/state/:playerId."""
    points: int
    rank: int
    """Counts from 1, the best."""
    home: Home
    dealings: Dealings
    """Shocks, pacts and trades, as far as the rules have them."""


Reward = Callable[[View, View], float]
"""Gets the views before and after a step."""


def points_gained(before: View, after: View) -> float:
    """The default reward: the change of points. Points are the units of resources in finished buildings and ships, so an upgrade
    is rewarded when it is complete, and lost ships are a loss."""
    return float(after.points - before.points)


def log_points_gained(before: View, after: View) -> float:
    """The change of the natural logarithm of 1 + points: early and late growth count alike."""
    return math.log1p(max(after.points, 0)) - math.log1p(max(before.points, 0))


@dataclass(frozen=True, slots=True)
class HomeField:
    """What lies in space in the home system, beside a planet."""

    planet_id: str
    place: Place
    resources: Mapping[str, int]
    """Units that are left."""


@dataclass(frozen=True, slots=True)
class Situation:
    """One agent at one instant. Never changes."""

    view: View
    neighbours: Sequence[View]
    """The nearest other agents, the nearest home first."""
    free_planets: Sequence[tuple[str, Place]]
    """Planets in the home system that nobody is known to own, the nearest first."""
    field: HomeField | None
    """The nearest of the home system that is not empty."""
    day: float
    """World days since the beginning of the episode."""

    @property
    def state(self) -> Player:
        """The state of the agent."""
        return self.view.state


def nearest(rules: Rules, agent: str, views: Mapping[str, View], count: int) -> list[str]:
    """The other agents with the nearest homes; the first ones of those that are as near."""
    own = views[agent].home.place
    others = [other for other in views if other != agent]
    return sorted(others, key=lambda other: rules.distance(own, views[other].home.place))[:count]

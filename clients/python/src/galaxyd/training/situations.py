"""What features and actions are made from: the view of an agent, and what it knows of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..shapes import Player
from .rules import Place, Rules
from .views import View


@dataclass(frozen=True, slots=True)
class Situation:
    """One agent at one instant. Never changes."""

    view: View
    neighbours: Sequence[View]
    """The nearest other agents, the nearest home first."""
    free_planets: Sequence[tuple[str, Place]]
    """Planets in the home system that nobody is known to own, the nearest first."""
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

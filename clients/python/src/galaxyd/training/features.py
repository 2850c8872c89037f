"""The observation of an agent: a vector whose components are fixed by the rules of the world, each with a name and a unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from ..instants import parse_instant
from ..shapes import Planet
from .dealings import DealingFeatures
from .rules import Place, Rules, place_of
from .views import Situation

Scale = Literal["log", "tenth", "as it is"]

VALUE_MAX = 100.0
"""No component is larger: world time ends after 3 million days, and the largest stock gives 2.9."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One component of an observation."""

    name: str
    """Such as "planet 0: iron"."""
    unit: str
    """Such as "units" or "seconds"."""
    scale: Scale
    """What is in the vector: "log" is log(1 + x) / 10, "tenth" is x / 10."""


class FeatureTable:
    """All components, in the order of the vector."""

    def __init__(self, rules: Rules, planets_max: int, neighbours_max: int) -> None:
        self._rules = rules
        self._planets_max = planets_max
        self._neighbours_max = neighbours_max
        self._dealings = DealingFeatures(rules)
        planet = self._of_planet()
        self._length_of_planet = len(planet)
        self.features: list[Feature] = [
            *self._of_agent(),
            *(
                Feature(f"planet {position}: {feature.name}", feature.unit, feature.scale)
                for position in range(planets_max)
                for feature in planet
            ),
            *(
                Feature(f"neighbour {position}: {feature.name}", feature.unit, feature.scale)
                for position in range(neighbours_max)
                for feature in _OF_NEIGHBOUR
            ),
            *(Feature(name, unit, cast(Scale, scale)) for name, unit, scale in self._dealings.components),
        ]

    def values(self, situation: Situation) -> list[float]:
        """The vector of a situation."""
        planets = situation.state["planets"]
        now = situation.view.now
        home = situation.view.home.place
        values = self._agent(situation)
        for position in range(self._planets_max):
            if position < len(planets):
                values += self._planet(planets[position], home, now)
            else:
                values += [0.0] * self._length_of_planet
        for view in situation.neighbours:
            distance = self._rules.distance(home, view.home.place)
            values += [1.0, _log(view.points), len(view.state["planets"]) / 10, _log(distance)]
        missing = self._neighbours_max - len(situation.neighbours)
        values += [0.0] * (missing * len(_OF_NEIGHBOUR))
        return values + self._dealings.values(situation.view.dealings, situation.state["id"], home.galaxy, now)

    def _of_agent(self) -> list[Feature]:
        return [
            Feature("world time since the beginning", "days", "tenth"),
            Feature("points", "points", "log"),
            Feature("rank, from 1", "places", "tenth"),
            Feature("planets", "planets", "tenth"),
            *(Feature(f"research {research}", "levels", "tenth") for research in self._rules.research),
            *(Feature(f"research {research}: in progress", "0 or 1", "as it is") for research in self._rules.research),
            Feature("time until the research is complete", "seconds", "log"),
            *(Feature(f"ships in flight: {ship}", "ships", "log") for ship in self._rules.ships),
            *(Feature(f"fleets in flight: {mission}", "fleets", "tenth") for mission in self._rules.missions),
            Feature("time until the next fleet arrives or is back", "seconds", "log"),
            *(Feature(f"field of the home system: {name}", "units", "log") for name in self._rules.field_resources),
        ]

    def _agent(self, situation: Situation) -> list[float]:
        rules, view = self._rules, situation.view
        state = view.state
        research = {entry["type"]: entry for entry in state["research"]}
        levels = [research[kind]["level"] / 10 if kind in research else 0.0 for kind in rules.research]
        active = [kind in research and research[kind]["isResearching"] for kind in rules.research]
        ships = dict.fromkeys(rules.ships, 0)
        missions = dict.fromkeys(rules.missions, 0)
        for fleet in state["fleets"]:
            missions[fleet["mission"]] += 1
            for entry in fleet["ships"]:
                ships[entry["type"]] += entry["count"]
        ends = [entry["researchFinishAt"] for entry in state["research"]]
        flights = [instant for fleet in state["fleets"] for instant in (fleet["arrivesAt"], fleet["returnsAt"])]
        return [
            situation.day / 10,
            _log(view.points),
            view.rank / 10,
            len(state["planets"]) / 10,
            *levels,
            *(float(is_active) for is_active in active),
            _until(ends, view.now),
            *_logs(ships.values()),
            *(count / 10 for count in missions.values()),
            _until(flights, view.now),
            *_logs(situation.field.resources[name] if situation.field else 0 for name in rules.field_resources),
        ]

    def _of_planet(self) -> list[Feature]:
        rules = self._rules
        return [
            Feature("is there", "0 or 1", "as it is"),
            Feature("distance from the home", "distance units", "log"),
            *(Feature(name, "units", "log") for name in rules.resources),
            *(Feature(f"production of {name}", "units per hour", "log") for name in rules.resources),
            *(Feature(f"richness of {name}", "per cent of an average planet", "log") for name in rules.rich_resources),
            *(Feature(f"{building}", "levels", "tenth") for building in rules.buildings),
            *(Feature(f"{building}: upgrade in progress", "0 or 1", "as it is") for building in rules.buildings),
            Feature("time until the upgrade is complete", "seconds", "log"),
            *(Feature(f"{ship}", "ships", "log") for ship in rules.ships),
            *(Feature(f"{ship}: ordered", "ships", "log") for ship in rules.ships),
            Feature("time until the last order is complete", "seconds", "log"),
        ]

    def _planet(self, planet: Planet, home: Place, now: datetime) -> list[float]:
        rules = self._rules
        levels = dict.fromkeys(rules.buildings, 0.0)
        upgrades = dict.fromkeys(rules.buildings, 0.0)
        upgrade_ends: list[str] = []
        for building in planet["buildings"]:
            levels[building["type"]] = building["level"] / 10
            for entry in building["constructionQueue"]:
                upgrades[building["type"]] = 1.0
                upgrade_ends.append(entry["upgradeFinishAt"])
        ships = dict.fromkeys(rules.ships, 0)
        for stationed in planet["planetShips"]:
            ships[stationed["shipType"]] = stationed["count"]
        ordered = dict.fromkeys(rules.ships, 0)
        for order in planet["shipyardQueue"]:
            ordered[order["shipType"]] += order["count"]
        production = cast(dict[str, float], planet["production"])
        richness = cast(dict[str, int], planet.get("richness", {}))
        return [
            1.0,
            _log(rules.distance(home, place_of(planet))),
            *_logs(rules.stocks(planet)),
            *_logs([max(production[name], 0.0) for name in rules.resources]),
            *_logs(richness[name] for name in rules.rich_resources),
            *levels.values(),
            *upgrades.values(),
            _until(upgrade_ends, now),
            *_logs(ships.values()),
            *_logs(ordered.values()),
            _until([order["buildFinishAt"] for order in planet["shipyardQueue"]][-1:], now),
        ]


_OF_NEIGHBOUR = [
    Feature("is there", "0 or 1", "as it is"),
    Feature("points", "points", "log"),
    Feature("planets", "planets", "tenth"),
    Feature("distance between the homes", "distance units", "log"),
]


def _log(value: float) -> float:
    return math.log1p(value) / 10


def _logs(values: Iterable[float]) -> list[float]:
    # Most are 0.
    return [math.log1p(value) / 10 if value else 0.0 for value in values]


def _until(instants: Iterable[str | None], now: datetime) -> float:
    """Until the first of them that is still to come, as a logarithm; 0 if there is none."""
    seconds = [(parse_instant(instant) - now).total_seconds() for instant in instants if instant is not None]
    return _log(min((each for each in seconds if each > 0), default=0.0)) if seconds else 0.0

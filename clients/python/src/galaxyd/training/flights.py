"""The flights that an agent can choose from: which ships an action sends, and where. An agent chooses only a planet and a kind of
flight, since a list of all fleets would be endless."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..shapes import Planet
from .rules import Fuel, Place, Rules, Ships, place_of
from .views import Situation

FlightKind = Literal["attack", "spy", "support", "colonize", "deploy", "harvest", "supply"]


@dataclass(frozen=True, slots=True)
class Flight:
    """A launch."""

    mission: str
    origin: Planet
    target_id: str
    target: Place
    ships: Ships
    """Counts of ships by type; at least one."""
    cargo: Sequence[int] = ()
    """Units in the order of the resources; the rest is 0."""


class Flights:
    """The flights from a planet, always in the same order."""

    def __init__(self, rules: Rules, neighbours_max: int) -> None:
        self._rules = rules
        self._neighbours_max = neighbours_max
        self._supports = "support" in rules.missions
        self._harvests = "harvest" in rules.missions
        self.kinds: list[tuple[FlightKind, int | None]] = [
            *(("attack", neighbour) for neighbour in range(neighbours_max)),
            *(("spy", neighbour) for neighbour in range(neighbours_max)),
            *(("support", neighbour) for neighbour in range(neighbours_max if self._supports else 0)),
            ("colonize", None),
            ("deploy", None),
            *([("harvest", None)] if self._harvests else []),
            ("supply", None),
        ]
        """Each kind that the rules have, and its target among the neighbours."""

    def mask(self, situation: Situation, position: int, fuel: Fuel) -> list[int]:
        """1 for each flight from the planet at a position that the server would accept now, else 0."""
        state = situation.state
        if len(state["fleets"]) >= self._rules.limits["FLEETS_PER_PLAYER_MAX"]:
            return [0] * len(self.kinds)
        return [int(flight is not None and self._is_payable(flight, fuel)) for flight in self.planned(situation, position)]

    def planned(self, situation: Situation, position: int) -> list[Flight | None]:
        """The flights from the planet at a position; None if there are no ships for it or no target."""
        planets = situation.state["planets"]
        origin, home = planets[position], planets[0]
        supply = None if position == 0 else self._supply(home, origin)
        ships = {entry["shipType"]: entry["count"] for entry in origin["planetShips"]}
        if not ships:
            return [None] * (len(self.kinds) - 1) + [supply]
        roles = self._rules.roles
        deploy = None
        if position > 0 and (fitting := self._rules.that_fit(ships)):
            deploy = Flight("deploy", origin, home["id"], place_of(home), fitting)
        attackers = self._attackers(ships)
        return [
            *self._to_neighbours("attack", situation, origin, attackers),
            *self._to_neighbours("espionage", situation, origin, _one(ships, roles["scout"])),
            *(self._to_neighbours("support", situation, origin, attackers) if self._supports else []),
            self._colonize(situation, origin, _one(ships, roles["colonyShip"])),
            deploy,
            *([self._harvest(situation, origin, self._freighters(ships))] if self._harvests else []),
            supply,
        ]

    def _is_payable(self, flight: Flight, fuel: Fuel) -> bool:
        cost = self._rules.h2_cost(fuel, place_of(flight.origin), flight.target, flight.ships)
        return cost is not None and cost <= flight.origin["h2"]

    def _to_neighbours(self, mission: str, situation: Situation, origin: Planet, ships: Ships) -> list[Flight | None]:
        if not ships:
            return [None] * self._neighbours_max
        homes = [view.home for view in situation.neighbours]
        flights: list[Flight | None] = [Flight(mission, origin, home.planet_id, home.place, ships) for home in homes]
        return flights + [None] * (self._neighbours_max - len(homes))

    def _colonize(self, situation: Situation, origin: Planet, ships: Ships) -> Flight | None:
        count_max = self._rules.limits["PLANETS_PER_PLAYER_MAX"]
        if not ships or not situation.free_planets or len(situation.state["planets"]) >= count_max:
            return None
        planet_id, target = situation.free_planets[0]
        return Flight("colonize", origin, planet_id, target, ships)

    def _attackers(self, ships: Ships) -> Ships:
        """What can fight, and what can carry it."""
        kinds = self._rules.ships
        fleet = self._rules.that_fit(
            {ship: count for ship, count in ships.items() if kinds[ship]["attack"] > 0 or kinds[ship]["hangarCapacity"] > 0}
        )
        return fleet if any(kinds[ship]["attack"] > 0 for ship in fleet) else {}

    def _harvest(self, situation: Situation, origin: Planet, ships: Ships) -> Flight | None:
        field = situation.field
        if not ships or field is None or field.planet_id == origin["id"]:
            return None
        return Flight("harvest", origin, field.planet_id, field.place, ships)

    def _freighters(self, ships: Ships) -> Ships:
        """What carries cargo and needs no hangar."""
        kinds = self._rules.ships
        return {ship: count for ship, count in ships.items() if kinds[ship]["cargo"] > 0 and kinds[ship]["hangarSize"] == 0}

    def _supply(self, home: Planet, target: Planet) -> Flight | None:
        """Half of the first three stocks of the first planet, as far as its ships that need no hangar can carry it."""
        kinds = self._rules.ships
        stationed = {entry["shipType"]: entry["count"] for entry in home["planetShips"]}
        ships = self._freighters(stationed)
        room = sum(count * kinds[ship]["cargo"] for ship, count in ships.items())
        cargo = []
        for units in self._rules.stocks(home)[:3]:
            cargo.append(min(units // 2, room))
            room -= cargo[-1]
        return Flight("transport", home, target["id"], place_of(target), ships, cargo) if any(cargo) else None


def _one(ships: Ships, kind: str) -> Ships:
    return {kind: 1} if ships.get(kind, 0) > 0 else {}

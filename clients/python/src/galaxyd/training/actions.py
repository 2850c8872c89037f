"""The actions of an agent: a list that is fixed by the rules of the world, which of them are possible now, and the operation of the
API that each one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..shapes import Pact, Planet
from .dealings import open_count, proposals
from .flights import FlightKind, Flights
from .rules import Rules
from .views import Situation

Kind = Literal["nothing", "research", "accept", "decline", "propose", "build", "cancel", "ships"] | FlightKind

Operation = dict[str, Any]
"""An operation of a batch: method, path and body."""


@dataclass(frozen=True, slots=True)
class Action:
    """One entry of the list of actions."""

    kind: Kind
    planet: int | None = None
    """Position of the planet in the list of the agent's planets, from 0; None if the action needs none."""
    type: str | None = None
    """Type of the building, ship or research, or kind of the pact."""
    count: int = 0
    """Number of ships."""
    neighbour: int | None = None
    """Position of the target among the neighbours, from 0 for the nearest."""

    @property
    def name(self) -> str:
        """Such as "planet 0: build iron_mine"."""
        words = [self.kind, str(self.count) if self.count > 0 else "", self.type or ""]
        text = " ".join(word for word in words if word)
        if self.neighbour is not None:
            text += f" neighbour {self.neighbour}"
        return text if self.planet is None else f"planet {self.planet}: {text}"


class ActionTable:
    """All actions, in the order of their numbers. Action 0 does nothing."""

    def __init__(self, rules: Rules, planets_max: int, neighbours_max: int, ship_counts: Sequence[int]) -> None:
        self._rules = rules
        self._flights = Flights(rules, neighbours_max)
        self._ship_counts = ship_counts
        self._ship_costs = {
            ship: [[count * units for units in cost] for count in ship_counts] for ship, cost in rules.ship_costs.items()
        }
        self._planets_max = planets_max
        self._neighbours_max = neighbours_max
        self._length_of_planet = len(self._of_planet(0))
        self.actions: list[Action] = [
            Action("nothing"),
            *(Action("research", type=research) for research in rules.research),
            *(action for planet in range(planets_max) for action in self._of_planet(planet)),
            *(action for kind in rules.pact_kinds for action in self._of_pact(kind)),
        ]

    def _of_planet(self, planet: int) -> list[Action]:
        rules = self._rules
        return [
            *(Action("build", planet, building) for building in rules.buildings),
            Action("cancel", planet),
            *(Action("ships", planet, ship, count) for ship in rules.ships for count in self._ship_counts),
            *(Action(kind, planet, neighbour=neighbour) for kind, neighbour in self._flights.kinds),
        ]

    def _of_pact(self, kind: str) -> list[Action]:
        return [
            Action("accept", type=kind),
            Action("decline", type=kind),
            *(Action("propose", type=kind, neighbour=neighbour) for neighbour in range(self._neighbours_max)),
        ]

    def mask(self, situation: Situation) -> list[int]:
        """1 for each action that the server would accept now, else 0."""
        mask = [1, *self._research_mask(situation)]
        state = situation.state
        planets = state["planets"]
        # Without ships nothing can fly, which is so for most agents most of the time.
        fuel = self._rules.fuel(state) if any(planet["planetShips"] for planet in planets) else None
        for position in range(self._planets_max):
            if position >= len(planets):
                mask += [0] * self._length_of_planet
                continue
            mask += self._planet_mask(planets[position])
            mask += [0] * len(self._flights.kinds) if fuel is None else self._flights.mask(situation, position, fuel)
        return mask + self._pact_mask(situation)

    def operation(self, action: Action, situation: Situation) -> Operation | None:
        """The operation of an action that is possible; None for the one that does nothing."""
        state = situation.state
        if action.kind == "nothing":
            return None
        if action.kind == "research":
            return _post("/api/research/start", playerId=state["id"], researchType=action.type)
        if action.kind in ("accept", "decline"):
            pact = _oldest_proposal(situation, str(action.type))
            assert pact is not None
            return _post(f"/api/pact/{pact['id']}/{action.kind}", playerId=state["id"])
        if action.kind == "propose":
            partner = situation.neighbours[action.neighbour or 0].state
            seconds = self._rules.pact_seconds
            return _post("/api/pact", playerId=state["id"], partnerId=partner["id"], kind=action.type, durationSeconds=seconds)
        position = action.planet or 0
        planet = state["planets"][position]
        if action.kind == "build":
            is_there = any(building["type"] == action.type for building in planet["buildings"])
            path = "/api/building/upgrade" if is_there else "/api/building/construct"
            return _post(path, planetId=planet["id"], buildingType=action.type)
        if action.kind == "cancel":
            [queue_id] = [entry["queueId"] for building in planet["buildings"] for entry in building["constructionQueue"]]
            return _post("/api/building/cancel", planetId=planet["id"], queueId=queue_id)
        if action.kind == "ships":
            return _post("/api/shipyard/build", planetId=planet["id"], shipType=action.type, count=action.count)
        number = self._flights.kinds.index((action.kind, action.neighbour))
        flight = self._flights.planned(situation, position)[number]
        assert flight is not None
        return _post(
            "/api/fleet/launch",
            playerId=state["id"],
            mission=flight.mission,
            originPlanetId=flight.origin["id"],
            targetPlanetId=flight.target_id,
            ships=[{"type": ship, "count": count} for ship, count in flight.ships.items()],
            resources=dict(zip(self._rules.resources, flight.cargo, strict=False)),
        )

    def _research_mask(self, situation: Situation) -> list[int]:
        rules = self._rules
        entries = situation.state["research"]
        if any(entry["isResearching"] for entry in entries):
            return [0] * len(rules.research)
        levels = {entry["type"]: entry["level"] for entry in entries}
        return [int(levels.get(research, 0) < rules.research_levels_max[research]) for research in rules.research]

    def _pact_mask(self, situation: Situation) -> list[int]:
        """For each kind: accept, decline, and propose to each neighbour."""
        rules, player_id = self._rules, situation.state["id"]
        if rules.pacts is None:
            return []
        pacts = situation.view.dealings.pacts
        has_room = open_count(pacts, player_id) < rules.pacts["openMax"]
        mask: list[int] = []
        for kind in rules.pact_kinds:
            is_asked = _oldest_proposal(situation, kind) is not None
            mask += [int(is_asked and has_room), int(is_asked)]
            taken = {party for pact in pacts if pact["kind"] == kind for party in (pact["proposerId"], pact["partnerId"])}
            mask += [int(has_room and view.state["id"] not in taken) for view in situation.neighbours]
            mask += [0] * (self._neighbours_max - len(situation.neighbours))
        return mask

    def _planet_mask(self, planet: Planet) -> list[int]:
        """Buildings, cancel, ships."""
        rules = self._rules
        stocks = rules.stocks(planet)
        levels = {building["type"]: building["level"] for building in planet["buildings"]}
        if any(building["constructionQueue"] for building in planet["buildings"]):
            mask = [*([0] * len(rules.buildings)), 1]
        else:
            mask = []
            for building, costs in rules.building_costs.items():
                level = levels.get(building, 0)
                mask.append(int(level < len(costs) and _covers(stocks, costs[level])))
            mask.append(0)
        queue = planet["shipyardQueue"]
        has_room = levels.get(rules.roles["shipyard"], 0) > 0 and len(queue) < rules.limits["SHIP_ORDERS_PER_PLANET_MAX"]
        for ship, ship_costs in self._ship_costs.items():
            is_open = has_room and (not queue or queue[0]["shipType"] == ship)
            mask += [int(is_open and _covers(stocks, cost)) for cost in ship_costs]
        return mask


def _oldest_proposal(situation: Situation, kind: str) -> Pact | None:
    received = proposals(situation.view.dealings.pacts, situation.state["id"])
    return next((pact for pact in received if pact["kind"] == kind), None)


def _post(path: str, **body: Any) -> Operation:
    return {"method": "POST", "path": path, "body": body}


def _covers(stocks: Sequence[int], cost: Sequence[int]) -> bool:
    # Half of the time of all() over a generator.
    for units, needed in zip(stocks, cost, strict=True):
        if units < needed:
            return False
    return True

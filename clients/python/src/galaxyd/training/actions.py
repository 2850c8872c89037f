"""The actions of an agent: a list that is fixed by the rules of the world, which of them are possible now, and the operation of the
API that each one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..shapes import Planet
from .rules import Place, Rules, Ships, place_of
from .situations import Situation, place

Kind = Literal["nothing", "research", "build", "cancel", "ships", "attack", "spy", "colonize", "deploy", "supply"]

Operation = dict[str, Any]
"""An operation of a batch: method, path and body."""


@dataclass(frozen=True, slots=True)
class Action:
    """One entry of the list of actions."""

    kind: Kind
    planet: int | None = None
    """Position of the planet in the list of the agent's planets, from 0; None if the action needs none."""
    type: str | None = None
    """Type of the building, ship or research."""
    count: int = 0
    """Of ships."""
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
        self._neighbours_max = neighbours_max
        self._ship_counts = ship_counts
        self.actions: list[Action] = [
            Action("nothing"),
            *(Action("research", type=research) for research in rules.research),
            *(action for planet in range(planets_max) for action in self._of_planet(planet)),
        ]
        self._planets_max = planets_max
        self._length_of_planet = len(self._of_planet(0))

    def _of_planet(self, planet: int) -> list[Action]:
        rules = self._rules
        return [
            *(Action("build", planet, building) for building in rules.buildings),
            Action("cancel", planet),
            *(Action("ships", planet, ship, count) for ship in rules.ships for count in self._ship_counts),
            *(Action("attack", planet, neighbour=other) for other in range(self._neighbours_max)),
            *(Action("spy", planet, neighbour=other) for other in range(self._neighbours_max)),
            Action("colonize", planet),
            Action("deploy", planet),
            Action("supply", planet),
        ]

    def mask(self, situation: Situation) -> list[int]:
        """1 for each action that the server would accept now, else 0."""
        mask = [1, *self._research_mask(situation)]
        planets = situation.state["planets"]
        for position in range(self._planets_max):
            if position >= len(planets):
                mask += [0] * self._length_of_planet
                continue
            mask += self._planet_mask(planets[position])
            mask += self._fleet_mask(situation, position)
        return mask

    def operation(self, action: Action, situation: Situation) -> Operation | None:
        """The operation of an action that is possible; None for the one that does nothing."""
        state = situation.state
        if action.kind == "nothing":
            return None
        if action.kind == "research":
            return _post("/api/research/start", playerId=state["id"], researchType=action.type)
        planet = state["planets"][action.planet or 0]
        planet_id = planet["id"]
        if action.kind == "build":
            is_there = any(building["type"] == action.type for building in planet["buildings"])
            path = "/api/building/upgrade" if is_there else "/api/building/construct"
            return _post(path, planetId=planet_id, buildingType=action.type)
        if action.kind == "cancel":
            [queue_id] = [entry["queueId"] for building in planet["buildings"] for entry in building["constructionQueue"]]
            return _post("/api/building/cancel", planetId=planet_id, queueId=queue_id)
        if action.kind == "ships":
            return _post("/api/shipyard/build", planetId=planet_id, shipType=action.type, count=action.count)
        flight = self._flight(action, situation)
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

    def _planet_mask(self, planet: Planet) -> list[int]:
        """Buildings, cancel, ships."""
        rules = self._rules
        stocks = rules.stocks(planet)
        levels = {building["type"]: building["level"] for building in planet["buildings"]}
        is_busy = any(building["constructionQueue"] for building in planet["buildings"])
        mask = []
        for building, costs in rules.building_costs.items():
            level = levels.get(building, 0)
            mask.append(int(not is_busy and level < len(costs) and _covers(stocks, costs[level], 1)))
        mask.append(int(is_busy))
        queue = planet["shipyardQueue"]
        has_room = levels.get(rules.roles["shipyard"], 0) > 0 and len(queue) < rules.limits["SHIP_ORDERS_PER_PLANET_MAX"]
        for ship, cost in rules.ship_costs.items():
            is_open = has_room and (not queue or queue[0]["shipType"] == ship)
            mask += [int(is_open and _covers(stocks, cost, count)) for count in self._ship_counts]
        return mask

    def _fleet_mask(self, situation: Situation, position: int) -> list[int]:
        first = 1 + len(self._rules.research) + position * self._length_of_planet
        count = 2 * self._neighbours_max + 3
        end = first + self._length_of_planet
        # Most planets have no ships, and nothing can fly then; supplies fly from the first planet.
        planets = situation.state["planets"]
        if not planets[position]["planetShips"] and (position == 0 or not planets[0]["planetShips"]):
            return [0] * count
        return [int(self._flight(action, situation) is not None) for action in self.actions[end - count : end]]

    def _flight(self, action: Action, situation: Situation) -> _Flight | None:
        """The flight of an action; None if it is not possible."""
        state = situation.state
        if len(state["fleets"]) >= self._rules.limits["FLEETS_PER_PLAYER_MAX"]:
            return None
        flight = self._planned(action, situation)
        if flight is None or not flight.ships:
            return None
        cost = self._rules.h2_cost(state, place_of(flight.origin), flight.target, flight.ships)
        return None if cost is None or cost > flight.origin["h2"] else flight

    def _planned(self, action: Action, situation: Situation) -> _Flight | None:
        rules = self._rules
        planets = situation.state["planets"]
        position = action.planet or 0
        origin = planets[position]
        ships = {entry["shipType"]: entry["count"] for entry in origin["planetShips"]}
        if action.kind in ("attack", "spy"):
            if action.neighbour is None or action.neighbour >= len(situation.neighbours):
                return None
            home = situation.neighbours[action.neighbour].home
            if action.kind == "attack":
                return _Flight("attack", origin, home.planet_id, place(home), self._attackers(ships))
            return _Flight("espionage", origin, home.planet_id, place(home), _one(ships, rules.roles["scout"]))
        if action.kind == "colonize":
            if not situation.free_planet_ids or len(planets) >= rules.limits["PLANETS_PER_PLAYER_MAX"]:
                return None
            planet_id, target = situation.free_planet_ids[0]
            return _Flight("colonize", origin, planet_id, target, _one(ships, rules.roles["colonyShip"]))
        if position == 0:
            return None
        if action.kind == "deploy":
            return _Flight("deploy", origin, planets[0]["id"], place_of(planets[0]), rules.that_fit(ships))
        return self._supply(planets[0], planets[position])

    def _attackers(self, ships: Ships) -> dict[str, int]:
        """What can fight, and what can carry it."""
        kinds = self._rules.ships
        fleet = self._rules.that_fit(
            {ship: count for ship, count in ships.items() if kinds[ship]["attack"] > 0 or kinds[ship]["hangarCapacity"] > 0}
        )
        return fleet if any(kinds[ship]["attack"] > 0 for ship in fleet) else {}

    def _supply(self, origin: Planet, target: Planet) -> _Flight | None:
        """Half of the iron, silver and ember of the first planet, as far as its ships without a hangar size carry it."""
        rules = self._rules
        ships = {
            entry["shipType"]: entry["count"]
            for entry in origin["planetShips"]
            if rules.ships[entry["shipType"]]["cargo"] > 0 and rules.ships[entry["shipType"]]["hangarSize"] == 0
        }
        room = rules.cargo(ships)
        cargo = []
        for units in rules.stocks(origin)[:3]:
            cargo.append(min(units // 2, room))
            room -= cargo[-1]
        return _Flight("transport", origin, target["id"], place_of(target), ships, cargo) if any(cargo) else None


@dataclass(frozen=True, slots=True)
class _Flight:
    mission: str
    origin: Planet
    target_id: str
    target: Place
    ships: dict[str, int]
    cargo: Sequence[int] = ()


def _post(path: str, **body: Any) -> Operation:
    return {"method": "POST", "path": path, "body": body}


def _covers(stocks: Sequence[int], cost: Sequence[int], count: int) -> bool:
    return all(units >= count * needed for units, needed in zip(stocks, cost, strict=True))


def _one(ships: Ships, kind: str) -> dict[str, int]:
    return {kind: 1} if ships.get(kind, 0) > 0 else {}

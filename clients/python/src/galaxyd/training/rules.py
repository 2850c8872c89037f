"""The rules of a world as the environment needs them, compiled from GET /api/catalog. Nothing here knows a type by name, so other
rule sets work as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from ..shapes import CargoAmounts, Catalog, CatalogPacts, CatalogShipsItem, PactKind, Planet, Player

Ships = Mapping[str, int]
"""Counts by ship type."""


Fuel = Sequence[int | None]
"""The h2 of each type of flight for a distance unit and a tenth of a ship's rate, in parts of 10,000 times the divisor."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a planet is."""

    galaxy: int
    system: int
    slot: int


def place_of(planet: Planet) -> Place:
    """Where a planet of a state is."""
    system = planet["system"]
    return Place(system["galaxyIndex"], system["index"], planet["slot"])


class Rules:
    """Costs, limits and flights."""

    def __init__(self, catalog: Catalog) -> None:
        self.resources: Sequence[str] = catalog["resources"]
        self.buildings = [building["type"] for building in catalog["buildings"]]
        self.building_costs = {building["type"]: building["costs"] for building in catalog["buildings"]}
        self.research = [research["type"] for research in catalog["research"]]
        self.research_levels_max = {research["type"]: research["maximumLevel"] for research in catalog["research"]}
        self.ships: Mapping[str, CatalogShipsItem] = {ship["type"]: ship for ship in catalog["ships"]}
        self.ship_costs = {ship["type"]: _row(ship["cost"], self.resources) for ship in catalog["ships"]}
        # Ships in a hangar burn nothing.
        self._h2_rates = {ship["type"]: 0 if ship["hangarSize"] > 0 else round(10 * ship["h2Rate"]) for ship in catalog["ships"]}
        self.missions: Sequence[str] = catalog["missions"]
        shippable = [name for name in self.resources if name in CargoAmounts.__annotations__]
        self.field_resources = shippable if "harvest" in self.missions else []
        """What lies in space; nothing under rules without fields."""
        self.rich_resources = shippable if catalog.get("richness") is not None else []
        """Of what planets have more or less than others; nothing if all are alike."""
        self.traded = shippable if catalog.get("market") is not None else []
        """What players trade; nothing under rules without a market."""
        shocks = catalog.get("shocks")
        self.shocks = {} if shocks is None else {shock["type"]: shock["effect"]["kind"] for shock in shocks["types"]}
        """The effect of each type of shock."""
        self.pacts = catalog.get("pacts")
        self.pact_kinds: Sequence[str] = [] if self.pacts is None else get_args(get_args(PactKind)[0])
        # Half way between the shortest and the longest pact, so that no rounding matters.
        self.pact_seconds = 0 if self.pacts is None else _middle(self.pacts, catalog["speed"])
        """How long the pacts last that agents propose."""
        self.roles = catalog["roles"]
        self.limits = {name: int(value) for name, value in catalog["constants"].items()}
        self._drives = [
            (
                drive["research"],
                [round(10 * drive["multipliers"][kind]) for kind in catalog["flightTypes"]],
                round(10 * drive["h2Factor"]),
            )
            for drive in catalog["drives"]
        ]

    def stocks(self, planet: Planet) -> list[int]:
        """Whole units in the order of the resources."""
        return _row(planet, self.resources)

    def distance(self, one: Place, other: Place) -> int:
        """Distance units, one way."""
        limits = self.limits
        if one.galaxy != other.galaxy:
            return limits["betweenGalaxiesBase"] + limits["perGalaxy"] * abs(one.galaxy - other.galaxy)
        if one.system != other.system:
            return limits["betweenSystemsBase"] + limits["perSystem"] * abs(one.system - other.system)
        return limits["perSlot"] * abs(one.slot - other.slot)

    def fuel(self, player: Player) -> Fuel:
        """What flights of a player need at least, by flight type; None if no drive that is researched flies it."""
        levels = {entry["type"]: entry["level"] for entry in player["research"]}
        fuel: list[int | None] = [None, None, None]
        for research, multipliers, factor in self._drives:
            level = 1 if research is None else levels.get(research, 0)
            if level == 0:
                continue
            saved = self.limits["h2SavingPercentPerLevel"] * (level - 1)
            needed = factor * max(self.limits["h2UsePercentMin"], 100 - saved)
            for kind, multiplier in enumerate(multipliers):
                least = fuel[kind]
                if multiplier > 0 and (least is None or needed < least):
                    fuel[kind] = needed
        return fuel

    def h2_cost(self, fuel: Fuel, one: Place, other: Place, ships: Ships) -> int | None:
        """H2 for the flight there and back with the drive that needs least; None if there is none."""
        needed = fuel[2 if one.galaxy != other.galaxy else 1 if one.system != other.system else 0]
        if needed is None:
            return None
        rate = sum(count * self._h2_rates[ship] for ship, count in ships.items())
        return -(-self.distance(one, other) * rate * needed // (10_000 * self.limits["h2DistanceDivisor"]))

    def that_fit(self, ships: Ships) -> dict[str, int]:
        """The ships without those that need a hangar and find no room in one."""
        room = sum(count * self.ships[ship]["hangarCapacity"] for ship, count in ships.items())
        fitting = {}
        for ship, count in ships.items():
            size = self.ships[ship]["hangarSize"]
            if size > 0:
                count = min(count, room // size)
                room -= count * size
            if count > 0:
                fitting[ship] = count
        return fitting


def _middle(pacts: CatalogPacts, speed: float) -> int:
    return max(1, round((pacts["noticeSeconds"] + pacts["durationSecondsMax"]) / 2 / speed))


def _row(amounts: object, resources: Sequence[str]) -> list[int]:
    assert isinstance(amounts, dict)
    return [int(amounts[name]) for name in resources]

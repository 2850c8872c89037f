"""What an agent knows of shocks, pacts and the market, under rules with these parts: what is read for it, and the components of an
observation that it gives. Rules without a part read and give nothing of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..instants import parse_instant
from ..shapes import MarketTradesItem, Pact, PlayerMarket, Shock
from .rules import Rules

Component = tuple[str, str, str]
"""Name, unit and scale of a component; see Feature."""


@dataclass(frozen=True, slots=True)
class Dealings:
    """One agent at one instant. Never changes. What the rules do not have is empty."""

    shocks: Sequence[Shock] = ()
    """Of all galaxies, those that are not over."""
    pacts: Sequence[Pact] = ()
    """Of the agent, and the proposals that it has made or received."""
    market: PlayerMarket | None = None
    trades: Sequence[MarketTradesItem] = ()
    """The last ones of the world, of each pair of resources."""


class DealingReads:
    """The reads of a step that the dealings of all agents take."""

    def __init__(self, rules: Rules, player_ids: Sequence[str]) -> None:
        self._count = len(player_ids)
        self._parts = {
            "shocks": ["/api/game/shocks"] if rules.shocks else [],
            "pacts": [f"/api/game/pacts/{player}" for player in player_ids] if rules.pacts is not None else [],
            "market": [f"/api/market/player/{player}" for player in player_ids] if rules.traded else [],
            # The trades in it are those of the whole world.
            "trades": ["/api/market/galaxy/1?limit=1"] if rules.traded else [],
        }
        self.paths = [path for paths in self._parts.values() for path in paths]

    def dealings(self, bodies: Sequence[Any]) -> list[Dealings]:
        """What each agent knows, from the bodies of the replies in the order of the paths."""
        left = iter(bodies)
        read = {part: [next(left) for _ in paths] for part, paths in self._parts.items()}
        shocks = [shock for body in read["shocks"] for shock in body["shocks"]]
        trades = [pair for body in read["trades"] for pair in body["trades"]]
        pacts, markets = read["pacts"] or [()] * self._count, read["market"] or [None] * self._count
        return [Dealings(shocks, own, market, trades) for own, market in zip(pacts, markets, strict=True)]


class DealingFeatures:
    """The components of the observation, in their order."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._pairs = [(give, want) for give in rules.traded for want in rules.traded if give != want]
        self.components: list[Component] = [
            *(
                component
                for shock, effect in rules.shocks.items()
                for component in (
                    (f"shock {shock}: time until it begins", "seconds", "log"),
                    (f"shock {shock}: time until it is over", "seconds", "log"),
                    *([(f"shock {shock}: on the agent", "0 or 1", "as it is")] if effect == "bounty" else []),
                )
            ),
            *(
                (f"pacts of {kind}: {state}", "pacts", "tenth")
                for kind in rules.pact_kinds
                for state in ("in force", "proposed to the agent", "proposed by the agent")
            ),
            *((f"last price of {give} in {want}", "units for a unit", "log") for give, want in self._pairs),
            *([("offers to the agent", "offers", "tenth"), ("offers of the agent", "offers", "tenth")] if rules.traded else []),
            *((f"goods under way: {resource}", "units", "log") for resource in rules.traded),
        ]

    def values(self, dealings: Dealings, player_id: str, galaxy: int, now: datetime) -> list[float]:
        """The part of the vector."""
        values = self._shocks([shock for shock in dealings.shocks if shock["galaxyIndex"] == galaxy], player_id, now)
        for kind in self._rules.pact_kinds:
            pacts = [pact for pact in dealings.pacts if pact["kind"] == kind]
            received, made = proposals(pacts, player_id), [pact for pact in pacts if pact["proposerId"] == player_id]
            in_force = [pact for pact in pacts if pact["state"] == "in_force"]
            values += [len(in_force) / 10, len(received) / 10, sum(pact["state"] == "proposed" for pact in made) / 10]
        market = dealings.market
        if market is None:
            return values
        last = {(pair["give"], pair["want"]): pair["last"][-1] for pair in dealings.trades}
        prices = [last[pair]["wantUnits"] / last[pair]["giveUnits"] if pair in last else 0.0 for pair in self._pairs]
        goods: dict[str, int] = dict.fromkeys(self._rules.traded, 0)
        for load in market["goods"]:
            goods[load["goods"]["resource"]] += load["goods"]["units"]
        values += [math.log1p(price) / 10 for price in prices]
        values += [len(market["offersToPlayer"]) / 10, len(market["offers"]) / 10]
        return values + [math.log1p(units) / 10 for units in goods.values()]

    def _shocks(self, shocks: Iterable[Shock], player_id: str, now: datetime) -> list[float]:
        # Of several of one type, the one that was announced first.
        first: dict[str, Shock] = {}
        for shock in shocks:
            first.setdefault(shock["type"], shock)
        values: list[float] = []
        for name, effect in self._rules.shocks.items():
            shock = first.get(name)
            values += [0.0, 0.0] if shock is None else [_until(shock["startsAt"], now), _until(shock["endsAt"], now)]
            if effect == "bounty":
                values.append(float(shock is not None and shock["playerId"] == player_id))
        return values


def proposals(pacts: Iterable[Pact], player_id: str) -> list[Pact]:
    """Those that a player has received and not answered."""
    return [pact for pact in pacts if pact["state"] == "proposed" and pact["partnerId"] == player_id]


def open_count(pacts: Iterable[Pact], player_id: str) -> int:
    """What counts for the limit of a player: its pacts in force, and the proposals that it has made."""
    return sum(pact["state"] == "in_force" or pact["proposerId"] == player_id for pact in pacts)


def _until(instant: str, now: datetime) -> float:
    return math.log1p(max(0.0, (parse_instant(instant) - now).total_seconds())) / 10

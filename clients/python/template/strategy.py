"""What the bot does. This is the file to change: `galaxyd bot try .` says what a change is worth."""

from datetime import datetime, timedelta
from typing import Any

from galaxyd import Call, Client, GalaxydError, call_of, total
from galaxyd import operations as api
from galaxyd.shapes import ConstructOption, EventTypeName, PlanStep, UpgradeOption

WAKE_EVERY = timedelta(hours=2)
"""At speed 1. Plans work in between. Each look is a turn, and a game allows some a day."""
WAKE_ON: list[EventTypeName] = ["planet_colonized", "espionage_report", "incoming_fleet", "combat_report"]
"""Events that end the sleep in a game of turns. They are printed."""
BUILDINGS_PLANNED = 5
RESEARCH = ["mining", "plasma_physics", "administration"]
SHIPYARD, SCOUT = "shipyard", "scout"
SHIPS = [{"shipType": SCOUT, "count": 1}]


class Strategy:
    """Plays one player."""

    def __init__(self, client: Client, player_id: str) -> None:
        self.client = client
        self.player_id = player_id
        self.last_event_seq = 0
        self.spied_on = {player_id}

    def act(self, speed: float) -> datetime:
        """Does what can be done now, and returns when to look again. `speed` is that of the world."""
        self.read_events()
        reply = self.client.send(api.get_state(self.player_id))
        planets = reply.body["planets"]
        home = planets[0]
        has_scout = any(ship["shipType"] == SCOUT and ship["count"] > 0 for ship in home["planetShips"])
        if has_scout:
            self.spy(home["id"])
        needs_scout = not has_scout and self.spied_on == {self.player_id}
        for planet in planets:
            self.plan(planet["id"], needs_scout and planet is home)
        return reply.world_time + WAKE_EVERY / speed

    def read_events(self) -> None:
        """Prints what has happened since the last look."""
        for event in self.client.call(api.get_player_events(self.player_id, since=self.last_event_seq))["events"]:
            self.last_event_seq = event["seq"]
            if event["type"] in WAKE_ON:
                print(event["at"], event["type"], event["data"], flush=True)

    def plan(self, planet_id: str, needs_scout: bool) -> None:
        """Gives a planet steps. It starts each by itself as soon as it can pay for it."""
        options = self.client.call(api.get_options(planet_id))["options"]
        for option in options:
            if option["action"] == "second_starter":
                planet = self.command(call_of(option["request"]))
                if planet is not None:
                    self.plan(planet["id"], False)
        buildings = [
            each
            for each in options
            if (each["action"] == "upgrade" or each["action"] == "construct") and each.get("startsAt")
        ]
        buildings.sort(key=hours_to_pay_back)
        steps: list[PlanStep] = []
        if needs_scout:
            # A step that is blocked is skipped, as the first one is if there is a shipyard.
            steps.append({"action": "construct", "buildingType": SHIPYARD})
            steps.append({"action": "build_ships", "shipType": SCOUT, "count": 1})
        for each in buildings[:BUILDINGS_PLANNED]:
            steps.append({"action": each["action"], "buildingType": each["buildingType"]})
        offered = {each["researchType"] for each in options if each["action"] == "research"}
        steps += [{"action": "research", "researchType": each} for each in RESEARCH if each in offered]
        self.command(api.put_plan(planet_id, steps=steps, on_blocked="skip"))

    def spy(self, home_id: str) -> None:
        """Sends a scout to the best player whom none has visited, and whom it can reach."""
        for other in self.client.call(api.get_leaderboard())["players"]:
            if other["id"] in self.spied_on or other["home"] is None:
                continue
            trip: Any = {"origin_planet_id": home_id, "target_planet_id": other["home"]["planetId"], "ships": SHIPS}
            if any(drive["possible"] for drive in self.client.call(api.simulate_launch(**trip))["results"]):
                self.spied_on.add(other["id"])
                self.command(api.launch_fleet(player_id=self.player_id, mission="espionage", **trip))
                return

    def command(self, call: Call[Any]) -> Any:
        """Sends a command. Prints a refusal and returns None."""
        try:
            return self.client.call(call)
        except GalaxydError as error:
            print(error, flush=True)
            return None


def hours_to_pay_back(option: UpgradeOption | ConstructOption) -> float:
    """Until a building has produced what it costs. Those that produce nothing come last, the cheapest first."""
    cost, gain = total(option["cost"]), option["gain"].get("production")
    return cost / total(gain) if gain is not None and total(gain) > 0 else 1e6 + cost

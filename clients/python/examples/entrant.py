"""An entrant of a tournament: waits for its turn, builds what pays back soonest, and sleeps until it can do more.

    galaxyd tournament --entrants greedy,'python3 clients/python/examples/entrant.py' --days 3 --seeds 2 --out ./cup

The tournament says in the environment where the game is and who plays; see docs/arena.md. What it prints is in the log of the
entrant. It does the same whenever it sees the same, so that the tournament can be repeated.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

# A tournament starts it in a folder of its own: this finds the package of the clone that the file is in.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from galaxyd import Client, GalaxydError, call_of, format_instant, parse_instant, total
from galaxyd.operations import end_turn, get_brief, get_options, get_state, get_turn
from galaxyd.shapes import ConstructOption, EventTypeName, UpgradeOption

WAIT_SECONDS = 20
HORIZON = timedelta(hours=6)
"""It does not save longer than this for a building."""
WAKE_ON: list[EventTypeName] = ["building_completed", "research_completed", "combat_report", "resources_received"]
BUDGET_CODES = ("command_budget_spent", "not_your_turn")


def main() -> None:
    """Plays until the game is over."""
    player_id = os.environ["GALAXYD_PLAYER"]
    with Client(os.environ["GALAXYD_SERVER"], os.environ.get("GALAXYD_API_KEY")) as client:
        while (turn := client.call(get_turn(wait=WAIT_SECONDS)))["state"] != "over":
            if turn["state"] != "active":
                continue
            if turn["turn"] == 1:
                print(client.call(get_brief(player_id)), flush=True)
                take_second_planet(client, player_id)
            wakes = play_turn(client, player_id)
            # Without an instant it wakes when one of these events happens.
            wake_at = format_instant(min(wakes)) if wakes else None
            client.call(end_turn(wake_at=wake_at, wake_on=WAKE_ON))


def take_second_planet(client: Client, player_id: str) -> None:
    """It costs nothing and doubles what is produced. Until it is taken, it is the first option of each planet."""
    home = client.call(get_state(player_id))["planets"][0]
    first = client.call(get_options(home["id"]))["options"][0]
    if first["action"] == "second_starter":
        client.call(call_of(first["request"]))


def play_turn(client: Client, player_id: str) -> list[datetime]:
    """Does what can be done now. Returns the instants at which more can be done."""
    wakes = []
    for planet in client.call(get_state(player_id))["planets"]:
        try:
            wakes += play_planet(client, planet["id"])
        except GalaxydError as error:
            if error.code not in BUDGET_CODES:
                raise
            print(error, flush=True)
            break
    return wakes


def play_planet(client: Client, planet_id: str) -> list[datetime]:
    """Starts a research and the building that pays back soonest, or waits until it can be paid."""
    reply = client.send(get_options(planet_id))
    options = reply.body["options"]
    # Research costs nothing.
    for option in options:
        if option["action"] == "research" and "reason" not in option:
            client.call(call_of(option["request"]))
            break
    buildings = [
        (option, parse_instant(option["affordableAt"]))
        for option in options
        if (option["action"] == "upgrade" or option["action"] == "construct")
        and "reason" not in option
        and option["affordableAt"] is not None
    ]
    soon = [(option, instant) for option, instant in buildings if instant <= reply.world_time + HORIZON]
    if not soon:
        return []
    best, instant = min(soon, key=lambda pair: hours_to_pay_back(pair[0]))
    if instant > reply.world_time:
        return [instant]
    client.call(call_of(best["request"]))
    print(f"{format_instant(reply.world_time)} {planet_id} {best['action']} {best['buildingType']}", flush=True)
    return []


def hours_to_pay_back(option: UpgradeOption | ConstructOption) -> float:
    """Until the building has produced its cost; what produces nothing comes last, the cheapest first."""
    cost, gain = total(option["cost"]), option["gain"].get("production")
    return cost / total(gain) if gain is not None and total(gain) > 0 else 1e6 + cost


if __name__ == "__main__":
    main()

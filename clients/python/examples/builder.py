"""A bot that builds what it can afford, the cheapest first, and sleeps until something changes.

    python3 builder.py http://127.0.0.1:3000 Ada

With --auth key it prints its API key once; pass it with --key the next time. With --admin-key it moves the manual clock
of the world instead of sleeping.
"""

from __future__ import annotations

import argparse
import time
from datetime import datetime, timedelta

from galaxyd import Client, call_of, format_instant, parse_instant, total
from galaxyd.operations import advance_clock, create_player, get_leaderboard, get_options, get_state


def main() -> None:
    """Plays until the given instant of world time, or for ever."""
    arguments = read_arguments()
    client = Client(arguments.url, arguments.key)
    player = client.call(create_player(name=arguments.name, is_bot=True))
    if "apiKey" in player:
        print(f"the key of {arguments.name}: {player['apiKey']}", flush=True)
        client = client.with_key(player["apiKey"])
    while True:
        now, wake_at = act(client, player["id"])
        ends_at = arguments.until or datetime.max.replace(tzinfo=now.tzinfo)
        if wake_at is None or wake_at >= ends_at:
            break
        wait(client, arguments.admin_key, now, wake_at)
    if arguments.until is not None:
        wait(client, arguments.admin_key, now, arguments.until)
    points = [entry["points"] for entry in client.call(get_leaderboard())["players"] if entry["id"] == player["id"]]
    print(f"{arguments.name} has {points[0]} points", flush=True)


def act(client: Client, player_id: str) -> tuple[datetime, datetime | None]:
    """Starts all that can be started now. Returns the world time, and when to act again."""
    wakes: list[datetime] = []
    for planet in client.call(get_state(player_id))["planets"]:
        wakes += build(client, planet["id"])
    state = client.send(get_state(player_id))
    if state.body["nextTimerAt"] is not None:
        wakes.append(parse_instant(state.body["nextTimerAt"]))
    return state.world_time, min(wakes, default=None)


def build(client: Client, planet_id: str) -> list[datetime]:
    """Starts the cheapest building that can be paid, until there is none. Returns when others can be paid."""
    while True:
        reply = client.send(get_options(planet_id))
        payable_at = [
            (option, parse_instant(option["affordableAt"]))
            for option in reply.body["options"]
            if (option["action"] == "upgrade" or option["action"] == "construct")
            and "reason" not in option
            and option["affordableAt"] is not None
        ]
        payable = [option for option, instant in payable_at if instant <= reply.world_time]
        if not payable:
            return [instant for _, instant in payable_at]
        cheapest = min(payable, key=lambda option: total(option["cost"]))
        client.call(call_of(cheapest["request"]))
        print(f"{format_instant(reply.world_time)} {cheapest['action']} {cheapest['buildingType']}", flush=True)


def wait(client: Client, admin_key: str | None, now: datetime, instant: datetime) -> None:
    """Waits until an instant of world time; with an admin key, by moving the clock."""
    if admin_key is not None:
        client.with_key(admin_key).call(advance_clock({"to": format_instant(instant)}))
    else:
        time.sleep(max(timedelta(0), instant - now).total_seconds())


def read_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="A bot that builds what it can afford.")
    parser.add_argument("url", help="where the world is served, such as http://127.0.0.1:3000")
    parser.add_argument("name", help="name of the player")
    parser.add_argument("--key", help="API key of the player")
    parser.add_argument("--until", type=parse_instant, help="world time at which the bot stops")
    parser.add_argument("--admin-key", help="moves the manual clock of the world instead of sleeping")
    return parser.parse_args()


if __name__ == "__main__":
    main()

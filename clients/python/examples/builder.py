"""A bot that builds what it can afford, the cheapest first. It sleeps until an event says that something has changed, or until
it can afford the next building.

    python3 builder.py http://127.0.0.1:3000 Ada

With --auth key it prints its API key once; pass it with --key the next time. With --admin-key it moves the manual clock
of the world instead of sleeping.
"""

from __future__ import annotations

import argparse
import threading
from datetime import datetime
from queue import Empty, SimpleQueue

from galaxyd import Client, call_of, format_instant, parse_instant, total
from galaxyd.operations import advance_clock, create_player, find_players, get_options, get_state, get_status
from galaxyd.shapes import GameEvent

CHANGES = {
    "building_completed",
    "building_cancelled",
    "planet_colonized",
    "resources_received",
    "resources_granted",
    "fleet_returned",
    "ships_cancelled",
}
"""Events after which more can be built, or paid. Events of what the bot itself starts are not among them."""


def main() -> None:
    """Plays until the given instant of world time, or for ever."""
    arguments = read_arguments()
    client = Client(arguments.url, arguments.key)
    player = client.call(create_player(name=arguments.name, is_bot=True))
    if "apiKey" in player:
        print(f"the key of {arguments.name}: {player['apiKey']}", flush=True)
        client = client.with_key(player["apiKey"])
    play(client, arguments, player["id"])
    # The player with exactly this name comes first.
    found = client.call(find_players(name=arguments.name, limit=1))["players"][0]
    print(f"{arguments.name} has {found['points']} points", flush=True)


def play(client: Client, arguments: argparse.Namespace, player_id: str) -> None:
    """Starts what can be started, and waits for the next change, until the given instant of world time."""
    state = client.call(get_state(player_id))
    planet_ids = {planet["id"] for planet in state["planets"]}
    inbox: SimpleQueue[GameEvent] = SimpleQueue()
    listening = threading.Thread(target=listen, args=(client, player_id, state["lastEventSeq"], inbox), daemon=True)
    listening.start()
    while True:
        wakes = [] if arguments.until is None else [arguments.until]
        for planet_id in planet_ids:
            now, instants = build(client, planet_id)
            wakes += instants
        now = wait(client, arguments.admin_key, inbox, now, min(wakes, default=None))
        while not inbox.empty():
            event = inbox.get()
            if event["type"] == "planet_colonized":
                planet_ids.add(event["data"]["planetId"])
        if arguments.until is not None and now >= arguments.until:
            return


def listen(client: Client, player_id: str, since: int, inbox: SimpleQueue[GameEvent]) -> None:
    """Passes on the events after which more can be built or paid."""
    for event in client.events(player_id, since):
        if event["type"] in CHANGES:
            inbox.put(event)


def build(client: Client, planet_id: str) -> tuple[datetime, list[datetime]]:
    """Starts the cheapest building that can be paid, until there is none. Returns the world time, and when others can
    be paid."""
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
            return reply.world_time, [instant for _, instant in payable_at]
        cheapest = min(payable, key=lambda option: total(option["cost"]))
        client.call(call_of(cheapest["request"]))
        print(f"{format_instant(reply.world_time)} {cheapest['action']} {cheapest['buildingType']}", flush=True)


def wait(
    client: Client, admin_key: str | None, inbox: SimpleQueue[GameEvent], now: datetime, instant: datetime | None
) -> datetime:
    """Waits for an event or an instant; with an admin key, moves the clock to the next thing that happens.

    Returns the world time.
    """
    if admin_key is not None:
        timer = client.call(get_status())["nextTimerAt"]
        instants = ([] if instant is None else [instant]) + ([] if timer is None else [parse_instant(timer)])
        return client.with_key(admin_key).send(advance_clock({"to": format_instant(min(instants))})).world_time
    if instant is None:
        event = inbox.get()
    else:
        try:
            event = inbox.get(timeout=max(0.0, (instant - now).total_seconds()))
        except Empty:
            # If the operator has paused the world, its time stands.
            client.wait_until(instant)
            return instant
    inbox.put(event)
    return parse_instant(event["at"])


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

"""Counts what a bot sends and receives in ten days of world time: requests by kind, 304s and bytes.

    python3 ten_days.py http://127.0.0.1:3000 ADMIN_KEY [--events | --every MINUTES] [--without-cache]

The world has a manual clock, which this program moves. The bot builds and researches what its options offer, on one planet. By default
it reads state and reports, and sleeps until an instant that a reply has named; with --every it polls. With --events it
reads neither: it has a stream of events, and looks at the options of a planet when an event, or an alarm that it has set
by their `affordableAt`, says that there is something to do.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from galaxyd import Client, call_of, format_instant, parse_instant, total
from galaxyd.calls import HttpRequest, HttpResponse
from galaxyd.operations import (
    advance_clock,
    create_player,
    get_leaderboard,
    get_options,
    get_player_events,
    get_reports,
    get_state,
    get_status,
)
from galaxyd.shapes import ConstructOption, GameEvent, Player, ResearchOption, UpgradeOption

Step = UpgradeOption | ConstructOption | ResearchOption


class Traffic:
    """Counts requests and bytes. Heads are counted as HTTP/1.1 writes them, without what a proxy would add."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.not_modified: Counter[str] = Counter()
        self.events = 0
        self.bytes_sent = 0
        self.bytes_received = 0

    def __call__(self, request: HttpRequest, response: HttpResponse) -> None:
        kind = f"{request.method} {re.sub(r'/(player|planet)-[^/?]+', '/:id', request.path.partition('?')[0])}"
        self.requests[kind] += 1
        self.not_modified[kind] += response.status == 304
        first_line = len(f"{request.method} {request.path} HTTP/1.1\r\n")
        self.bytes_sent += first_line + head_bytes(request.headers) + len(request.body or b"")
        self.bytes_received += len("HTTP/1.1 200 OK\r\n") + head_bytes(response.headers) + len(response.body)

    def receive(self, event: GameEvent) -> None:
        """Counts an event of a stream, as a chunk of its own."""
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        chunk = len(f"id: {event['seq']}\nevent: {event['type']}\ndata: {text}\n\n".encode())
        self.events += 1
        self.bytes_received += len(f"{chunk:x}\r\n\r\n") + chunk

    def report(self) -> dict[str, Any]:
        """The counts."""
        requests, not_modified = self.requests.total(), self.not_modified.total()
        return {
            "requests": requests,
            "notModified": not_modified,
            "events": self.events,
            "bytesSent": self.bytes_sent,
            "bytesReceived": self.bytes_received,
            "byKind": {kind: [count, self.not_modified[kind]] for kind, count in self.requests.most_common()},
        }


def main() -> None:
    """Plays and prints the counts as JSON."""
    arguments = read_arguments()
    traffic = Traffic()
    replies_max = 0 if arguments.without_cache else 1_000
    with Client(arguments.url, cache_entries_max=replies_max, observer=traffic) as client:
        operator = Client(arguments.url, arguments.admin_key)
        player = client.call(create_player(name="Ada", is_bot=True))
        now = operator.send(get_status()).world_time
        ends_at = now + timedelta(days=arguments.days)
        if arguments.events:
            play_by_events(client, operator, traffic, player["id"], ends_at)
        else:
            play_by_reading(client, operator, player["id"], ends_at, arguments.every)
        counts = traffic.report()
        points = [entry["points"] for entry in operator.call(get_leaderboard())["players"]]
        operator.close()
    print(json.dumps({"days": arguments.days, "points": points[0], **counts}))


def play_by_reading(client: Client, operator: Client, player_id: str, ends_at: datetime, every: float | None) -> None:
    """Wakes at instants from replies, or every so many minutes."""
    now = operator.send(get_status()).world_time
    while now < ends_at:
        known_at = wake(client, player_id)
        polled_at = ends_at if every is None else now + timedelta(minutes=every)
        now = min([polled_at, ends_at, *(known_at if every is None else [])])
        operator.call(advance_clock({"to": format_instant(now)}))


def play_by_events(client: Client, operator: Client, traffic: Traffic, player_id: str, ends_at: datetime) -> None:
    """Wakes when an event comes or an alarm goes off.

    The operator moves the clock to the alarm or the next timer of the world, whichever is first, as time would, and
    says up to which event the bot has to read: with a clock that runs, an event comes when it happens.
    """
    state = client.send(get_state(player_id))
    events = client.events(player_id, since=state.body["lastEventSeq"])
    seq = state.body["lastEventSeq"]
    alarms = {planet["id"]: state.world_time for planet in state.body["planets"]}
    now = state.world_time
    while now < ends_at:
        for planet_id in [planet_id for planet_id, alarm in alarms.items() if alarm <= now]:
            alarms[planet_id] = min(start(client, planet_id), default=ends_at)
        status = operator.call(get_status())
        timers = [parse_instant(status["nextTimerAt"])] if status["nextTimerAt"] is not None else []
        now = min([ends_at, *timers, *alarms.values()])
        operator.call(advance_clock({"to": format_instant(now)}))
        last_seq = operator.call(get_player_events(player_id))["lastSeq"]
        while seq < last_seq:
            event = next(events)
            traffic.receive(event)
            seq = event["seq"]
            if event["type"] == "building_completed":
                alarms[event["data"]["planetId"]] = now
            elif event["type"] == "research_completed":
                alarms = dict.fromkeys(alarms, now)


def wake(client: Client, player_id: str) -> list[datetime]:
    """Reads what has happened and starts what can be started. Returns the instants at which more can be done."""
    client.call(get_reports(player_id))
    state = client.call(get_state(player_id))
    planets = [planet["id"] for planet in state["planets"]]
    known_at = [instant for planet_id in planets for instant in start(client, planet_id)]
    # Starting something changes the state; if nothing was started, this is the reply from before.
    after: Player = client.call(get_state(player_id))
    return known_at + ([] if after["nextTimerAt"] is None else [parse_instant(after["nextTimerAt"])])


def start(client: Client, planet_id: str) -> list[datetime]:
    """Starts research, and the cheapest building, until nothing can be paid. Returns when more can be."""
    while True:
        reply = client.send(get_options(planet_id))
        steps = [
            (option, parse_instant(option["affordableAt"]))
            for option in reply.body["options"]
            if option["action"] not in ("build_ships", "second_starter") and "reason" not in option and option["affordableAt"] is not None
        ]
        payable: list[Step] = [step for step, instant in steps if instant <= reply.world_time]
        if not payable:
            return [instant for _, instant in steps]
        cheapest = min(payable, key=lambda step: total(step["cost"]))
        client.call(call_of(cheapest["request"]))


def head_bytes(headers: Any) -> int:
    """The bytes of some header fields and of the empty line after them."""
    return sum(len(name) + len(value) + 4 for name, value in headers.items()) + 2


def read_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Counts what a bot sends and receives.")
    parser.add_argument("url", help="where a world with a manual clock is served")
    parser.add_argument("admin_key", help="moves its clock")
    parser.add_argument("--days", type=int, default=10, help="days of world time; 10 by default")
    parser.add_argument("--events", action="store_true", help="reads events instead of state and reports")
    parser.add_argument("--every", type=float, help="minutes between polls; by default the bot knows when to wake")
    parser.add_argument("--without-cache", action="store_true", help="sends no If-None-Match")
    return parser.parse_args()


if __name__ == "__main__":
    main()

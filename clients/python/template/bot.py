"""Plays a game of turns, or a live world. It asks strategy.py what to do, and when to look again."""

from __future__ import annotations

import os
import sys

if sys.version_info < (3, 11):
    sys.exit("this bot needs Python 3.11 or later, and this is Python " + ".".join(map(str, sys.version_info[:3])))

from galaxyd import Client, format_instant
from galaxyd.operations import end_turn, get_status, get_turn
from strategy import WAKE_ON, Strategy

WAIT_SECONDS = 20


def main() -> None:
    """Plays until the game is over. A live world is never over."""
    server, player_id = os.environ.get("GALAXYD_SERVER"), os.environ.get("GALAXYD_PLAYER")
    if server is None or player_id is None:
        sys.exit("GALAXYD_SERVER or GALAXYD_PLAYER is missing; README.md says how the bot is started")
    with Client(server, os.environ.get("GALAXYD_API_KEY")) as client:
        status = client.call(get_status())
        strategy = Strategy(client, player_id)
        if status["clock"] != "turns":
            while True:
                client.wait_until(strategy.act(status["speed"]))
        while (turn := client.call(get_turn(wait=WAIT_SECONDS)))["state"] != "over":
            if turn["state"] == "active":
                client.call(end_turn(wake_at=format_instant(strategy.act(status["speed"])), wake_on=WAKE_ON))


if __name__ == "__main__":
    main()

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
    with Client(os.environ["GALAXYD_SERVER"], os.environ.get("GALAXYD_API_KEY")) as client:
        strategy = Strategy(client, os.environ["GALAXYD_PLAYER"])
        if client.call(get_status())["clock"] != "turns":
            while True:
                client.wait_until(strategy.act())
        while (turn := client.call(get_turn(wait=WAIT_SECONDS)))["state"] != "over":
            if turn["state"] == "active":
                client.call(end_turn(wake_at=format_instant(strategy.act()), wake_on=WAKE_ON))


if __name__ == "__main__":
    main()

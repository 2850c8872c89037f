"""Builds ten things, each as soon as it can, and sleeps in between."""

import sys
import time

from galaxyd import Client, call_of, parse_instant
from galaxyd.operations import create_player, get_options

url, name = sys.argv[1:]
client = Client(url)
player = client.call(create_player(name=name, is_bot=True))
planet = player["planets"][0]

built = 0
while built < 10:
    reply = client.send(get_options(planet["id"]))
    # The options are sorted: what can be started first comes first.
    option = next(each for each in reply.body["options"] if each["action"] in ("upgrade", "construct"))
    start_at = option["reason"].get("until") if "reason" in option else option["affordableAt"]
    if start_at is None:
        sys.exit(f"nothing can be built: {option}")
    wait_seconds = (parse_instant(start_at) - reply.world_time).total_seconds()
    if wait_seconds > 0:
        time.sleep(wait_seconds)
    else:
        client.call(call_of(option["request"]))
        built += 1
        print(built, option["action"], option["request"]["body"], flush=True)

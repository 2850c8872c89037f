"""Builds ten things, each as soon as it can, and sleeps in between."""

import os
import sys
import time

from galaxyd import Client, call_of, parse_instant
from galaxyd.operations import create_player, get_options, get_status

url, name = sys.argv[1:]
client = Client(url)
key_file = None
if client.call(get_status())["auth"] == "key":
    # Only the reply to the creation has the key of the player, so the file for it comes first.
    key_file = os.open(f"{name}.key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
player = client.call(create_player(name=name, is_bot=True))
if key_file is not None:
    os.write(key_file, player["apiKey"].encode())
    client = client.with_key(player["apiKey"])
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

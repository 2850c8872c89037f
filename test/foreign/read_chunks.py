# Follows a player with a client that reads whole chunks: requests if it is installed, else http.client. It must see an event at once.
import http.client
import json
import sys
import threading
import time
import urllib.request

URL, PLAYER, PLANET = sys.argv[1:4]
STREAM = f"{URL}/api/event/player/{PLAYER}/stream?since=0"
# A stream that is held back shows an event with the next comment, after 15 s.
AT_ONCE_SECONDS = 5
answered = []


def send():
    body = json.dumps({"planetId": PLANET, "buildingType": "iron_mine"}).encode()
    head = {"content-type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{URL}/api/building/upgrade", body, head)).read()
    answered.append(time.monotonic())


def lines():
    try:
        import requests
    except ImportError:
        place = URL.removeprefix("http://")
        connection = http.client.HTTPConnection(place)
        connection.request("GET", STREAM.removeprefix(URL))
        reply = connection.getresponse()
        while line := reply.readline():
            yield "http.client", line.decode()
    else:
        with requests.get(STREAM, stream=True, timeout=60) as reply:
            for line in reply.iter_lines():
                yield f"requests {requests.__version__}", line.decode()


for name, line in lines():
    if "event: player_created" in line:
        threading.Thread(target=send).start()
    if "event: building_started" in line:
        seconds = time.monotonic() - answered[0] if answered else 0
        if seconds > AT_ONCE_SECONDS:
            sys.exit(f"{name} sees an event after {seconds:.2f} s")
        print(f"{name}: an event is seen after {seconds * 1000:.0f} ms")
        break

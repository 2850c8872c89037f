"""Both clients read events of a real world, also through a proxy that breaks connections at random bytes."""

from __future__ import annotations

import os
import threading
import time
import unittest
import uuid
from typing import Any

from galaxyd import Client, GalaxydError, Patience
from galaxyd.operations import (
    cancel_building,
    create_player,
    get_player_events,
    get_state,
    get_world_events,
    upgrade_building,
)

from .proxies import CuttingProxy
from .sides import SHORT, URL, AsyncSide, BlockingSide, Side

SEED = int(os.environ.get("TEST_SEED", 1))
EVENTS = 80
"""What the player of each test experiences, one event for its creation and two for each upgrade that is cancelled."""


class Readers:
    """The tests on either client."""

    class OfClient(unittest.TestCase):
        """Runs in the two classes below."""

        side_class: type[Any]

        def setUp(self) -> None:
            self.client = Client(URL)
            self.addCleanup(self.client.close)
            self.player = self.client.call(create_player(name=f"bot {uuid.uuid4()}", is_bot=True))
            self.player_id = self.player["id"]

        def read(self, url: str, player_id: str | None, since: int | None, count: int, patience: Patience = SHORT) -> list[Any]:
            """Reads some events of a player, or of topic world, with a client of its own."""
            side: Side = self.side_class(url, patience=patience)
            try:
                return side.read(player_id, since, count)
            finally:
                side.close()

        def play(self, events: int) -> None:
            """Starts and cancels upgrades: two events each."""
            planet_id = self.player["planets"][0]["id"]
            for _ in range(events // 2):
                planet = self.client.call(upgrade_building(planet_id=planet_id, building_type="iron_mine"))
                queued = [entry for building in planet["buildings"] for entry in building["constructionQueue"]]
                self.client.call(cancel_building(planet_id=planet_id, queue_id=queued[0]["queueId"]))

        def kept(self, since: int, count: int) -> list[Any]:
            """The server's own sequence."""
            events: list[Any] = []
            while len(events) < count:
                events += self.client.call(get_player_events(self.player_id, since=since + len(events)))["events"]
            return events

        def test_the_sequence_through_broken_connections_is_that_of_the_server(self) -> None:
            proxy = CuttingProxy(URL, SEED, bytes_max=2_500)
            self.addCleanup(proxy.close)
            playing = threading.Thread(target=self.play, args=(EVENTS,))
            playing.start()
            received = self.read(proxy.url, self.player_id, 0, EVENTS + 1)
            playing.join()
            self.assertEqual(received, self.kept(0, EVENTS + 1), f"TEST_SEED={SEED}")
            self.assertEqual([event["seq"] for event in received], list(range(1, EVENTS + 2)))
            self.assertGreater(proxy.connections, 5, "connections were broken")

        def test_reading_begins_after_the_event_that_a_state_names(self) -> None:
            self.play(4)
            since = self.client.call(get_state(self.player_id))["lastEventSeq"]
            self.play(2)
            events = self.read(URL, self.player_id, since, 2)
            self.assertEqual([event["type"] for event in events], ["building_started", "building_cancelled"])
            self.assertEqual(events[0]["seq"], since + 1)

        def test_without_a_seq_it_begins_after_the_newest_event(self) -> None:
            self.play(2)
            ended = threading.Event()

            def play_on() -> None:
                while not ended.wait(0.02):
                    self.play(2)

            playing = threading.Thread(target=play_on)
            playing.start()
            [event] = self.read(URL, self.player_id, None, 1)
            ended.set()
            playing.join()
            self.assertGreater(event["seq"], 3)

        def test_events_beyond_the_last_one_have_expired(self) -> None:
            with self.assertRaises(GalaxydError) as caught:
                self.read(URL, self.player_id, 1_000, 1)
            self.assertEqual((caught.exception.code, caught.exception.status), ("events_expired", 410))
            self.assertEqual(caught.exception.oldest_seq, 1)

        def test_the_world_has_events_of_its_own(self) -> None:
            since = self.client.call(get_world_events())["lastSeq"]
            other = self.client.call(create_player(name=f"bot {uuid.uuid4()}", is_bot=True))
            [event] = self.read(URL, None, since, 1)
            self.assertEqual((event["type"], event["playerId"]), ("player_joined", other["id"]))

        def test_a_world_that_is_not_there_is_reported(self) -> None:
            with self.assertRaisesRegex(GalaxydError, "^no_reply: "):
                self.read("http://127.0.0.1:1", self.player_id, 0, 1, Patience(deadline_seconds=0.2))

        def test_a_long_poll_waits_longer_than_an_attempt_may_take(self) -> None:
            impatient = Client(URL, patience=Patience(attempt_seconds=0.2, attempts_max=1))
            self.addCleanup(impatient.close)
            began = time.monotonic()
            page = impatient.call(get_player_events(self.player_id, since=1, wait=1))
            self.assertEqual((page["events"], page["lastSeq"]), ([], 1))
            self.assertGreaterEqual(time.monotonic() - began, 0.9)


class ClientReaders(Readers.OfClient):
    """The client for threads."""

    side_class = BlockingSide


class AsyncClientReaders(Readers.OfClient):
    """The client for asyncio."""

    side_class = AsyncSide

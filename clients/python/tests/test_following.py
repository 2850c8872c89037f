"""Reading events without a network: the parser of streams, and what a reader does when a stream ends."""

from __future__ import annotations

import json
import random
import unittest
from typing import Any

from galaxyd import GalaxydError, Patience
from galaxyd.calls import HttpResponse
from galaxyd.conversation import Conversations
from galaxyd.following import OUTAGE_SECONDS_MAX, EventStreamParser, Following, ServerSentEvent
from galaxyd.reply_cache import CacheLimits

STREAM = """: keep-alive

id: 1
event: building_started
data: {"seq": 1}

event:a\rdata:  two\rdata: lines\r\rdata\r\n\r\n: \u00e4\n\ndata: \u00fc\n\ndata: not complete\n"""
MESSAGES = [
    ServerSentEvent("building_started", '{"seq": 1}'),
    ServerSentEvent("a", " two\nlines"),
    ServerSentEvent("message", ""),
    ServerSentEvent("message", "\u00fc"),
]


def event(seq: int, name: str = "building_started") -> bytes:
    """An event as the server sends it."""
    return f"id: {seq}\nevent: {name}\ndata: {json.dumps({'seq': seq})}\n\n".encode()


class EventStreamTests(unittest.TestCase):
    """The parser."""

    def test_messages_are_found_however_the_stream_is_cut(self) -> None:
        stream = STREAM.encode()
        cuts = [[1] * len(stream), [len(stream)], *([random.Random(seed).randrange(1, 9)] * 99 for seed in range(99))]
        for sizes in cuts:
            parser = EventStreamParser()
            found: list[ServerSentEvent] = []
            begin = 0
            for size in sizes:
                found += parser.feed(stream[begin : begin + size])
                begin += size
            found += parser.feed(stream[begin:])
            self.assertEqual(found, MESSAGES)

    def test_a_message_without_an_end_is_bounded(self) -> None:
        for part in (b"x" * 100_000, b"data: " + b"x" * 100_000 + b"\n"):
            parser = EventStreamParser()
            with self.assertRaises(GalaxydError):
                for _ in range(100):
                    parser.feed(part)


class FollowingTests(unittest.TestCase):
    """A reader, stepped by hand with a clock of its own."""

    def setUp(self) -> None:
        self.now = 0.0
        conversations = Conversations("key-1", Patience(), CacheLimits(10, 1_000), lambda: self.now)
        self.following = Following(conversations, "/api/event/player/player-1/stream", 7)

    def feed(self, part: bytes) -> list[Any]:
        """The seqs of the events in a part."""
        return [happened["seq"] for happened in self.following.feed(part)]

    def test_what_is_no_event_is_a_galaxyd_error(self) -> None:
        for text in (b"{}", b'{"seq": "9"}', b"[" * 200_000):
            with self.subTest(text[:20]), self.assertRaisesRegex(GalaxydError, "^not_galaxyd: "):
                self.feed(b"data: " + text + b"\n\n")

    def test_each_event_is_told_once_and_the_next_stream_continues_after_the_last(self) -> None:
        first = self.following.request()
        self.assertEqual(first.path, "/api/event/player/player-1/stream?since=7")
        self.assertEqual(first.headers["authorization"], "Bearer key-1")
        self.following.opened()
        self.assertEqual(self.feed(event(8) + event(9) + event(10)[:-1]), [8, 9])
        self.following.lost("reset")
        self.assertEqual(self.following.request().path, "/api/event/player/player-1/stream?since=9")
        self.following.opened()
        self.assertEqual(self.feed(event(9) + event(10)), [10], "the half event of the lost stream is forgotten")

    def test_a_gap_is_an_error(self) -> None:
        self.following.opened()
        with self.assertRaises(GalaxydError):
            self.feed(event(9))

    def test_a_restored_world_counts_on_from_far_above(self) -> None:
        self.following.opened()
        self.assertEqual(self.feed(event(2**32 + 9) + event(2**32 + 10)), [2**32 + 9, 2**32 + 10])
        self.following.lost("reset")
        path = self.following.request().path
        self.assertEqual(path, f"/api/event/player/player-1/stream?since={2**32 + 10}")
        self.following.opened()
        with self.assertRaises(GalaxydError):
            self.feed(event(2**32 + 12))

    def test_the_reason_of_an_end_may_ask_for_a_pause(self) -> None:
        self.following.opened()
        self.feed(b'event: error\ndata: {"code": "slow_reader", "status": 503, "retryAfterMs": 2000}\n\n')
        self.assertGreaterEqual(self.following.lost("ended"), 2)
        self.assertLess(self.following.lost("ended"), 2)

    def test_a_refusal_that_persists_is_raised(self) -> None:
        expired = json.dumps({"code": "events_expired", "detail": "", "oldestSeq": 40}).encode()
        with self.assertRaises(GalaxydError) as caught:
            self.following.refused(HttpResponse(410, {}, expired))
        self.assertEqual((caught.exception.code, caught.exception.oldest_seq), ("events_expired", 40))
        busy = json.dumps({"code": "overloaded", "detail": "", "retryAfterMs": 1500}).encode()
        self.assertGreaterEqual(self.following.refused(HttpResponse(503, {}, busy)), 1.5)

    def test_a_world_that_was_never_reached_is_given_up_sooner_than_one_that_was(self) -> None:
        def outage_seconds() -> float:
            began = self.now
            with self.assertRaisesRegex(GalaxydError, "^no_reply: "):
                while True:
                    self.now += self.following.lost("refused")
            return self.now - began

        self.assertLess(outage_seconds(), 61)
        with self.assertRaisesRegex(GalaxydError, "^no_reply: GET .*: no server answers at .*: refused$"):
            self.following.lost("refused", is_unreachable=True)
        self.following.opened()
        self.assertGreater(outage_seconds(), OUTAGE_SECONDS_MAX - 6)

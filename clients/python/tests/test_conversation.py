"""What a client says and how long it waits, without a network: a conversation is stepped by hand, with a clock of its
own."""

from __future__ import annotations

import json
import unittest
from collections.abc import Mapping
from typing import Any, get_type_hints

from galaxyd import Client, GalaxydError, Patience, operations
from galaxyd.calls import Call, HttpRequest, HttpResponse, Method, batch_of, outcomes_of, path_of, with_query
from galaxyd.conversation import Conversation, Conversations, NoReply, Pause
from galaxyd.patience import RateLimit, asked_pause_seconds
from galaxyd.reply_cache import CacheLimits, ReplyCache

TIME = {"x-world-time": "2000-01-01T00:00:00.000Z", "content-type": "application/json"}


def response(status: int, body: Any = None, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """A response with a JSON body."""
    return HttpResponse(status, TIME | dict(headers or {}), json.dumps(body).encode())


class ConversationTests(unittest.TestCase):
    """Steps of a conversation."""

    def setUp(self) -> None:
        self.now = 0.0
        self.conversations = Conversations("key-1", Patience(), CacheLimits(10, 1_000), lambda: self.now)

    def begin(self, method: Method, path: str, **options: Any) -> Conversation[Any]:
        """A conversation about a call."""
        call: Call[Any] = Call(method, path)
        return self.conversations.begin(call, **options)

    def next_request(self, step: HttpRequest | Pause) -> HttpRequest:
        """The step, which must be a request."""
        assert isinstance(step, HttpRequest), step
        return step

    def seconds(self, step: HttpRequest | Pause) -> float:
        """Passes the time of a step, which must be a pause."""
        assert isinstance(step, Pause), step
        self.now += step.seconds
        return step.seconds

    def end(self, conversation: Conversation[Any], last: HttpResponse) -> Any:
        """The reply that a conversation ends with."""
        with self.assertRaises(StopIteration) as ended:
            conversation.send(last)
        return ended.exception.value

    def test_a_reply_of_a_stranger_is_a_galaxyd_error_whatever_it_says(self) -> None:
        deep = b"[" * 200_000
        for strange in (
            HttpResponse(200, TIME, deep),
            HttpResponse(400, TIME, deep),
            response(200, {}, {"x-world-time": "yesterday"}),
            response(200, {}, {"x-world-time": "2000-01-01T00:00:00"}),
        ):
            with self.subTest(strange.status, headers=strange.headers), self.assertRaisesRegex(GalaxydError, "^not_galaxyd: "):
                talk = self.begin("GET", "/api/status")
                next(talk)
                talk.send(strange)

    def test_numbers_of_a_stranger_are_waited_for_or_end_the_call(self) -> None:
        digits = "9" * 400
        for body, headers in (
            ({"code": "x", "retryAfterMs": int(digits)}, {}),
            ({"code": "x", "retryAfterMs": -1}, {}),
            ({"code": "x"}, {"retry-after": digits}),
            ({"code": "x"}, {"retry-after": "Mon, 01 Jan 99999999999 00:00:00 GMT"}),
        ):
            with self.subTest(body, headers=headers):
                seconds = asked_pause_seconds(response(503, body, headers), body)
                self.assertGreaterEqual(seconds, 0)
        limited = RateLimit(lambda: self.now)
        limited.learn(response(200, {}, {"ratelimit": '"a";r=0', "ratelimit-policy": f'"a";q=1;w={digits}'}))
        self.assertGreater(limited.reserve(1), 1_000_000)

    def test_a_put_is_sent_again_with_the_same_key_and_is_no_read(self) -> None:
        talk_path = "/api/plan/planet/planet-1-0-26"
        talk = self.begin("PUT", talk_path)
        first = self.next_request(next(talk))
        self.assertGreaterEqual(self.seconds(talk.throw(NoReply("reset", was_reused=False))), 0)
        second = self.next_request(talk.send(None))
        self.assertEqual((first.method, second.method), ("PUT", "PUT"))
        self.assertEqual(first.headers["idempotency-key"], second.headers["idempotency-key"])
        self.end(talk, response(200, {}, {"etag": 'W/"1"'}))
        self.assertNotIn("if-none-match", self.next_request(next(self.begin("GET", talk_path))).headers)

    def test_who_has_never_reached_a_server_learns_soon_that_none_is_there(self) -> None:
        def seconds_without() -> float:
            began, talk = self.now, self.begin("POST", "/api/game/player")
            with self.assertRaisesRegex(GalaxydError, "^no_reply: POST /api/game/player: .*refused$") as caught:
                next(talk)
                while True:
                    self.seconds(talk.throw(NoReply("refused", was_reused=False, is_unreachable=True)))
                    talk.send(None)
            self.said = str(caught.exception)
            return self.now - began

        self.assertLessEqual(seconds_without(), 2)
        self.assertIn("no server answers at ", self.said)
        self.conversations.servers.note("1")
        self.assertGreater(seconds_without(), 2)

    def test_a_key_in_flight_is_retried_with_the_same_key(self) -> None:
        talk = self.begin("POST", "/api/batch")
        first = self.next_request(next(talk))
        pause = talk.send(response(409, {"code": "idempotency_key_in_flight", "detail": "", "retryAfterMs": 100}))
        self.assertGreaterEqual(self.seconds(pause), 0.1)
        second = self.next_request(talk.send(None))
        self.assertEqual(first.headers["idempotency-key"], second.headers["idempotency-key"])
        self.assertEqual(self.end(talk, response(200, {})).attempts, 2)

    def test_other_conflicts_are_not_retried(self) -> None:
        talk = self.begin("POST", "/api/building/upgrade")
        next(talk)
        with self.assertRaises(GalaxydError) as caught:
            talk.send(response(409, {"code": "upgrade_in_progress", "detail": "", "inProgress": {"queueId": "q"}}))
        self.assertEqual(caught.exception.facts["inProgress"], {"queueId": "q"})

    def test_an_exhausted_rate_limit_delays_the_next_request(self) -> None:
        first = self.begin("GET", "/api/status")
        next(first)
        policy = {"ratelimit-policy": '"requests";q=1000;w=10', "ratelimit": '"burst";r=9;t=1, "requests";r=0;t=10'}
        self.end(first, response(200, {}, policy))
        second = self.begin("GET", "/api/status")
        # Not ten seconds: the bucket is full then, and has the first token after a hundredth of one.
        self.assertAlmostEqual(self.seconds(next(second)), 0.01)
        self.end_after_request(second)

    def test_a_batch_waits_for_as_many_tokens_as_it_has_operations(self) -> None:
        first = self.begin("GET", "/api/status")
        next(first)
        self.end(first, response(200, {}, {"ratelimit-policy": '"r";q=50;w=5', "ratelimit": '"r";r=20;t=3'}))
        batch = self.conversations.begin(batch_of([Call("GET", "/api/status")] * 30))
        self.assertAlmostEqual(self.seconds(next(batch)), 1)
        self.next_request(batch.send(None))
        larger = self.conversations.begin(batch_of([Call("GET", "/api/status")] * 100))
        self.assertAlmostEqual(self.seconds(next(larger)), 5, msg="no more than the bucket can hold")

    def test_a_limit_without_a_policy_is_open_when_it_says_so(self) -> None:
        first = self.begin("GET", "/api/status")
        next(first)
        self.end(first, response(200, {}, {"ratelimit": '"requests";r=0;t=3'}))
        second = self.begin("GET", "/api/status")
        self.assertAlmostEqual(self.seconds(next(second)), 3)
        self.end_after_request(second)

    def end_after_request(self, conversation: Conversation[Any]) -> None:
        """Sends the request of a conversation and ends it without a limit."""
        self.next_request(conversation.send(None))
        self.end(conversation, response(200, {}))

    def test_another_key_has_its_own_rate_limit_and_cache(self) -> None:
        first = self.begin("GET", "/api/status")
        next(first)
        self.end(first, response(200, {}, {"ratelimit": '"requests";r=0;t=3', "etag": 'W/"1"'}))
        self.conversations = self.conversations.for_key("key-2")
        other = self.begin("GET", "/api/status")
        request = self.next_request(next(other))
        self.assertEqual(request.headers["authorization"], "Bearer key-2")
        self.assertNotIn("if-none-match", request.headers)

    def test_a_pause_beyond_the_deadline_is_not_begun(self) -> None:
        talk = self.begin("GET", "/api/status", deadline_seconds=30)
        next(talk)
        with self.assertRaises(GalaxydError) as caught:
            talk.send(response(429, {"code": "rate_limited", "detail": ""}, {"retry-after": "31"}))
        self.assertEqual((caught.exception.code, caught.exception.status), ("rate_limited", 429))

    def test_an_attempt_gets_no_more_than_the_time_left(self) -> None:
        talk = self.begin("GET", "/api/status", deadline_seconds=12)
        self.assertEqual(self.next_request(next(talk)).timeout_seconds, 10)
        self.now += 10
        self.seconds(talk.throw(NoReply("timeout", was_reused=False)))
        self.assertLessEqual(self.next_request(talk.send(None)).timeout_seconds, 2)

    def test_attempts_are_counted(self) -> None:
        talk = self.begin("GET", "/api/status")
        next(talk)
        with self.assertRaisesRegex(GalaxydError, "^no_reply: "):
            for _ in range(20):
                self.seconds(talk.throw(NoReply("reset", was_reused=False)))
                talk.send(None)

    def test_pauses_grow_at_random_up_to_a_maximum(self) -> None:
        patience = Patience(pause_base_seconds=0.1, pause_max_seconds=5)
        longest = [patience.pause_seconds(attempts, 0, lambda: 1.0) for attempts in range(1, 9)]
        self.assertEqual(longest, [0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5])
        self.assertEqual(patience.pause_seconds(3, 0, lambda: 0.0), 0)
        self.assertEqual(patience.pause_seconds(10_000, 60, lambda: 0.5), 62.5)

    def test_a_batch_whose_results_are_missing_too_few_or_strange_is_a_galaxyd_error(self) -> None:
        for body in (None, {}, {"results": {}}, {"results": []}, {"results": [None]}, {"results": [{"status": "200"}]}):
            with self.subTest(body), self.assertRaisesRegex(GalaxydError, "^not_galaxyd: "):
                outcomes_of(body, 1)

    def test_a_text_is_a_text(self) -> None:
        talk = self.begin("GET", "/api/brief/player/player-1")
        next(talk)
        reply = self.end(
            talk, HttpResponse(200, TIME | {"content-type": "text/markdown; charset=utf-8"}, "# Ädä".encode())
        )
        self.assertEqual(reply.body, "# Ädä")

    def test_a_page_of_something_else_is_not_a_reply(self) -> None:
        talk = self.begin("GET", "/api/status")
        next(talk)
        with self.assertRaisesRegex(GalaxydError, "^not_galaxyd: "):
            talk.send(HttpResponse(200, {"content-type": "text/html"}, b"<h1>Log in</h1>"))


class PathTests(unittest.TestCase):
    """Nothing in an argument leaves its place in a request."""

    def test_an_argument_stays_in_its_segment(self) -> None:
        self.assertEqual(
            path_of("/api/game/state/{player_id}", player_id="../a b?c#d"), "/api/game/state/..%2Fa%20b%3Fc%23d"
        )
        self.assertEqual(with_query("/api", since=None, limit=5), "/api?limit=5")

    def test_a_path_cannot_hold_a_header(self) -> None:
        for path in ("api", "/api HTTP/1.1\r\nx: y", "/ä", ""):
            with self.assertRaises(ValueError):
                Call("GET", path)

    def test_a_key_cannot_hold_a_header_and_is_not_printed(self) -> None:
        with self.assertRaises(ValueError):
            Client("http://127.0.0.1", "key\r\nx: y")
        self.assertNotIn("secret-key", repr(Client("http://127.0.0.1", "secret-key")))

    def test_only_the_url_of_a_world_is_taken(self) -> None:
        for url in ("127.0.0.1:3000", "ftp://a", "http://user@a", "http://a?b", "http://"):
            with self.assertRaises(ValueError):
                Client(url)


class OperationTests(unittest.TestCase):
    """The generated module, as type checkers read it."""

    def test_every_name_in_the_types_of_an_operation_is_known(self) -> None:
        made = [value for value in vars(operations).values() if getattr(value, "__module__", "") == operations.__name__]
        self.assertGreater(len(made), 30)
        for operation in made:
            self.assertIn("return", get_type_hints(operation), operation.__name__)


class CacheTests(unittest.TestCase):
    """The bounds of the cache."""

    def test_the_least_recently_used_reply_is_dropped(self) -> None:
        cache = ReplyCache(CacheLimits(2, 100))
        for path in ("/a", "/b"):
            cache.keep(path, path, HttpResponse(200, {}, b"x"))
        cache.find("/a")
        cache.keep("/c", "/c", HttpResponse(200, {}, b"x"))
        self.assertEqual([cache.find(path) is not None for path in ("/a", "/b", "/c")], [True, False, True])

    def test_bytes_are_bounded(self) -> None:
        cache = ReplyCache(CacheLimits(100, 10))
        cache.keep("/a", "1", HttpResponse(200, {}, b"123456"))
        cache.keep("/b", "1", HttpResponse(200, {}, b"123456"))
        self.assertIsNone(cache.find("/a"))
        cache.keep("/b", "2", HttpResponse(200, {}, b"12345678901"))
        self.assertIsNone(cache.find("/b"), "an old reply does not stay for a new one that is too large")

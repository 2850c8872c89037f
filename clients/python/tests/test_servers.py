"""Both clients against a world that several servers serve, of which one leads."""

from __future__ import annotations

import os
import socket
import unittest
import uuid
from typing import Any

from galaxyd import Call, GalaxydError, Patience
from galaxyd.calls import HttpRequest, HttpResponse
from galaxyd.conversation import Conversations
from galaxyd.following import Following
from galaxyd.operations import create_player, get_state
from galaxyd.reply_cache import CacheLimits
from galaxyd.servers import Servers

from .proxies import CutAfter, FaultyProxy, Refuse
from .sides import SHORT, URL, AsyncSide, BlockingSide, Side

STANDBY_URL, _, LEADER_URL = os.environ.get("GALAXYD_REPLICAS", f"{URL},{URL}").partition(",")


def newcomer() -> Call[Any]:
    """Creates a player with a name of its own."""
    return create_player(name=f"bot {uuid.uuid4()}", is_bot=True)


def silent_url() -> str:
    """Nobody listens there."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{unused.getsockname()[1]}"


class Tests:
    """The tests on either client."""

    class OfServers(unittest.TestCase):
        """Runs in the two classes below."""

        side_class: type[Any]

        def side(self, urls: str | list[str], **options: Any) -> Side:
            """A client of these servers."""
            side: Side = self.side_class(urls, patience=SHORT, **options)
            self.addCleanup(side.close)
            return side

        def proxy(self, upstream: str) -> FaultyProxy:
            """A proxy that ends with the test."""
            proxy = FaultyProxy(upstream)
            self.addCleanup(proxy.close)
            return proxy

        def test_commands_go_to_the_leader_and_reads_see_them(self) -> None:
            side = self.side([silent_url(), STANDBY_URL, LEADER_URL])
            for _ in range(5):
                player = side.call(newcomer())
                self.assertEqual(side.call(get_state(player["id"]))["id"], player["id"])

        def test_a_command_whose_reply_is_lost_is_repeated_at_another_server(self) -> None:
            first, second = self.proxy(LEADER_URL), self.proxy(LEADER_URL)
            first.faults = [CutAfter()]
            reply = self.side([first.url, second.url]).send(newcomer())
            self.assertTrue(reply.is_replayed)
            keys = {headers["idempotency-key"] for proxy in (first, second) for _, _, headers in proxy.requests}
            self.assertEqual((len(first.requests), len(second.requests), len(keys)), (1, 1, 1))

        def test_a_server_that_is_gone_is_forgotten_once_another_one_has_answered(self) -> None:
            proxy = self.proxy(LEADER_URL)
            problem = {"code": "world_paused", "status": 503, "detail": "", "retryAfterMs": 600}
            proxy.faults = [Refuse(503, problem)] * 2
            patience = Patience(pause_base_seconds=0.001, pause_max_seconds=0.01, first_contact_seconds=0.3)
            side: Side = self.side_class([silent_url(), proxy.url], patience=patience)
            self.addCleanup(side.close)
            self.assertEqual(side.send(newcomer()).status, 201)

        def test_a_key_goes_only_to_servers_that_are_named(self) -> None:
            named, other = self.proxy(LEADER_URL), self.proxy(LEADER_URL)
            problem = {"code": "not_leader", "status": 421, "detail": ""}
            there = Refuse(421, problem, {"location": f"{other.url}/api/game/player"})
            named.faults = [there] * SHORT.attempts_max
            with self.assertRaisesRegex(GalaxydError, "^not_leader: "):
                self.side(named.url, api_key="secret").send(newcomer())
            self.assertEqual(other.requests, [])
            named.faults = [there]
            self.side(named.url, api_key="secret", follows_any_leader=True).send(newcomer())
            self.assertEqual(other.requests[0][2]["authorization"], "Bearer secret")

        def test_what_passes_by_itself_is_no_reason_to_give_up(self) -> None:
            for code in ("no_leader", "recovering", "world_paused"):
                with self.subTest(code):
                    proxy = self.proxy(LEADER_URL)
                    problem = {"code": code, "status": 503, "detail": "", "retryAfterMs": 1}
                    proxy.faults = [Refuse(503, problem)] * (SHORT.attempts_max * 3)
                    self.assertEqual(self.side(proxy.url).send(newcomer()).status, 201)


class BlockingServersTests(Tests.OfServers):
    """On the client for threads."""

    side_class = BlockingSide


class AsyncServersTests(Tests.OfServers):
    """On the client for asyncio."""

    side_class = AsyncSide


class ServersTests(unittest.TestCase):
    """Which server is next."""

    def test_the_leader_is_remembered_and_left_if_it_is_gone(self) -> None:
        servers = Servers(["http://a.example/", "http://B.example:80"])
        self.assertEqual(servers.urls, ("http://a.example", "http://b.example"))
        self.assertTrue(servers.referred("http://a.example", "http://b.example/api/x?y=1", "/api/x?y=1"))
        self.assertEqual((servers.present, servers.leader), ("http://a.example", "http://b.example"))
        servers.failed("http://b.example")
        self.assertEqual(servers.leader, "http://a.example")
        self.assertFalse(servers.referred("http://a.example", "http://a.example.evil/api/x", "/api/x"))
        self.assertEqual(servers.leader, "http://b.example")

    def test_a_leader_that_is_not_named_is_followed_on_demand(self) -> None:
        servers = Servers("https://a.example", follows_any_leader=True)
        for wrong in ("http://b.example/api/x", "ftp://b.example/api/x", "nonsense", "https://u@b.example/api/x", None):
            self.assertFalse(servers.referred("https://a.example", wrong, "/api/x"), wrong)
        self.assertTrue(servers.referred("https://a.example", "https://b.example/one/api/x", "/api/x"))
        self.assertEqual(servers.leader, "https://b.example/one")

    def test_at_least_one_server_must_be_named(self) -> None:
        with self.assertRaises(ValueError):
            Servers([])

    def test_a_reader_of_events_continues_at_another_server(self) -> None:
        servers = Servers(["http://a.example", "http://b.example"])
        conversations = Conversations(None, Patience(), CacheLimits(10, 1_000), servers=servers)
        following = Following(conversations, "/api/event/world/stream", 7)
        self.assertEqual(following.request().server, "http://a.example")
        following.opened()
        following.lost("the server is gone")
        self.assertEqual(following.request().server, "http://b.example")
        following.refused(HttpResponse(503, {}, b'{"code": "replica_behind", "detail": ""}'))
        self.assertEqual(following.request().server, "http://a.example")

    def test_reads_ask_for_what_was_seen_until_no_server_has_it(self) -> None:
        now = 0.0
        conversations = Conversations(None, Patience(), CacheLimits(10, 1_000), lambda: now, Servers("http://a.example"))
        call: Call[Any] = Call("GET", "/api/leaderboard")
        conversations.servers.note("12")
        talk = conversations.begin(call)
        request = next(talk)
        assert isinstance(request, HttpRequest)
        self.assertEqual(request.headers["x-min-seq"], "12")
        with self.assertRaisesRegex(GalaxydError, "^replica_behind: "):
            talk.send(HttpResponse(503, {}, b'{"code": "replica_behind", "detail": "", "retryAfterMs": 90000}'))
        again = next(conversations.begin(call))
        assert isinstance(again, HttpRequest)
        self.assertNotIn("x-min-seq", again.headers)

"""Both clients against a real world, through a proxy that loses replies."""

from __future__ import annotations

import asyncio
import time
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from galaxyd import AsyncClient, Call, Client, GalaxydError, affordable_at, format_instant, stock_at
from galaxyd.operations import (
    advance_clock,
    cancel_building,
    construct_building,
    create_player,
    get_buildings,
    get_catalog,
    get_planet,
    get_state,
    get_status,
    upgrade_building,
)
from galaxyd.shapes import Planet, Player

from .proxies import CutAfter, CutBefore, FaultyProxy, HangUp, Refuse
from .sides import ADMIN_KEY, LIMITED_URL, SHORT, URL, AsyncSide, BlockingSide, Side


def own(view: Any) -> Planet:
    """A planet that its owner sees."""
    assert view["visibility"] == "full"
    planet: Planet = view
    return planet


class Tests:
    """The tests on either client."""

    class OfClient(unittest.TestCase):
        """Runs in the two classes below."""

        side_class: type[Any]

        def setUp(self) -> None:
            self.proxy = FaultyProxy(URL)
            self.addCleanup(self.proxy.close)
            self.side: Side = self.side_class(self.proxy.url, patience=SHORT)
            self.addCleanup(self.side.close)
            self.operator = Client(URL, ADMIN_KEY)
            self.addCleanup(self.operator.close)
            self.player: Player = self.operator.call(create_player(name=f"bot {uuid.uuid4()}", is_bot=True))
            self.planet = self.player["planets"][0]
            self.upgrade = upgrade_building(planet_id=self.planet["id"], building_type="iron_mine")

        def test_a_command_whose_reply_is_lost_takes_effect_once(self) -> None:
            self.proxy.faults = [CutAfter()]
            reply = self.side.send(self.upgrade)
            self.assertEqual((reply.is_replayed, reply.attempts), (True, 2))
            first, second = (headers["idempotency-key"] for _, _, headers in self.proxy.requests)
            self.assertEqual(first, second)
            self.assertEqual(reply.body["iron"], self.planet["iron"] - 75)
            buildings = self.side.call(get_buildings(self.planet["id"]))
            self.assertEqual(sum(len(building["constructionQueue"]) for building in buildings), 1)

        def test_two_calls_have_two_keys(self) -> None:
            self.side.send(self.upgrade)
            with self.assertRaisesRegex(GalaxydError, "^upgrade_in_progress: "):
                self.side.send(self.upgrade)
            keys = {headers["idempotency-key"] for _, _, headers in self.proxy.requests}
            self.assertEqual(len(keys), 2)

        def test_a_key_of_the_caller_is_sent(self) -> None:
            key = str(uuid.uuid4())
            first = self.side.send(self.upgrade, idempotency_key=key)
            again = self.side.send(self.upgrade, idempotency_key=key)
            self.assertEqual((first.is_replayed, again.is_replayed), (False, True))
            self.assertEqual(first.body, again.body)

        def test_a_connection_that_the_server_has_closed_costs_no_attempt(self) -> None:
            self.proxy.faults = [HangUp()]
            self.side.call(get_catalog())
            reply = self.side.send(self.upgrade)
            self.assertEqual((reply.is_replayed, self.proxy.connections), (False, 2))

        def test_connections_are_kept(self) -> None:
            for _ in range(5):
                self.side.call(get_buildings(self.planet["id"]))
            self.assertEqual(self.proxy.connections, 1)

        def test_a_request_that_never_arrived_is_sent_again(self) -> None:
            self.proxy.faults = [CutBefore(), CutBefore()]
            reply = self.side.send(self.upgrade)
            self.assertEqual((reply.status, reply.is_replayed, reply.attempts), (200, False, 3))

        def test_a_client_waits_as_long_as_it_is_asked_to(self) -> None:
            problem = {"code": "rate_limited", "detail": "Wait.", "retryAfterMs": 150}
            self.proxy.faults = [Refuse(429, problem, {"retry-after": "1"})]
            began = time.monotonic()
            reply = self.side.send(get_state(self.player["id"]))
            self.assertEqual(reply.attempts, 2)
            self.assertGreaterEqual(time.monotonic() - began, 0.15)

        @unittest.skipIf(LIMITED_URL is None, "there is no world with a rate limit")
        def test_a_client_stays_within_its_rate(self) -> None:
            statuses: list[int] = []
            side: Side = self.side_class(LIMITED_URL, observer=lambda _, got: statuses.append(got.status))
            self.addCleanup(side.close)
            began = time.monotonic()
            for _ in range(150):
                side.call(get_status())
            # A hundred at once, the other fifty in half a second; some of it is left to the clock of the server.
            self.assertGreaterEqual(time.monotonic() - began, 0.4)
            self.assertNotIn(429, statuses)
            # What costs more than one token may be refused, and is sent again when the server says so.
            mixed: list[Call[Any]] = [get_status(), get_catalog()]
            self.assertEqual(len(side.send_all(mixed * 20)), 40)

        def test_an_error_of_a_proxy_is_retried_and_then_named(self) -> None:
            self.proxy.faults = [Refuse(503, None), Refuse(502, None)]
            self.assertEqual(self.side.send(get_catalog()).attempts, 3)
            self.proxy.faults = [Refuse(400, None)]
            with self.assertRaises(GalaxydError) as caught:
                self.side.send(get_state("nobody"))
            self.assertEqual((caught.exception.code, caught.exception.status), ("not_galaxyd", 400))

        def test_a_refusal_has_code_and_facts_and_is_not_retried(self) -> None:
            with self.assertRaises(GalaxydError) as caught:
                self.side.call(construct_building(planet_id=self.planet["id"], building_type="planetary_shield"))
            error = caught.exception
            self.assertEqual((error.code, error.status, error.missing), ("insufficient_resources", 422, {"ember": 40}))
            self.assertIsNone(error.affordable_at)
            self.assertIsNotNone(error.request_id)
            self.assertEqual(len(self.proxy.requests), 1)

        def test_a_deadline_ends_a_call(self) -> None:
            self.proxy.faults = [CutAfter() for _ in range(1_000)]
            began = time.monotonic()
            with self.assertRaises(GalaxydError) as caught:
                self.side.send(get_state(self.player["id"]), deadline_seconds=0.05)
            self.assertEqual((caught.exception.code, caught.exception.status), ("no_reply", 0))
            # Without the deadline, ten attempts and their pauses would follow.
            self.assertLess(time.monotonic() - began, 5)

        def test_an_observer_gets_every_attempt(self) -> None:
            seen: list[tuple[str, int]] = []
            side: Side = self.side_class(
                self.proxy.url, patience=SHORT, observer=lambda sent, got: seen.append((sent.path, got.status))
            )
            self.addCleanup(side.close)
            self.proxy.faults = [Refuse(503, None)]
            for _ in range(2):
                side.call(get_catalog())
            self.assertEqual(seen, [("/api/catalog", 503), ("/api/catalog", 200), ("/api/catalog", 304)])

        def test_nobody_there_is_no_reply(self) -> None:
            self.proxy.close()
            with self.assertRaisesRegex(GalaxydError, "^no_reply: "):
                self.side.send(get_catalog(), deadline_seconds=0.2)

        def test_a_reply_that_still_holds_comes_from_the_cache(self) -> None:
            first = self.side.send(get_planet(self.planet["id"]))
            later = first.world_time + timedelta(minutes=90)
            self.operator.call(advance_clock({"to": format_instant(later)}))
            again = self.side.send(get_planet(self.planet["id"]))
            self.assertEqual((first.is_cached, again.is_cached, again.status), (False, True, 200))
            self.assertEqual(again.body, first.body)
            self.assertEqual((again.world_time, again.as_of), (later, first.world_time))

        def test_waiting_ends_once_the_world_has_reached_the_instant(self) -> None:
            now = self.operator.send(get_catalog()).world_time
            self.side.wait_until(now)
            later = now + timedelta(seconds=5)
            with ThreadPoolExecutor(1) as threads:
                waiting = threads.submit(self.side.wait_until, later)
                self.operator.call(advance_clock({"to": format_instant(later)}))
                waiting.result()
            self.assertGreaterEqual(self.operator.send(get_catalog()).world_time, later)

        def test_a_change_is_not_hidden_by_the_cache(self) -> None:
            self.side.send(get_planet(self.planet["id"]))
            self.side.call(self.upgrade)
            again = self.side.send(get_planet(self.planet["id"]))
            self.assertFalse(again.is_cached)
            self.assertEqual(own(again.body)["iron"], self.planet["iron"] - 75)

        def test_stocks_between_reads_are_those_of_the_server(self) -> None:
            first = self.side.send(get_planet(self.planet["id"]))
            for seconds in (1, 59, 61, 3_599, 12_345, 86_400):
                instant = self.operator.send(get_catalog()).world_time + timedelta(seconds=seconds)
                self.operator.call(advance_clock({"to": format_instant(instant)}))
                with Client(URL) as without_cache:
                    actual: Any = without_cache.call(get_planet(self.planet["id"]))
                for name, units in stock_at(own(first.body), first.as_of, instant).items():
                    # Both are rounded down; the fractions that the reply does not show may make one unit more.
                    self.assertIn(actual[name] - units, (0, 1), f"{name} after {seconds} s")

        def test_the_instant_at_which_a_cost_is_covered_is_that_of_the_stocks(self) -> None:
            reply = self.side.send(get_planet(self.planet["id"]))
            planet = own(reply.body)
            at = affordable_at(planet, reply.as_of, {"iron": 1_000, "silver": 700})
            assert at is not None
            before = stock_at(planet, reply.as_of, at - timedelta(milliseconds=1))
            after = stock_at(planet, reply.as_of, at)
            self.assertEqual((before["iron"] >= 1_000 and before["silver"] >= 700), False)
            self.assertEqual((after["iron"] >= 1_000 and after["silver"] >= 700), True)
            self.assertIsNone(affordable_at(planet, reply.as_of, {"ember": 1}))
            self.assertIsNone(affordable_at(planet, reply.as_of, {"h2": 1e12}), "after the end of world time")
            self.assertEqual(affordable_at(planet, reply.as_of, {}), reply.as_of)

        def test_a_batch_has_an_outcome_for_each_call(self) -> None:
            self.proxy.faults = [CutAfter()]
            started, refused, state = self.side.batch([self.upgrade, self.upgrade, get_state(self.player["id"])])
            self.assertEqual(started.body["iron"], self.planet["iron"] - 75)
            self.assertEqual((refused.status, getattr(refused.error, "code", None)), (409, "upgrade_in_progress"))
            with self.assertRaises(GalaxydError):
                _ = refused.body
            self.assertEqual(state.body["id"], self.player["id"])

        def test_a_minimal_batch_has_short_replies_and_codes(self) -> None:
            state = get_state(self.player["id"])
            started, refused, read = self.side.batch([self.upgrade, self.upgrade, state], is_minimal=True)
            self.assertEqual(started.body["resources"]["iron"], self.planet["iron"] - 75)
            self.assertEqual(getattr(refused.error, "code", None), "upgrade_in_progress")
            self.assertEqual((read.status, read.error), (200, None))
            with self.assertRaisesRegex(GalaxydError, "^missing_body: "):
                _ = read.body

        def test_a_minimal_command_has_a_short_reply(self) -> None:
            started = self.side.send(self.upgrade.minimal)
            self.assertEqual(started.headers["preference-applied"], "return=minimal")
            self.assertEqual(sorted(started.body), ["finishAt", "queueId", "resources"])
            planet = self.side.send(cancel_building(planet_id=self.planet["id"], queue_id=started.body["queueId"])).body
            self.assertEqual(planet["iron"], self.planet["iron"])

        def test_calls_can_run_at_the_same_time(self) -> None:
            self.proxy.faults = [CutAfter(), CutBefore(), HangUp(), CutAfter()]
            replies = self.side.send_all([get_state(self.player["id"])] * 100)
            self.assertEqual({reply.body["id"] for reply in replies}, {self.player["id"]})


class ClientTests(Tests.OfClient):
    """The client for threads."""

    side_class = BlockingSide


class AsyncClientTests(Tests.OfClient):
    """The client for asyncio."""

    side_class = AsyncSide

    def test_a_cancelled_call_leaves_no_half_read_connection(self) -> None:
        async def cancel_and_call() -> list[bool]:
            answers = []
            async with AsyncClient(self.proxy.url) as client:
                await client.call(get_catalog())
                for turns in range(12):
                    task = asyncio.create_task(client.send(get_state(self.player["id"])))
                    for _ in range(turns):
                        await asyncio.sleep(0)
                    task.cancel()
                    await asyncio.wait([task])
                    answers.append((await client.send(get_planet(self.planet["id"]))).body["id"] == self.planet["id"])
            return answers

        self.assertEqual(asyncio.run(cancel_and_call()), [True] * 12)

"""Both clients behind one blocking face, so that each test is written once and runs on both."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from datetime import datetime
from typing import Any, Protocol

from galaxyd import AsyncClient, Call, Client, Outcome, Patience, Reply
from galaxyd.calls import Body

URL = os.environ.get("GALAXYD_URL", "http://127.0.0.1:3000")
LIMITED_URL = os.environ.get("GALAXYD_LIMITED_URL")
"""A world that accepts 100 requests per second, and 100 at once."""
ADMIN_KEY = os.environ.get("GALAXYD_ADMIN_KEY", "let-me-advance-time")
SHORT = Patience(pause_base_seconds=0.001, pause_max_seconds=0.01)


class Side(Protocol):
    """What a test uses of a client."""

    def call(self, call: Call[Body]) -> Body:
        """See Client.call."""

    def send(self, call: Call[Body], **options: Any) -> Reply[Body]:
        """See Client.send."""

    def send_all(self, calls: Sequence[Call[Body]]) -> list[Reply[Body]]:
        """Sends calls at the same time."""

    def batch(self, calls: Sequence[Call[Any]], **options: Any) -> list[Outcome[Any]]:
        """See Client.batch."""

    def wait_until(self, instant: datetime) -> None:
        """See Client.wait_until."""

    def read(self, player_id: str | None, since: int | None, count: int) -> list[Any]:
        """Reads some events of a player, or of topic world."""

    def close(self) -> None:
        """See Client.close."""


class BlockingSide(Client):
    """The client for threads."""

    def send_all(self, calls: Sequence[Call[Body]]) -> list[Reply[Body]]:
        with ThreadPoolExecutor(8) as threads:
            return list(threads.map(self.send, calls))

    def read(self, player_id: str | None, since: int | None, count: int) -> list[Any]:
        reader: Any = self.world_events(since) if player_id is None else self.events(player_id, since)
        with closing(reader) as events:
            return [next(events) for _ in range(count)]


class AsyncSide:
    """The client for asyncio, with an event loop of its own."""

    def __init__(self, url: str | list[str], **options: Any) -> None:
        self.runner = asyncio.Runner()
        self.client = AsyncClient(url, **options)

    def call(self, call: Call[Body]) -> Body:
        return self.runner.run(self.client.call(call))

    def send(self, call: Call[Body], **options: Any) -> Reply[Body]:
        return self.runner.run(self.client.send(call, **options))

    def send_all(self, calls: Sequence[Call[Body]]) -> list[Reply[Body]]:
        async def all_replies() -> list[Reply[Body]]:
            return list(await asyncio.gather(*(self.client.send(call) for call in calls)))

        return self.runner.run(all_replies())

    def batch(self, calls: Sequence[Call[Any]], **options: Any) -> list[Outcome[Any]]:
        return self.runner.run(self.client.batch(calls, **options))

    def wait_until(self, instant: datetime) -> None:
        self.runner.run(self.client.wait_until(instant))

    def read(self, player_id: str | None, since: int | None, count: int) -> list[Any]:
        async def read_some() -> list[Any]:
            reader = self.client.world_events(since) if player_id is None else self.client.events(player_id, since)
            async with aclosing(reader) as events:
                return [await anext(events) for _ in range(count)]

        return self.runner.run(read_some())

    def close(self) -> None:
        self.runner.run(self.client.close())
        self.runner.close()

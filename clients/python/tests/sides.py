"""Both clients behind one blocking face, so that each test is written once and runs on both."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from galaxyd import AsyncClient, Call, Client, Outcome, Reply

Body = TypeVar("Body")

URL = os.environ.get("GALAXYD_URL", "http://127.0.0.1:3000")
LIMITED_URL = os.environ.get("GALAXYD_LIMITED_URL")
"""A world that accepts 100 requests per second, and 100 at once."""
ADMIN_KEY = os.environ.get("GALAXYD_ADMIN_KEY", "let-me-advance-time")


class Side(Protocol):
    """What a test uses of a client."""

    def call(self, call: Call[Body]) -> Body:
        """As Client.call."""

    def send(self, call: Call[Body], **options: Any) -> Reply[Body]:
        """As Client.send."""

    def send_all(self, calls: Sequence[Call[Body]]) -> list[Reply[Body]]:
        """Sends calls at the same time."""

    def batch(self, calls: Sequence[Call[Any]], **options: Any) -> list[Outcome[Any]]:
        """As Client.batch."""

    def close(self) -> None:
        """As Client.close."""


class BlockingSide:
    """The client for threads."""

    def __init__(self, url: str, **options: Any) -> None:
        self.client = Client(url, **options)

    def call(self, call: Call[Body]) -> Body:
        return self.client.call(call)

    def send(self, call: Call[Body], **options: Any) -> Reply[Body]:
        return self.client.send(call, **options)

    def send_all(self, calls: Sequence[Call[Body]]) -> list[Reply[Body]]:
        with ThreadPoolExecutor(8) as threads:
            return list(threads.map(self.client.send, calls))

    def batch(self, calls: Sequence[Call[Any]], **options: Any) -> list[Outcome[Any]]:
        return self.client.batch(calls, **options)

    def close(self) -> None:
        self.client.close()


class AsyncSide:
    """The client for asyncio, with an event loop of its own."""

    def __init__(self, url: str, **options: Any) -> None:
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

    def close(self) -> None:
        self.runner.run(self.client.close())
        self.runner.close()

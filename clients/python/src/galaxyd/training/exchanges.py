"""Requests to a world on this machine, without what a client of a distant server needs: no retries, no cache, and no
Idempotency-Key, since random keys would be a part of the world and make two runs differ. What is sent next is decided by
generators, so that one world and many are driven alike."""

from __future__ import annotations

import json
from collections.abc import Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..calls import HttpRequest, Method
from ..connections import Connection, IdleConnections
from ..errors import GalaxydError, problem_error
from ..networks import Origin, Threads, finished
from .hosts import HostedWorld

REPLY_SECONDS_MAX = 60.0
"""A server on this machine that is silent for longer hangs."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Request:
    """A request with its body as it is sent."""

    method: Method
    path: str
    body: bytes | None = None
    is_minimal: bool = False
    """Asks for a batch reply without long bodies."""


Exchange = Generator[Request, Any, Result]
"""Yields requests, and is resumed with the parsed body of each reply."""


def batch_request(operations: Sequence[Mapping[str, Any]], *, is_minimal: bool = False) -> Request:
    """The request that carries these operations."""
    return Request("POST", "/api/batch", encoded({"operations": operations}), is_minimal)


def encoded(body: Any) -> bytes:
    """A body as it is sent."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


class Wire:
    """One connection to one world. Not safe to use from several threads."""

    def __init__(self, world: HostedWorld, key: str) -> None:
        self._world = world
        self._origin = Origin(world.address, world.port, "", None)
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        self._connection = self._new_connection()
        self._idle = IdleConnections(1)

    def send(self, request: Request) -> None:
        """Sends a request; its reply must be received before the next one is sent."""
        self._connection = self._idle.take() or self._new_connection()
        headers = self._headers | ({"prefer": "return=minimal"} if request.is_minimal else {})
        sent = HttpRequest(request.method, request.path, headers, request.body, REPLY_SECONDS_MAX)
        self._finished(self._connection.send(sent))

    def receive(self) -> Any:
        """Reads the reply. Raises GalaxydError if the request was refused, or there is no reply."""
        response = self._finished(self._connection.receive())
        self._idle.put(self._connection)
        try:
            value = json.loads(response.body)
        except ValueError:
            reason = f"the reply cannot be read: {response.body[:100]!r}"
            raise GalaxydError("not_galaxyd", response.status, reason) from None
        if response.status >= 400:
            raise problem_error(response.status, value)
        return value

    def run(self, exchange: Exchange[Result]) -> Result:
        """Sends the requests of an exchange one after the other, and returns its result."""
        try:
            request = next(exchange)
            while True:
                self.send(request)
                request = exchange.send(self.receive())
        except StopIteration as end:
            result: Result = end.value
            return result

    def close(self) -> None:
        """Closes the connection. The next request opens another one."""
        self._connection.close()
        self._idle.clear()

    def _new_connection(self) -> Connection:
        return Connection(Threads(), self._origin)

    def _finished(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        try:
            return finished(coroutine)
        except OSError as error:
            self.close()
            reason = f"the server of world {self._world.number} does not answer: {error}"
            raise GalaxydError("no_reply", 0, reason) from error

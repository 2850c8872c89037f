"""Requests to a world on this machine, without what a client of a distant server needs: no retries, no cache, and no
Idempotency-Key, since random keys would be a part of the world and make two runs differ. What is sent next is decided by
generators, so that one world and many are driven alike."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..connections import BODY_BYTES_MAX, IDLE_SECONDS_MAX
from ..conversation import error_of
from ..errors import GalaxydError
from .hosts import HostedWorld

REPLY_SECONDS_MAX = 60.0
"""A server on this machine that is silent for longer hangs."""
HEAD_BYTES_MAX = 16 * 1024
_PART_BYTES = 256 * 1024

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Request:
    """A request with its body as it is sent."""

    method: str
    path: str
    body: bytes = b""
    is_minimal: bool = False
    """Asks for a batch reply without bodies."""


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
        self._head = f"host: {world.address}:{world.port}\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n"
        self._socket: socket.socket | None = None
        self._used_at = 0.0
        self._rest = b""

    def send(self, request: Request) -> None:
        """Sends a request; its reply must be received before the next one is sent."""
        prefer = "prefer: return=minimal\r\n" if request.is_minimal else ""
        length = f"content-length: {len(request.body)}\r\n" if request.method == "POST" else ""
        head = f"{request.method} {request.path} HTTP/1.1\r\n{self._head}{prefer}{length}\r\n"
        try:
            self._open().sendall(head.encode() + request.body)
        except OSError as error:
            self._fail(error)

    def receive(self) -> Any:
        """Reads the reply. Raises GalaxydError if the request was refused, or there is no reply."""
        try:
            status, body = self._read()
        except OSError as error:
            self._fail(error)
        self._used_at = time.monotonic()
        try:
            value = json.loads(body)
        except ValueError:
            raise GalaxydError("not_galaxyd", status, f"the reply cannot be read: {body[:100]!r}") from None
        if status >= 400:
            raise error_of(status, value)
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
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _open(self) -> socket.socket:
        # The server closes a connection that is silent for long.
        if self._socket is not None and time.monotonic() - self._used_at > IDLE_SECONDS_MAX:
            self.close()
        if self._socket is None:
            self._socket = socket.create_connection((self._world.address, self._world.port), REPLY_SECONDS_MAX)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._used_at = time.monotonic()
            self._rest = b""
        return self._socket

    def _read(self) -> tuple[int, bytes]:
        data = self._rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            if len(data) > HEAD_BYTES_MAX:
                raise OSError("the head of the reply is too long")
            data += self._part()
        head = data[:end].lower()
        _, _, after = head.partition(b"\r\ncontent-length:")
        digits = after.partition(b"\r\n")[0].strip()
        if not head.startswith(b"http/1.1 ") or not digits.isdigit():
            raise OSError(f"not a reply of galaxyd: {head[:100]!r}")
        length = int(digits)
        if length > BODY_BYTES_MAX:
            raise OSError("the reply is too long")
        start = end + 4
        parts, missing = [data[start : start + length]], length - (len(data) - start)
        while missing > 0:
            part = self._part()
            parts.append(part[:missing])
            missing -= len(part)
        self._rest = b""
        if b"\r\nconnection: close" in head:
            self.close()
        return int(head[9:12]), b"".join(parts)

    def _part(self) -> bytes:
        assert self._socket is not None
        part = self._socket.recv(_PART_BYTES)
        if not part:
            raise OSError("the connection has ended")
        return part

    def _fail(self, error: OSError) -> Any:
        self.close()
        raise GalaxydError("no_reply", 0, f"the server of world {self._world.number} does not answer: {error}") from error

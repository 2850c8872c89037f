"""The two ways to wait. What both clients do is written once, as coroutines over a Network: with EventLoop they suspend their task;
with Threads they block their thread instead and never suspend, so that finished() can run them without an event loop."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

PART_BYTES_MAX = 64 * 1024
"""Bytes that are read at a time."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a world is served."""

    host: str
    port: int
    prefix: str
    """Put before every path; "" unless a proxy serves the world below a path."""
    tls: ssl.SSLContext | None

    @property
    def host_header(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (80 if self.tls is None else 443) else f"{host}:{self.port}"


def origin_of(url: str, tls: ssl.SSLContext | None) -> Origin:
    """Reads a base URL such as "http://127.0.0.1:3000". Raises ValueError if it is not one."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError(f"not the URL of a world: {url!r}")
    if parts.scheme == "http":
        return Origin(parts.hostname, parts.port or 80, parts.path.rstrip("/"), None)
    return Origin(parts.hostname, parts.port or 443, parts.path.rstrip("/"), tls or ssl.create_default_context())


class Channel(Protocol):
    """A connection as bytes. Its coroutines raise OSError, and TimeoutError at `ends_at` of time.monotonic()."""

    async def send(self, data: bytes, ends_at: float) -> None:
        """Sends all of it."""

    async def receive(self, ends_at: float) -> bytes:
        """Reads what there is, at least a byte; b"" at the end."""

    def close(self) -> None:
        """Closes it without waiting."""


class Network(Protocol):
    """Makes channels, and waits."""

    async def connect(self, origin: Origin, ends_at: float) -> Channel:
        """Opens a channel. Raises OSError."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""

    def turns(self, count: int) -> AbstractAsyncContextManager[Any]:
        """Bounds the calls that run at the same time."""


class Threads:
    """Blocks the thread. Threads bound the calls by themselves."""

    async def connect(self, origin: Origin, ends_at: float) -> Channel:
        connection = socket.create_connection((origin.host, origin.port), _left(ends_at))
        try:
            # A body must not wait for the acknowledgement of the part before.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if origin.tls is not None:
                connection.settimeout(_left(ends_at))
                connection = origin.tls.wrap_socket(connection, server_hostname=origin.host)
        except BaseException:
            connection.close()
            raise
        return _SocketChannel(connection)

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def turns(self, count: int) -> AbstractAsyncContextManager[Any]:
        return nullcontext()


class _SocketChannel:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    async def send(self, data: bytes, ends_at: float) -> None:
        self._connection.settimeout(_left(ends_at))
        self._connection.sendall(data)

    async def receive(self, ends_at: float) -> bytes:
        self._connection.settimeout(_left(ends_at))
        return self._connection.recv(PART_BYTES_MAX)

    def close(self) -> None:
        self._connection.close()


class EventLoop:
    """Suspends the task of asyncio."""

    async def connect(self, origin: Origin, ends_at: float) -> Channel:
        async with asyncio.timeout(_left(ends_at)):
            return _StreamChannel(*await asyncio.open_connection(origin.host, origin.port, ssl=origin.tls))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def turns(self, count: int) -> AbstractAsyncContextManager[Any]:
        return asyncio.Semaphore(count)


class _StreamChannel:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, data: bytes, ends_at: float) -> None:
        async with asyncio.timeout(_left(ends_at)):
            self._writer.write(data)
            await self._writer.drain()

    async def receive(self, ends_at: float) -> bytes:
        async with asyncio.timeout(_left(ends_at)):
            return await self._reader.read(PART_BYTES_MAX)

    def close(self) -> None:
        self._writer.close()


def finished(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine over Threads to its end."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    raise RuntimeError("a coroutine of a blocking client waits for an event loop")


def each(items: AsyncGenerator[Result, None]) -> Iterator[Result]:
    """The items of an asynchronous generator over Threads. It is closed with this one."""
    try:
        while True:
            yield finished(items.asend(None))
    except StopAsyncIteration:
        return
    finally:
        finished(items.aclose())


def _left(ends_at: float) -> float:
    """The seconds until then. Raises TimeoutError if there are none."""
    left_seconds = ends_at - time.monotonic()
    if left_seconds <= 0:
        raise TimeoutError("timed out")
    return left_seconds

"""HTTP/1.1 as far as a client of one server needs it: one request and one reply at a time, on a connection that stays open between
them."""

from __future__ import annotations

import ssl
import threading
import time

from .calls import HttpRequest, HttpResponse
from .errors import GalaxydError
from .networks import PART_BYTES_MAX, Channel, Network, Origin

IDLE_SECONDS_MAX = 8.0
"""The server closes a connection after ten seconds of silence; an older one is not used again."""
HEAD_BYTES_MAX = 64 * 1024
BODY_BYTES_MAX = 64 * 1024 * 1024
"""Bytes of a reply's body; the longest ones of the server are a few MiB."""


class Unreachable(ConnectionError):
    """No connection could be opened."""


class Connection:
    """One connection, opened by its first request.

    Its coroutines raise OSError if there is no complete reply, and GalaxydError if it is longer than any of galaxyd.
    """

    def __init__(self, network: Network, origin: Origin) -> None:
        self._network = network
        self._origin = origin
        self._channel: Channel | None = None
        self._ends_at = 0.0
        self._unread = bytearray()
        self.is_reusable = False
        """True once a reply was read whole, unless the server closes the connection after it."""
        self._is_closing = False
        self._is_chunked = False
        self._is_first_chunk = True
        self._left: int | None = 0
        """Bytes of the body, or of its present chunk, that are not read; None if the body ends with the connection."""

    def close(self) -> None:
        """Closes it without waiting."""
        if self._channel is not None:
            self._channel.close()

    async def exchange(self, request: HttpRequest) -> HttpResponse:
        """Sends a request and reads its reply."""
        await self.send(request)
        return await self.receive()

    async def send(self, request: HttpRequest) -> None:
        """Sends a request, whose time begins now. Its reply must be read before the next request is sent."""
        self.is_reusable = False
        self.extend(request.timeout_seconds)
        if self._channel is None:
            self._channel = await self._connect()
        await self._channel.send(self._head(request) + (request.body or b""), self._ends_at)

    async def _connect(self) -> Channel:
        try:
            return await self._network.connect(self._origin, self._ends_at)
        except (TimeoutError, ssl.SSLError):
            raise
        except OSError as error:
            raise Unreachable(f"{type(error).__name__}: {error}") from error

    async def receive(self) -> HttpResponse:
        """Reads a reply."""
        status, headers = await self.read_head()
        return HttpResponse(status, headers, await self.read_body())

    async def read_head(self) -> tuple[int, dict[str, str]]:
        """Reads status and headers of a reply."""
        status, version, headers = _parsed(await self._read_until(b"\r\n\r\n"))
        while 100 <= status < 200:
            status, version, headers = _parsed(await self._read_until(b"\r\n\r\n"))
        self._is_closing = version != "HTTP/1.1" or headers.get("connection", "").lower() == "close"
        self._is_first_chunk = True
        self._is_chunked = headers.get("transfer-encoding", "").lower() == "chunked" and status not in (204, 304)
        if self._is_chunked or status in (204, 304):
            self._left = 0
        elif "content-length" in headers:
            self._left = _size(headers["content-length"], 10)
        else:
            self._left = None
            self._is_closing = True
        return status, headers

    async def read_body(self) -> bytes:
        """Reads the body to its end."""
        body = bytearray()
        while part := await self.read_part():
            body += part
            _bounded(len(body))
        self.is_reusable = not self._is_closing
        return bytes(body)

    async def read_part(self) -> bytes:
        """Reads what there is of the body, at least a byte; b"" at its end."""
        if self._is_chunked and self._left == 0:
            self._left = await self._read_chunk_size()
        if self._left == 0:
            return b""
        if not self._unread and not await self._read_more() and self._left is not None:
            raise ConnectionError(f"the connection has ended {self._left} bytes too early")
        part = self._take(min(PART_BYTES_MAX if self._left is None else self._left, len(self._unread)))
        if self._left is not None:
            self._left -= len(part)
        return part

    def extend(self, seconds: float) -> None:
        """What is sent and read from now on has so much time in all."""
        self._ends_at = time.monotonic() + seconds

    def _head(self, request: HttpRequest) -> bytes:
        lines = [f"{request.method} {self._origin.prefix}{request.path} HTTP/1.1", f"host: {self._origin.host_header}"]
        if request.body is not None:
            lines.append(f"content-length: {len(request.body)}")
        lines.extend(f"{name}: {value}" for name, value in request.headers.items())
        if any("\r" in line or "\n" in line for line in lines):
            raise GalaxydError("no_reply", 0, "a header holds a line break")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    async def _read_chunk_size(self) -> int:
        """The size of the next chunk; 0 for the last one, which is then read to its end."""
        line = await self._read_until(b"\r\n")
        if not self._is_first_chunk:
            # The end of the chunk before. Some servers send it only with the next chunk.
            line = await self._read_until(b"\r\n")
        self._is_first_chunk = False
        size = _size(line.split(b";", 1)[0].decode("latin-1"), 16)
        if size == 0:
            while await self._read_until(b"\r\n") != b"\r\n":
                pass
        return size

    async def _read_until(self, end: bytes) -> bytes:
        """Reads a line, or a head, with its end."""
        while (at := self._unread.find(end)) < 0:
            if len(self._unread) > HEAD_BYTES_MAX:
                raise ConnectionError("the head of the reply is too long")
            if not await self._read_more():
                raise ConnectionError("the connection has ended too early")
        return self._take(at + len(end))

    async def _read_more(self) -> bool:
        """Reads what there is. Returns False at the end."""
        assert self._channel is not None
        part = await self._channel.receive(self._ends_at)
        self._unread += part
        return part != b""

    def _take(self, count: int) -> bytes:
        taken = bytes(self._unread[:count])
        del self._unread[:count]
        return taken


class IdleConnections:
    """Open connections that nobody uses now. The last one used is taken first. Safe to use from several threads."""

    def __init__(self, count_max: int) -> None:
        self._count_max = count_max
        self._idle: list[tuple[float, Connection]] = []
        self._is_closed = False
        self._lock = threading.Lock()

    def take(self) -> Connection | None:
        """A connection that has not been silent for too long; it belongs to the caller now."""
        oldest = time.monotonic() - IDLE_SECONDS_MAX
        with self._lock:
            stale = [connection for since, connection in self._idle if since < oldest]
            self._idle = [(since, connection) for since, connection in self._idle if since >= oldest]
            taken = self._idle.pop()[1] if self._idle else None
        for connection in stale:
            connection.close()
        return taken

    def put(self, connection: Connection) -> None:
        """Keeps a connection for the next request, or closes it if it cannot serve one or there are enough."""
        with self._lock:
            is_kept = connection.is_reusable and not self._is_closed and len(self._idle) < self._count_max
            if is_kept:
                self._idle.append((time.monotonic(), connection))
        if not is_kept:
            connection.close()

    def clear(self) -> None:
        """Closes all connections that are idle now."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def close(self) -> None:
        """Closes all of them, now and from now on."""
        self._is_closed = True
        self.clear()


def _parsed(head: bytes) -> tuple[int, str, dict[str, str]]:
    """Status, version, and headers by lower-case name. Raises ConnectionError if they are not HTTP."""
    status_line, *fields = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    version, _, rest = status_line.partition(" ")
    status = rest[:3]
    if not version.startswith("HTTP/1.") or len(status) != 3 or not (status.isascii() and status.isdigit()):
        raise ConnectionError(f"this is not HTTP: {status_line[:100]!r}")
    headers = {}
    for field in fields:
        name, _, value = field.partition(":")
        headers[name.lower()] = value.strip()
    return int(status), version, headers


def _size(digits: str, base: int) -> int:
    try:
        size = int(digits, base)
    except ValueError as error:
        raise ConnectionError(f"this is not a length: {digits[:100]!r}") from error
    return _bounded(size)


def _bounded(size: int) -> int:
    if not 0 <= size <= BODY_BYTES_MAX:
        raise GalaxydError("not_galaxyd", 0, f"the reply has no possible length, or more than {BODY_BYTES_MAX} bytes")
    return size

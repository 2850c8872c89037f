"""Connections that are kept open between requests, and where they lead."""

from __future__ import annotations

import ssl
import threading
import time
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

IDLE_SECONDS_MAX = 8.0
"""The server closes a connection after ten seconds of silence; an older one is not used again."""

BODY_BYTES_MAX = 64 * 1024 * 1024
"""Bytes of a reply's body; the longest ones of the server are a few MiB."""


class Closable(Protocol):
    """What the pool does with a connection."""

    def close(self) -> None:
        """Closes it at once."""


Connection = TypeVar("Connection", bound=Closable)


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


class IdleConnections(Generic[Connection]):
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
        """Keeps a connection for the next request, or closes it if there are enough."""
        with self._lock:
            is_kept = not self._is_closed and len(self._idle) < self._count_max
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

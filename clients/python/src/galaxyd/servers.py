"""The servers of one world: which of them a request goes to, who leads, and the latest seq that the client has seen. A key goes only
to servers that the program has named."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

LEADER_HOPS_MAX = 4
"""Times that a call follows one server to another that leads, without a pause in between."""


class Servers:
    """Safe to use from several threads."""

    def __init__(
        self, urls: str | Sequence[str], *, follows_any_leader: bool = False, reads_own_writes: bool = True
    ) -> None:
        named = [urls] if isinstance(urls, str) else urls
        if len(named) == 0:
            raise ValueError("at least one server must be named")
        self.urls = tuple(_plain(url) for url in named)
        self._follows_any_leader = follows_any_leader
        self._reads_own_writes = reads_own_writes
        self._present = 0
        self._leader: str | None = None
        self._seq = 0
        self._is_reached = False
        self._lock = threading.Lock()

    @property
    def present(self) -> str:
        """Where reads go."""
        return self.urls[self._present]

    @property
    def leader(self) -> str:
        """Where commands go."""
        return self._leader or self.present

    @property
    def min_seq(self) -> int:
        """The seq for x-min-seq; 0 for none."""
        return self._seq if self._reads_own_writes else 0

    @property
    def is_reached(self) -> bool:
        """Whether any of them has ever answered."""
        return self._is_reached

    def note(self, seq: str | None) -> None:
        """Learns from a reply, and from its x-world-seq."""
        self._is_reached = True
        if seq is not None and seq.isascii() and seq.isdigit():
            with self._lock:
                self._seq = max(self._seq, int(seq))

    def forget(self) -> None:
        """No server has what the client has seen: the world was restored to before that, or all are behind."""
        with self._lock:
            self._seq = 0

    def failed(self, url: str) -> None:
        """A server gives no reply, or nobody leads as far as it knows: the next requests go to the next one."""
        with self._lock:
            if self._leader == url:
                self._leader = None
            if self.present == url:
                self._present = (self._present + 1) % len(self.urls)

    def referred(self, url: str, location: str | None, path: str) -> bool:
        """A server says that another one leads: `location` is the URL of the request there. Returns whether commands go to that one
        now; if not, they go to the next server that the program has named."""
        leader = None if location is None else self._base_of(location, path, url)
        if leader is None or leader == url:
            self.failed(url)
            return False
        with self._lock:
            self._leader = leader
        return True

    def _base_of(self, location: str, path: str, url: str) -> str | None:
        """Where the leader is. A location that the program has not named is believed only on demand, and never if it would take a key
        from https to http."""
        named = next((one for one in self.urls if location.startswith(f"{one}/")), None)
        if named is not None or not self._follows_any_leader:
            return named
        try:
            parts = urlsplit(location)
        except ValueError:
            return None
        is_downgrade = url.startswith("https:") and parts.scheme != "https"
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or is_downgrade:
            return None
        segments = urlsplit(path).path.count("/")
        prefix = parts.path.split("/")[:-segments]
        return urlunsplit((parts.scheme, parts.netloc, "/".join(prefix), "", ""))


def _plain(url: str) -> str:
    """The URL as a server shows it: without a slash at the end, and without a port that goes without saying."""
    try:
        parts = urlsplit(url)
        is_default = parts.port == {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return url
    netloc = parts.netloc.lower()
    plain = parts._replace(netloc=netloc.rpartition(":")[0] if is_default else netloc)
    return urlunsplit(plain).rstrip("/")

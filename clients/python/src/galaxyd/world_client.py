"""What both clients have in common: the servers of a world, the connections to them, and the conversations of one player. How a
request is sent, and what waits for its reply, is in galaxyd.client and galaxyd.async_client."""

from __future__ import annotations

import copy
import ssl
from collections.abc import Sequence
from typing import Generic, Self

from .calls import HttpRequest, Observer
from .connections import Connection, IdleConnections, Origin, origin_of
from .conversation import Conversations
from .patience import Patience
from .reply_cache import CacheLimits
from .servers import Servers


class WorldClient(Generic[Connection]):
    """A client of one world."""

    def __init__(
        self,
        url: str | Sequence[str],
        api_key: str | None = None,
        *,
        patience: Patience | None = None,
        tls: ssl.SSLContext | None = None,
        connections_max: int = 16,
        cache_entries_max: int = 1_000,
        cache_bytes_max: int = 16 * 1024 * 1024,
        observer: Observer | None = None,
        follows_any_leader: bool = False,
        reads_own_writes: bool = True,
    ) -> None:
        """`url` names the server, or all servers of the world: then another one takes over if one fails, and commands go to the leader.

        A key goes only to servers that `url` names, unless `follows_any_leader` says that what they say about the leader may be
        believed. With `reads_own_writes`, reads show at least what earlier replies have shown, whichever server answers them.
        `connections_max` connections to a server stay open between calls.
        """
        self._url = url
        self._tls = tls
        self._servers = Servers(url, follows_any_leader=follows_any_leader, reads_own_writes=reads_own_writes)
        self._origins = {server: origin_of(server, tls) for server in self._servers.urls}
        self._observer = observer
        self._connections_max = connections_max
        self._idle: dict[str, IdleConnections[Connection]] = {
            server: IdleConnections(connections_max) for server in self._servers.urls
        }
        self._conversations = Conversations(
            api_key,
            patience or Patience(),
            CacheLimits(cache_entries_max, cache_bytes_max),
            servers=self._servers,
        )
        self._prepare()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._url!r})"

    def with_key(self, api_key: str | None) -> Self:
        """A client for another player of the same world: the same connections, a cache and a rate limit of its own."""
        other = copy.copy(self)
        other._conversations = self._conversations.for_key(api_key)
        return other

    def _prepare(self) -> None:
        """Makes what one kind of client alone needs, and shares with those of other keys."""

    def _server_of(self, request: HttpRequest) -> tuple[Origin, IdleConnections[Connection]]:
        """Where a request goes, and the open connections to there."""
        server = request.server
        origin = self._origins.setdefault(server, self._origins.get(server) or origin_of(server, self._tls))
        return origin, self._idle.setdefault(server, IdleConnections(self._connections_max))

    def _close_idle(self) -> None:
        for idle in list(self._idle.values()):
            idle.close()

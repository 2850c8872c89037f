"""The client for threads: each call blocks its thread until the reply is there."""

from __future__ import annotations

import copy
import http.client
import ssl
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from .batches import MINIMAL, Outcome, batch_of, outcomes_of
from .calls import Call, HttpRequest, HttpResponse, Observer, Reply, path_of
from .connections import BODY_BYTES_MAX, IdleConnections, Origin, origin_of
from .conversation import Conversation, Conversations, NoReply, Pause
from .errors import GalaxydError
from .following import PART_BYTES_MAX, Following
from .patience import Patience
from .reply_cache import CacheLimits
from .servers import Servers
from .shapes import GameEvent

Body = TypeVar("Body")


class Client:
    """Plays one world over HTTP. Safe to use from several threads: each call uses a connection of its own.

    client = Client("http://127.0.0.1:3000")
    player = client.call(create_player(name="Ada", is_bot=True))
    """

    def __init__(
        self,
        url: str | Sequence[str],
        api_key: str | None = None,
        *,
        patience: Patience | None = None,
        tls: ssl.SSLContext | None = None,
        idle_connections_max: int = 8,
        cache_entries_max: int = 1_000,
        cache_bytes_max: int = 16 * 1024 * 1024,
        observer: Observer | None = None,
        follows_any_leader: bool = False,
        reads_own_writes: bool = True,
    ) -> None:
        """`url` names the server, or all servers of the world: then another one takes over if one fails, and commands go to the leader.

        A key goes only to servers that `url` names, unless `follows_any_leader` says that what they say about the leader may be
        believed. With `reads_own_writes`, reads show at least what earlier replies have shown, whichever server answers them.
        """
        self._url = url
        self._tls = tls
        self._servers = Servers(url, follows_any_leader=follows_any_leader, reads_own_writes=reads_own_writes)
        self._origins = {server: origin_of(server, tls) for server in self._servers.urls}
        self._observer = observer
        self._idle_max = idle_connections_max
        self._idle: dict[str, IdleConnections[http.client.HTTPConnection]] = {
            server: IdleConnections(self._idle_max) for server in self._servers.urls
        }
        self._conversations = Conversations(
            api_key,
            patience or Patience(),
            CacheLimits(cache_entries_max, cache_bytes_max),
            servers=self._servers,
        )

    def __repr__(self) -> str:
        return f"Client({self._url!r})"

    def with_key(self, api_key: str | None) -> Client:
        """A client for another player of the same world: the same connections, a cache and a rate limit of its own."""
        other = copy.copy(self)
        other._conversations = self._conversations.for_key(api_key)
        return other

    def call(self, call: Call[Body], *, deadline_seconds: float | None = None) -> Body:
        """Sends a call and returns the body of its reply. Raises GalaxydError."""
        return self.send(call, deadline_seconds=deadline_seconds).body

    def send(
        self,
        call: Call[Body],
        *,
        idempotency_key: str | None = None,
        deadline_seconds: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply[Body]:
        """Sends a call and returns its reply with the world time and the headers.

        An idempotency key of your own lets you repeat a call in another process. Raises GalaxydError.
        """
        return self._run(
            self._conversations.begin(
                call, idempotency_key=idempotency_key, deadline_seconds=deadline_seconds, headers=headers
            )
        )

    def batch(
        self, calls: Sequence[Call[Any]], *, is_minimal: bool = False, deadline_seconds: float | None = None
    ) -> list[Outcome[Any]]:
        """Runs up to 1,000 calls in order, in one request and one write to disk.

        With is_minimal the outcomes hold statuses and codes, without bodies. Raises GalaxydError if the batch as a
        whole is refused; a refused call has an outcome with its error.
        """
        headers = MINIMAL if is_minimal else None
        return outcomes_of(
            self.send(batch_of(calls), headers=headers, deadline_seconds=deadline_seconds).body["results"]
        )

    def events(self, player_id: str, since: int | None = None) -> Iterator[GameEvent]:
        """The events of a player, each once and in order, for ever: the stream is opened again if it is lost, and
        continues after the last event. Blocks until there is one. Each reader has a connection of its own.

        `since` is the seq of the last event that is known, such as `lastEventSeq` of a state; by default reading begins
        after the newest. Raises GalaxydError: `events_expired` if the events after `since` are no longer kept; read the
        state then, and continue after its `lastEventSeq`.
        """
        return self._follow(path_of("/api/event/player/{player_id}", player_id=player_id), since)

    def world_events(self, since: int | None = None) -> Iterator[GameEvent]:
        """The public events of all players, in the same way. `playerId` of an event is whom it is about."""
        return self._follow("/api/event/world", since)

    def close(self) -> None:
        """Closes the connections, but not those of readers of events: they end with their iterators."""
        for idle in list(self._idle.values()):
            idle.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, conversation: Conversation[Body]) -> Reply[Body]:
        try:
            step = next(conversation)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    step = conversation.send(None)
                    continue
                try:
                    response = self._exchange(step)
                    if self._observer is not None:
                        self._observer(step, response)
                except NoReply as lost:
                    step = conversation.throw(lost)
                else:
                    step = conversation.send(response)
        except StopIteration as end:
            reply: Reply[Body] = end.value
            return reply

    def _follow(self, path: str, since: int | None) -> Iterator[GameEvent]:
        if since is None:
            page: Call[Any] = Call("GET", path)
            since = int(self.call(page)["lastSeq"])
        following = Following(self._conversations, f"{path}/stream", since)
        while True:
            time.sleep((yield from self._read_stream(following)))

    def _read_stream(self, following: Following) -> Generator[GameEvent, None, float]:
        """Yields the events of one stream, and returns how long to wait before the next one is opened."""
        request = following.request()
        origin, _ = self._server_of(request)
        connection = _connection(origin, request.timeout_seconds)
        try:
            connection.request(request.method, origin.prefix + request.path, None, dict(request.headers))
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            is_open = response.status == 200
            body = b"" if is_open else response.read(BODY_BYTES_MAX)
            if self._observer is not None:
                self._observer(request, HttpResponse(response.status, headers, body))
            if not is_open:
                return following.refused(HttpResponse(response.status, headers, body))
            following.opened()
            while part := response.read1(PART_BYTES_MAX):
                yield from following.feed(part)
            return following.lost("the server has ended the stream")
        except ssl.SSLCertVerificationError:
            raise
        except (OSError, http.client.HTTPException) as error:
            return following.lost(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    def _server_of(self, request: HttpRequest) -> tuple[Origin, IdleConnections[http.client.HTTPConnection]]:
        """Where a request goes, and the open connections to there."""
        server = request.server
        origin = self._origins.setdefault(server, self._origins.get(server) or origin_of(server, self._tls))
        return origin, self._idle.setdefault(server, IdleConnections(self._idle_max))

    def _exchange(self, request: HttpRequest) -> HttpResponse:
        origin, pool = self._server_of(request)
        idle = pool.take()
        connection = idle or _connection(origin, request.timeout_seconds)
        try:
            if idle is not None:
                connection.sock.settimeout(request.timeout_seconds)
            connection.request(request.method, origin.prefix + request.path, request.body, dict(request.headers))
            response = connection.getresponse()
            body = response.read(BODY_BYTES_MAX + 1)
            if len(body) > BODY_BYTES_MAX:
                raise GalaxydError("not_galaxyd", response.status, "the reply is too long")
        except ssl.SSLCertVerificationError:
            connection.close()
            raise
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            was_stale = idle is not None and not isinstance(error, TimeoutError)
            if was_stale:
                pool.clear()
            raise NoReply(f"{type(error).__name__}: {error}", was_reused=was_stale) from error
        except BaseException:
            # Interrupted between request and reply: the connection must not serve another request.
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            pool.put(connection)
        return HttpResponse(response.status, {name.lower(): value for name, value in response.getheaders()}, body)


def _connection(origin: Origin, timeout_seconds: float) -> http.client.HTTPConnection:
    if origin.tls is None:
        return http.client.HTTPConnection(origin.host, origin.port, timeout=timeout_seconds)
    return http.client.HTTPSConnection(origin.host, origin.port, timeout=timeout_seconds, context=origin.tls)

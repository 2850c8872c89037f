"""The two clients. What they do is written once, as coroutines over a galaxyd.networks.Network: AsyncClient awaits them in asyncio,
Client runs each to its end and blocks its thread."""

from __future__ import annotations

import asyncio
import copy
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, ClassVar, Self

from .calls import Body, Call, HttpRequest, HttpResponse, Observer, Outcome, Reply, batch_of, outcomes_of, path_of
from .connections import Connection, IdleConnections, Unreachable
from .conversation import Conversation, Conversations, NoReply, Pause
from .following import Following
from .networks import EventLoop, Network, Threads, each, finished, origin_of
from .operations import get_status
from .patience import Patience
from .reply_cache import CacheLimits
from .servers import Servers
from .shapes import GameEvent

LOOK_SECONDS_MAX = 600.0
"""Longest time between two looks at the world's clock while waiting for an instant."""
STANDING_CLOCK_LOOK_SECONDS = 1.0
"""The same while the clock stands."""
LOOK_SECONDS_MIN = 0.02
"""Shortest time between two looks."""


class WorldClient:
    """A client of one world: its servers, the connections to them, and the conversations of one player."""

    _network: ClassVar[Network]

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
        self._idle: dict[str, IdleConnections] = {}
        self._turns = self._network.turns(connections_max)
        limits = CacheLimits(cache_entries_max, cache_bytes_max)
        self._conversations = Conversations(api_key, patience or Patience(), limits, servers=self._servers)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._url!r})"

    def with_key(self, api_key: str | None) -> Self:
        """A client for another player of the same world: the same connections, a cache and a rate limit of its own."""
        other = copy.copy(self)
        other._conversations = self._conversations.for_key(api_key)
        return other

    async def _call(self, call: Call[Body], *, deadline_seconds: float | None = None) -> Body:
        """Client.call as a coroutine."""
        return (await self._send(call, deadline_seconds=deadline_seconds)).body

    async def _send(
        self,
        call: Call[Body],
        *,
        idempotency_key: str | None = None,
        deadline_seconds: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply[Body]:
        """Client.send as a coroutine."""
        conversation: Conversation[Body] = self._conversations.begin(
            call, idempotency_key=idempotency_key, deadline_seconds=deadline_seconds, headers=headers
        )
        # The deadline of a conversation begins with its first step, so not while it waits for its turn.
        async with self._turns:
            try:
                step = next(conversation)
                while True:
                    if isinstance(step, Pause):
                        await self._network.sleep(step.seconds)
                        step = conversation.send(None)
                        continue
                    try:
                        response = await self._exchange(step)
                    except NoReply as lost:
                        step = conversation.throw(lost)
                    else:
                        step = conversation.send(response)
            except StopIteration as end:
                reply: Reply[Body] = end.value
                return reply

    async def _batch(
        self, calls: Sequence[Call[Any]], *, is_minimal: bool = False, deadline_seconds: float | None = None
    ) -> list[Outcome[Any]]:
        """Client.batch as a coroutine."""
        reply = await self._send(batch_of(calls, is_minimal=is_minimal), deadline_seconds=deadline_seconds)
        return outcomes_of(reply.body, len(calls))

    async def _wait_until(self, instant: datetime) -> None:
        """Client.wait_until as a coroutine."""
        while True:
            # The instant is that of the reply: the body may come from the cache.
            reply = await self._send(get_status())
            left_seconds = (instant - reply.world_time).total_seconds()
            if left_seconds <= 0:
                return
            is_running = reply.body["clock"] == "real" and reply.body.get("pausedAt") is None
            wait_seconds = min(left_seconds, LOOK_SECONDS_MAX) if is_running else STANDING_CLOCK_LOOK_SECONDS
            await self._network.sleep(max(LOOK_SECONDS_MIN, wait_seconds))

    def _events(self, player_id: str, since: int | None = None) -> AsyncGenerator[GameEvent, None]:
        """Client.events as an asynchronous generator."""
        return self._follow(path_of("/api/event/player/{player_id}", player_id=player_id), since)

    def _world_events(self, since: int | None = None) -> AsyncGenerator[GameEvent, None]:
        """Client.world_events as an asynchronous generator."""
        return self._follow("/api/event/world", since)

    async def _exchange(self, request: HttpRequest) -> HttpResponse:
        idle = self._idle.setdefault(request.server, IdleConnections(self._connections_max))
        kept = idle.take()
        connection = kept or self._connection(request.server)
        try:
            response = await connection.exchange(request)
        except ssl.SSLCertVerificationError:
            raise
        except OSError as error:
            was_stale = kept is not None and not isinstance(error, TimeoutError)
            if was_stale:
                idle.clear()
            is_unreachable = isinstance(error, Unreachable)
            raise NoReply(_reason(error), was_reused=was_stale, is_unreachable=is_unreachable) from error
        finally:
            # One that failed, or was cancelled or interrupted before the end of the reply, is closed.
            idle.put(connection)
        self._observe(request, response)
        return response

    async def _follow(self, path: str, since: int | None) -> AsyncGenerator[GameEvent, None]:
        if since is None:
            page: Call[Any] = Call("GET", path)
            since = int((await self._call(page))["lastSeq"])
        following = Following(self._conversations, f"{path}/stream", since)
        while True:
            request = following.request()
            connection = self._connection(request.server)
            try:
                await connection.send(request)
                status, headers = await connection.read_head()
                response = HttpResponse(status, headers, b"" if status == 200 else await connection.read_body())
                self._observe(request, response)
                if status == 200:
                    following.opened()
                    while part := await connection.read_part():
                        for event in following.feed(part):
                            yield event
                        connection.extend(request.timeout_seconds)
                    pause_seconds = following.lost("the server has ended the stream")
                else:
                    pause_seconds = following.refused(response)
            except ssl.SSLCertVerificationError:
                raise
            except OSError as error:
                pause_seconds = following.lost(_reason(error), is_unreachable=isinstance(error, Unreachable))
            finally:
                connection.close()
            await self._network.sleep(pause_seconds)

    def _connection(self, server: str) -> Connection:
        """A new connection to a server, which may be a leader that was not named."""
        if server not in self._origins:
            self._origins[server] = origin_of(server, self._tls)
        return Connection(self._network, self._origins[server])

    def _observe(self, request: HttpRequest, response: HttpResponse) -> None:
        if self._observer is not None:
            self._observer(request, response)

    def _close_idle(self) -> None:
        for idle in list(self._idle.values()):
            idle.close()


class Client(WorldClient):
    """Plays one world over HTTP. Safe to use from several threads: each call uses a connection of its own.

    client = Client("http://127.0.0.1:3000")
    player = client.call(create_player(name="Ada", is_bot=True))
    """

    _network = Threads()

    def call(self, call: Call[Body], *, deadline_seconds: float | None = None) -> Body:
        """Sends a call and returns the body of its reply. Raises GalaxydError."""
        return finished(self._call(call, deadline_seconds=deadline_seconds))

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
        return finished(
            self._send(call, idempotency_key=idempotency_key, deadline_seconds=deadline_seconds, headers=headers)
        )

    def batch(
        self, calls: Sequence[Call[Any]], *, is_minimal: bool = False, deadline_seconds: float | None = None
    ) -> list[Outcome[Any]]:
        """Runs up to 1,000 calls in order, in one request and one write to disk.

        With is_minimal the outcomes hold statuses and codes, and bodies only of calls that have a short reply: what
        Command.minimal returns. Raises GalaxydError if the batch as a whole is refused; a refused call has an outcome
        with its error.
        """
        return finished(self._batch(calls, is_minimal=is_minimal, deadline_seconds=deadline_seconds))

    def wait_until(self, instant: datetime) -> None:
        """Waits until the time of the world has reached an instant, such as the `nextTimerAt` of a planet. Looks at the clock of the
        world before and after, and at times in between; while it stands, because an operator moves it or has paused it, each
        second. Raises GalaxydError.
        """
        finished(self._wait_until(instant))

    def events(self, player_id: str, since: int | None = None) -> Iterator[GameEvent]:
        """The events of a player, each once and in order, for ever: the stream is opened again if it is lost, and
        continues after the last event. Waits until there is one. Each reader has a connection of its own, beyond connections_max.

        `since` is the seq of the last event that is known, such as `lastEventSeq` of a state; by default reading begins
        after the newest. Raises GalaxydError: `events_expired` if the events after `since` are no longer kept; read the
        state then, and continue after its `lastEventSeq`.
        """
        return each(self._events(player_id, since))

    def world_events(self, since: int | None = None) -> Iterator[GameEvent]:
        """The public events of all players, in the same way. `playerId` of an event is whom it is about."""
        return each(self._world_events(since))

    def close(self) -> None:
        """Closes the connections, but not those of readers of events: they end with their iterators."""
        self._close_idle()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(WorldClient):
    """Plays one world over HTTP from one event loop. Calls may run at the same time, up to connections_max. Client says what each
    method does; here they are coroutines.

    async with AsyncClient("http://127.0.0.1:3000") as client:
        player = await client.call(create_player(name="Ada", is_bot=True))
    """

    _network = EventLoop()

    call = WorldClient._call
    send = WorldClient._send
    batch = WorldClient._batch
    wait_until = WorldClient._wait_until
    events = WorldClient._events
    world_events = WorldClient._world_events

    async def close(self) -> None:
        """Closes the connections, but not those of readers of events: they end with their iterators."""
        self._close_idle()
        # A closed transport frees its socket in the next turn of the loop.
        await asyncio.sleep(0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _reason(error: OSError) -> str:
    return str(error) if isinstance(error, Unreachable) else f"{type(error).__name__}: {error}"

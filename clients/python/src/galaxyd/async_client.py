"""The client for asyncio: the same conversations as galaxyd.client, over asyncio streams."""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any

from .batches import MINIMAL, Outcome, batch_of, outcomes_of
from .calls import Call, HttpRequest, HttpResponse, Reply, path_of
from .conversation import Body, Conversation, NoReply, Pause
from .following import Following
from .http_stream import HttpStream
from .shapes import GameEvent
from .world_client import WorldClient

_FAILURES = (OSError, EOFError, ValueError, asyncio.LimitOverrunError, http.client.HTTPException)
"""What a connection that does not bring a whole reply raises."""


class AsyncClient(WorldClient[HttpStream]):
    """Plays one world over HTTP from one event loop. Calls may run at the same time, up to connections_max.

    async with AsyncClient("http://127.0.0.1:3000") as client:
        player = await client.call(create_player(name="Ada", is_bot=True))
    """

    def _prepare(self) -> None:
        self._turns = asyncio.Semaphore(self._connections_max)

    async def call(self, call: Call[Body], *, deadline_seconds: float | None = None) -> Body:
        """Sends a call and returns the body of its reply. Raises GalaxydError."""
        return (await self.send(call, deadline_seconds=deadline_seconds)).body

    async def send(
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
        return await self._run(
            self._conversations.begin(
                call, idempotency_key=idempotency_key, deadline_seconds=deadline_seconds, headers=headers
            )
        )

    async def batch(
        self, calls: Sequence[Call[Any]], *, is_minimal: bool = False, deadline_seconds: float | None = None
    ) -> list[Outcome[Any]]:
        """Runs up to 1,000 calls in order, in one request and one write to disk.

        With is_minimal the outcomes hold statuses and codes, without bodies. Raises GalaxydError if the batch as a
        whole is refused; a refused call has an outcome with its error.
        """
        headers = MINIMAL if is_minimal else None
        reply = await self.send(batch_of(calls), headers=headers, deadline_seconds=deadline_seconds)
        return outcomes_of(reply.body["results"])

    def events(self, player_id: str, since: int | None = None) -> AsyncGenerator[GameEvent, None]:
        """The events of a player, each once and in order, for ever: the stream is opened again if it is lost, and
        continues after the last event. Each reader has a connection of its own, beyond connections_max.

        `since` is the seq of the last event that is known, such as `lastEventSeq` of a state; by default reading begins
        after the newest. Raises GalaxydError: `events_expired` if the events after `since` are no longer kept; read the
        state then, and continue after its `lastEventSeq`.
        """
        return self._follow(path_of("/api/event/player/{player_id}", player_id=player_id), since)

    def world_events(self, since: int | None = None) -> AsyncGenerator[GameEvent, None]:
        """The public events of all players, in the same way. `playerId` of an event is whom it is about."""
        return self._follow("/api/event/world", since)

    async def close(self) -> None:
        """Closes the connections, but not those of readers of events: they end with their iterators."""
        self._close_idle()
        # A closed transport frees its socket in the next turn of the loop.
        await asyncio.sleep(0)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, conversation: Conversation[Body]) -> Reply[Body]:
        # The deadline of a conversation begins with its first step, so not while it waits for its turn.
        async with self._turns:
            try:
                step = next(conversation)
                while True:
                    if isinstance(step, Pause):
                        await asyncio.sleep(step.seconds)
                        step = conversation.send(None)
                        continue
                    try:
                        response = await self._exchange(step)
                        if self._observer is not None:
                            self._observer(step, response)
                    except NoReply as lost:
                        step = conversation.throw(lost)
                    else:
                        step = conversation.send(response)
            except StopIteration as end:
                reply: Reply[Body] = end.value
                return reply

    async def _follow(self, path: str, since: int | None) -> AsyncGenerator[GameEvent, None]:
        if since is None:
            page: Call[Any] = Call("GET", path)
            since = int((await self.call(page))["lastSeq"])
        following = Following(self._conversations, f"{path}/stream", since)
        while True:
            request = following.request()
            origin, _ = self._server_of(request)
            connection: HttpStream | None = None
            try:
                async with asyncio.timeout(request.timeout_seconds):
                    connection = await HttpStream.open(origin)
                    status, headers = await connection.begin(request)
                is_open = status == 200
                body = b"" if is_open else await connection.read_body()
                if self._observer is not None:
                    self._observer(request, HttpResponse(status, headers, body))
                if is_open:
                    following.opened()
                    while part := await asyncio.wait_for(connection.read_part(), request.timeout_seconds):
                        for event in following.feed(part):
                            yield event
                    pause_seconds = following.lost("the server has ended the stream")
                else:
                    pause_seconds = following.refused(HttpResponse(status, headers, body))
            except ssl.SSLCertVerificationError:
                raise
            except _FAILURES as error:
                pause_seconds = following.lost(f"{type(error).__name__}: {error}")
            finally:
                if connection is not None:
                    connection.close()
            await asyncio.sleep(pause_seconds)

    async def _exchange(self, request: HttpRequest) -> HttpResponse:
        origin, pool = self._server_of(request)
        idle = pool.take()
        connection = idle
        try:
            async with asyncio.timeout(request.timeout_seconds):
                connection = connection or await HttpStream.open(origin)
                response = await connection.exchange(request)
        except ssl.SSLCertVerificationError:
            raise
        except _FAILURES as error:
            if connection is not None:
                connection.close()
            was_stale = idle is not None and not isinstance(error, TimeoutError)
            if was_stale:
                pool.clear()
            raise NoReply(f"{type(error).__name__}: {error}", was_reused=was_stale) from error
        except BaseException:
            # Cancelled between request and reply: the connection must not serve another request.
            if connection is not None:
                connection.close()
            raise
        if connection.is_reusable:
            pool.put(connection)
        else:
            connection.close()
        return response

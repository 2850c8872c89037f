"""The client for threads: each call blocks its thread until the reply is there."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from .batches import MINIMAL, Outcome, batch_of, outcomes_of
from .calls import Call, HttpRequest, HttpResponse, Reply, path_of
from .connections import BODY_BYTES_MAX, Origin
from .conversation import Body, Conversation, NoReply, Pause
from .errors import GalaxydError
from .following import PART_BYTES_MAX, Following
from .shapes import GameEvent
from .world_client import WorldClient


class Client(WorldClient[http.client.HTTPConnection]):
    """Plays one world over HTTP. Safe to use from several threads: each call uses a connection of its own.

    client = Client("http://127.0.0.1:3000")
    player = client.call(create_player(name="Ada", is_bot=True))
    """

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
        self._close_idle()

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
            body = b"" if is_open else _read(response, BODY_BYTES_MAX)
            if self._observer is not None:
                self._observer(request, HttpResponse(response.status, headers, body))
            if not is_open:
                return following.refused(HttpResponse(response.status, headers, body))
            following.opened()
            while part := _read_some(response):
                yield from following.feed(part)
            return following.lost("the server has ended the stream")
        except ssl.SSLCertVerificationError:
            raise
        except (OSError, http.client.HTTPException) as error:
            return following.lost(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    def _exchange(self, request: HttpRequest) -> HttpResponse:
        origin, pool = self._server_of(request)
        idle = pool.take()
        connection = idle or _connection(origin, request.timeout_seconds)
        try:
            if idle is not None:
                connection.sock.settimeout(request.timeout_seconds)
            connection.request(request.method, origin.prefix + request.path, request.body, dict(request.headers))
            response = connection.getresponse()
            body = _read(response, BODY_BYTES_MAX + 1)
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


def _read(response: http.client.HTTPResponse, bytes_max: int) -> bytes:
    """Reads at most so many bytes. http.client raises ValueError for a chunk of a negative length."""
    try:
        return response.read(bytes_max)
    except ValueError as error:
        raise http.client.HTTPException(str(error)) from error


def _read_some(response: http.client.HTTPResponse) -> bytes:
    """Reads what there is, at least a byte; b"" at the end."""
    try:
        return response.read1(PART_BYTES_MAX)
    except ValueError as error:
        raise http.client.HTTPException(str(error)) from error

"""What a client says to the server, written once for both clients: headers, retries, the cache and errors. Sends and
waits for nothing itself. A conversation is a generator that yields what to do next and receives the outcome."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .calls import Body, Call, HttpRequest, HttpResponse, Reply
from .errors import GalaxydError, problem_error
from .instants import parse_instant
from .patience import Patience, RateLimit, asked_pause_seconds
from .reply_cache import CacheLimits, KeptReply, ReplyCache
from .servers import LEADER_HOPS_MAX, Servers

_RETRIED_STATUSES = frozenset({429, 502, 503, 504})
_RETRIED_CODES = frozenset({"idempotency_key_in_flight", "not_leader"})
_PASSING_CODES = frozenset({"no_leader", "replica_behind", "recovering", "world_paused"})
"""They pass by themselves: a leader is found, a standby catches up, a world is recovered, an operator ends a pause. Only the deadline
ends the attempts."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A step of a conversation: wait."""

    seconds: float


class NoReply(Exception):
    """The outcome of a request without a complete reply. It is unknown whether the request took effect."""

    def __init__(self, reason: str, *, was_reused: bool, is_unreachable: bool = False) -> None:
        super().__init__(reason)
        self.was_reused = was_reused
        """True if the connection had been used before: the server may have closed it in the meantime."""
        self.is_unreachable = is_unreachable
        """True if nobody listens where the server should be."""


Conversation = Generator[HttpRequest | Pause, HttpResponse | None, Reply[Body]]
"""Yields a request to send (resumed with its response, or by throwing NoReply), or a pause."""


class Conversations:
    """Begins conversations that share a key, a cache and a rate limit. Safe to use from several threads."""

    def __init__(
        self,
        api_key: str | None,
        patience: Patience,
        cache_limits: CacheLimits,
        now: Callable[[], float] = time.monotonic,
        servers: Servers | None = None,
    ) -> None:
        if api_key is not None and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
            raise ValueError("an API key is visible ASCII")
        self._api_key = api_key
        self.patience = patience
        self.now = now
        self.servers = servers or Servers("")
        self._cache_limits = cache_limits
        self._cache = ReplyCache(cache_limits)
        self._rate_limit = RateLimit(now)

    def for_key(self, api_key: str | None) -> Conversations:
        """Conversations of another caller: a cache and a rate limit of their own."""
        return Conversations(api_key, self.patience, self._cache_limits, self.now, self.servers)

    def begin(
        self,
        call: Call[Body],
        *,
        idempotency_key: str | None = None,
        deadline_seconds: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Conversation[Body]:
        """A conversation that ends with the reply to a call.

        Every command, POST or PUT, carries an Idempotency-Key, the same one in every attempt, so that it takes effect at most once.

        Raises GalaxydError.
        """
        patience = self.patience
        held_seconds = _held_seconds(call)
        contact_ends_at = self.now() + patience.first_contact_seconds
        ends_at = self.now() + (patience.deadline_seconds + held_seconds if deadline_seconds is None else deadline_seconds)
        kept = self._cache.find(call.path) if call.method == "GET" else None
        all_headers = self._headers(call, kept, idempotency_key) | dict(headers or {})
        body = None if call.method == "GET" else _encoded(call.body)
        insistence = _Insistence(patience, self.servers)
        failure = GalaxydError("no_reply", 0, "no time was left for an attempt")
        try:
            while True:
                while (closed_seconds := self._rate_limit.reserve(call.cost)) > 0:
                    yield Pause(self._within(ends_at, closed_seconds, failure))
                gives_up_at = ends_at
                server = insistence.begin(call)
                timeout_seconds = min(patience.attempt_seconds + held_seconds, self._within(ends_at, None, failure))
                headers_now = self._with_min_seq(call, all_headers)
                try:
                    response = yield HttpRequest(call.method, call.path, headers_now, body, timeout_seconds, server)
                except NoReply as lost:
                    failure = GalaxydError("no_reply", 0, f"{call.method} {call.path}: {lost}")
                    if insistence.was_stale(lost):
                        continue
                    asked_seconds = insistence.lost(server)
                    if lost.is_unreachable and not self.servers.is_reached:
                        # Only as long as no server has answered: another one may do so next.
                        gives_up_at = min(ends_at, contact_ends_at)
                        failure = self.nobody_there(f"{call.method} {call.path}", str(lost))
                else:
                    assert response is not None
                    self._rate_limit.learn(response)
                    self.servers.note(response.headers.get("x-world-seq"))
                    if 200 <= response.status < 300 or (response.status == 304 and kept is not None):
                        return self._reply(call, response, kept, insistence.attempts)
                    failure, asked_seconds = refusal_of(response)
                    if not is_passing(response.status, failure):
                        raise failure
                    if insistence.refused(server, failure, response, call):
                        continue
                pause_seconds = insistence.pause_seconds(failure, asked_seconds)
                yield Pause(self._within(gives_up_at, pause_seconds, failure))
        except GalaxydError as error:
            if error.code == "replica_behind":
                self.servers.forget()
            raise

    def nobody_there(self, what: str, reason: str) -> GalaxydError:
        """The failure of a request if no server has ever answered."""
        return GalaxydError("no_reply", 0, f"{what}: no server answers at {' or '.join(self.servers.urls)}: {reason}")

    def _with_min_seq(self, call: Call[Any], headers: dict[str, str]) -> dict[str, str]:
        min_seq = self.servers.min_seq
        if call.method != "GET" or min_seq == 0 or "x-min-seq" in headers:
            return headers
        return headers | {"x-min-seq": str(min_seq)}

    def stream_headers(self) -> dict[str, str]:
        """The headers of a request for a stream of events."""
        headers = {"accept": "text/event-stream", "cache-control": "no-store"}
        if self._api_key is not None:
            headers["authorization"] = f"Bearer {self._api_key}"
        if self.servers.min_seq > 0:
            headers["x-min-seq"] = str(self.servers.min_seq)
        return headers

    def _within(self, ends_at: float, seconds: float | None, failure: GalaxydError) -> float:
        """The given time, or all of the time left. Raises the failure if the deadline comes first."""
        left_seconds = ends_at - self.now()
        if left_seconds <= (seconds or 0.0):
            raise failure
        return left_seconds if seconds is None else seconds

    def _headers(self, call: Call[Any], kept: KeptReply | None, idempotency_key: str | None) -> dict[str, str]:
        headers = {"accept": "application/json, text/*;q=0.9"}
        if self._api_key is not None:
            headers["authorization"] = f"Bearer {self._api_key}"
        if kept is not None:
            headers["if-none-match"] = kept.entity_tag
        if call.method != "GET":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
            if call.body is not None:
                headers["content-type"] = "application/json"
        if call.is_minimal:
            headers["prefer"] = "return=minimal"
        return headers

    def _reply(self, call: Call[Body], response: HttpResponse, kept: KeptReply | None, attempts: int) -> Reply[Body]:
        source = response
        if response.status == 304 and kept is not None:
            source = kept.response
        elif call.method == "GET" and "etag" in response.headers:
            self._cache.keep(call.path, response.headers["etag"], response)
        body: Body = _decoded(source)
        return Reply(
            status=source.status,
            body=body,
            world_time=_world_time(response),
            as_of=_world_time(source),
            headers=response.headers,
            is_cached=source is not response,
            is_replayed=response.headers.get("idempotency-replayed") == "true",
            attempts=attempts,
        )


class _Insistence:
    """The attempts of one call: which server is next, and how long to wait before."""

    def __init__(self, patience: Patience, servers: Servers) -> None:
        self._patience = patience
        self._servers = servers
        self._counted = 0
        """Attempts without those that only the deadline ends."""
        self._failures = 0
        self._hops = 0
        self._was_stale = False
        self.attempts = 0

    def begin(self, call: Call[Any]) -> str:
        """The server of the next attempt."""
        self.attempts += 1
        self._counted += 1
        return self._servers.present if call.method == "GET" else self._servers.leader

    def was_stale(self, lost: NoReply) -> bool:
        """Whether the connection had only been silent for too long: a new one needs no pause."""
        was_stale = lost.was_reused and not self._was_stale
        self._was_stale = self._was_stale or was_stale
        return was_stale

    def lost(self, server: str) -> float:
        """The server gives no reply. Returns how long it asks to wait."""
        self._servers.failed(server)
        return 0.0

    def refused(self, server: str, failure: GalaxydError, response: HttpResponse, call: Call[Any]) -> bool:
        """The server refuses for now. Returns whether another one is known that takes the call, so that there is nothing to wait for."""
        if failure.code == "not_leader":
            is_known = self._servers.referred(server, response.headers.get("location"), call.path)
            if is_known and self._hops < LEADER_HOPS_MAX:
                self._hops += 1
                self._counted -= 1
                return True
        elif response.status != 429 and failure.code != "idempotency_key_in_flight":
            self._servers.failed(server)
        return False

    def pause_seconds(self, failure: GalaxydError, asked_seconds: float) -> float:
        """How long to wait after a failed attempt. Before the next server is asked there is hardly a pause; before all are asked again,
        the one that the last has asked for. Raises the failure after too many attempts."""
        count = len(self._servers.urls)
        self._failures += 1
        is_counted = failure.code not in _PASSING_CODES
        if not is_counted:
            self._counted -= 1
        elif self._counted >= self._patience.attempts_max * count:
            raise failure
        turn = -(-self._failures // count) if is_counted else 1
        return self._patience.pause_seconds(turn, asked_seconds if self._failures % count == 0 else 0.0)


def _held_seconds(call: Call[Any]) -> float:
    """How long the server may hold the reply back: a long poll says so in `wait`."""
    waits = parse_qs(urlsplit(call.path).query).get("wait", ["0"])
    return float(waits[0])


def _encoded(body: Any) -> bytes:
    if body is None:
        return b""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _decoded(response: HttpResponse) -> Any:
    is_json = "json" in response.headers.get("content-type", "")
    try:
        return json.loads(response.body) if is_json else response.body.decode()
    except (ValueError, RecursionError) as error:
        raise GalaxydError("not_galaxyd", response.status, f"the reply cannot be read: {error}") from None


def _world_time(response: HttpResponse) -> datetime:
    text = response.headers.get("x-world-time")
    if text is None:
        raise GalaxydError("not_galaxyd", response.status, "the reply has no x-world-time")
    try:
        return parse_instant(text)
    except ValueError as error:
        raise GalaxydError("not_galaxyd", response.status, f"its x-world-time is not a time: {error}") from None


def is_passing(status: int, failure: GalaxydError) -> bool:
    """Whether a refusal is worth another attempt."""
    return status in _RETRIED_STATUSES or failure.code in _RETRIED_CODES


def refusal_of(response: HttpResponse) -> tuple[GalaxydError, float]:
    """The error of a reply, and how long it asks to wait before the next attempt."""
    try:
        facts = json.loads(response.body)
    except (ValueError, RecursionError):
        facts = None
    return problem_error(response.status, facts), asked_pause_seconds(response, facts)

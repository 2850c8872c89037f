"""How a client follows events, written once for both clients: where a stream begins, which events it contains, and when it is
opened again after it has ended. Does no input or output, and does not wait."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, cast

from .calls import HttpRequest, HttpResponse, with_query
from .conversation import Conversations, is_passing, refusal_of
from .errors import GalaxydError
from .patience import asked_pause_seconds
from .shapes import GameEvent

SILENCE_SECONDS_MAX = 40.0
"""The server sends a comment every 15 seconds; a stream that is silent for longer than this is given up."""

OUTAGE_SECONDS_MAX = 1_800.0
"""Time without a stream after which a reader fails: a restarted server may have to replay for minutes. Before the first
stream it is the deadline of a call."""

LINEAGE_GAP_MIN = 2**32
"""A world that was restored or forked counts its events on from a number that is higher by at least this. A smaller gap is an
error."""

EVENT_BYTES_MAX = 1024 * 1024
"""Bytes of one event."""

_LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """A message of a stream."""

    name: str
    """The field `event`; "message" by default."""
    text: str
    """The field `data`, its lines joined."""


class EventStreamParser:
    """Finds the messages in a stream of server-sent events (HTML Living Standard, section 9.2.6) that arrives in parts. A message is
    complete with the empty line after it."""

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._lines: list[str] = []
        self._bytes = 0

    def feed(self, part: bytes) -> list[ServerSentEvent]:
        """The messages that a further part completes. Raises GalaxydError if a message is too long."""
        text = self._rest + part
        messages: list[ServerSentEvent] = []
        begin = 0
        for end in _LINE_END.finditer(text):
            if end.group() == b"\r" and end.end() == len(text):
                # The next part may begin with the other half of this line end.
                break
            self._take(text[begin : end.start()], messages)
            begin = end.end()
        self._rest = text[begin:]
        if self._bytes + len(self._rest) > EVENT_BYTES_MAX:
            raise GalaxydError("not_galaxyd", 200, "an event is too long")
        return messages

    def _take(self, line: bytes, messages: list[ServerSentEvent]) -> None:
        if line == b"":
            if self._lines:
                messages.append(ServerSentEvent(self._name or "message", "\n".join(self._lines)))
            self._name, self._lines, self._bytes = "", [], 0
            return
        # A line that begins with a colon is a comment: its field has no name.
        field, _, value = line.decode(errors="replace").partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._lines.append(value)
            self._bytes += len(line)


class Following:
    """One reader of events. It gets each event once, in order, over as many streams as necessary."""

    def __init__(self, conversations: Conversations, path: str, since: int) -> None:
        self._conversations = conversations
        self._path = path
        self._seq = since
        self._parser = EventStreamParser()
        self._failures = 0
        self._outage_began: float | None = conversations.now()
        self._outage_seconds_max = conversations.patience.deadline_seconds
        self._asked_seconds = 0.0
        self._server = conversations.servers.present

    def request(self) -> HttpRequest:
        """The request that opens the next stream."""
        headers = self._conversations.stream_headers()
        self._server = self._conversations.servers.present
        path = with_query(self._path, since=self._seq)
        return HttpRequest("GET", path, headers, None, SILENCE_SECONDS_MAX, self._server)

    def opened(self) -> None:
        """The server has accepted the request; what follows are parts of the stream."""
        self._parser = EventStreamParser()
        self._outage_began = None
        self._outage_seconds_max = OUTAGE_SECONDS_MAX

    def feed(self, part: bytes) -> list[GameEvent]:
        """The events that a further part of the stream completes. Raises GalaxydError if it is not one of galaxyd."""
        events = []
        for message in self._parser.feed(part):
            body = _decoded(message.text)
            if message.name == "error":
                # The stream ends now. If the reason persists, the next request is refused.
                self._asked_seconds = asked_pause_seconds(HttpResponse(503, {}, b""), body)
            elif _seq_of(body) > self._seq:
                gap = body["seq"] - self._seq - 1
                if 0 < gap < LINEAGE_GAP_MIN:
                    raise GalaxydError("not_galaxyd", 200, f"event {body['seq']} came before event {self._seq + 1}")
                self._seq = body["seq"]
                self._failures = 0
                events.append(cast(GameEvent, body))
        return events

    def refused(self, response: HttpResponse) -> float:
        """The server has answered with a refusal. Returns how long to wait. Raises it if it persists."""
        failure, asked_seconds = refusal_of(response)
        if not is_passing(response.status, failure):
            raise failure
        if response.status != 429:
            self._conversations.servers.failed(self._server)
        return self._pause_seconds(asked_seconds, failure)

    def lost(self, reason: str, *, is_unreachable: bool = False) -> float:
        """The stream has ended, or there is none. Returns how long to wait. Raises GalaxydError if there has been none for long."""
        asked_seconds, self._asked_seconds = self._asked_seconds, 0.0
        conversations = self._conversations
        conversations.servers.failed(self._server)
        failure = GalaxydError("no_reply", 0, f"GET {self._path}: {reason}")
        if is_unreachable and not conversations.servers.is_reached:
            self._outage_seconds_max = conversations.patience.first_contact_seconds
            failure = conversations.nobody_there(f"GET {self._path}", reason)
        return self._pause_seconds(asked_seconds, failure)

    def _pause_seconds(self, asked_seconds: float, failure: GalaxydError) -> float:
        self._failures += 1
        now = self._conversations.now()
        self._outage_began = now if self._outage_began is None else self._outage_began
        pause_seconds = self._conversations.patience.pause_seconds(self._failures, asked_seconds)
        if now + pause_seconds - self._outage_began > self._outage_seconds_max:
            raise failure
        return pause_seconds


def _seq_of(body: dict[str, Any]) -> int:
    seq = body.get("seq")
    if not isinstance(seq, int):
        raise GalaxydError("not_galaxyd", 200, "an event has no seq")
    return seq


def _decoded(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GalaxydError("not_galaxyd", 200, f"an event cannot be read: {error}") from None
    if not isinstance(body, dict):
        raise GalaxydError("not_galaxyd", 200, "an event is not an object")
    return body

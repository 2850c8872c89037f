"""Server-sent events as bytes arrive (HTML Living Standard, section 9.2.6). It knows nothing of the game."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import GalaxydError

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
    """Finds the messages in a stream that arrives in parts. A message is complete with the empty line after it."""

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

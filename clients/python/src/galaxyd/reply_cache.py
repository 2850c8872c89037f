"""Replies to reads, kept with their entity tags. A bounded cache: the least recently used reply is dropped first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from .calls import HttpResponse


@dataclass(frozen=True, slots=True)
class KeptReply:
    """The reply that the server tagged. The body stays bytes, so that no caller can change it for another."""

    entity_tag: str
    response: HttpResponse


@dataclass(frozen=True, slots=True)
class CacheLimits:
    """Replies and bytes of their bodies that a cache keeps; with 0 replies there is no cache."""

    replies_max: int
    bytes_max: int


class ReplyCache:
    """Safe to use from several threads."""

    def __init__(self, limits: CacheLimits) -> None:
        self._limits = limits
        self._bytes = 0
        self._replies: OrderedDict[str, KeptReply] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, path: str) -> KeptReply | None:
        """The kept reply to a read of this path."""
        with self._lock:
            reply = self._replies.get(path)
            if reply is not None:
                self._replies.move_to_end(path)
            return reply

    def keep(self, path: str, entity_tag: str, response: HttpResponse) -> None:
        """Keeps a reply instead of the one before, unless it is larger than the whole cache."""
        with self._lock:
            self._drop(path)
            if len(response.body) > self._limits.bytes_max:
                return
            self._replies[path] = KeptReply(entity_tag, response)
            self._bytes += len(response.body)
            while len(self._replies) > self._limits.replies_max or self._bytes > self._limits.bytes_max:
                self._drop(next(iter(self._replies)))

    def _drop(self, path: str) -> None:
        reply = self._replies.pop(path, None)
        if reply is not None:
            self._bytes -= len(reply.response.body)

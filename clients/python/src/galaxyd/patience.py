"""How long a client waits: between attempts, and for its rate limit."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from .calls import HttpResponse

_LIMIT_MEMBER = re.compile(r";\s*([rt])=(\d+)")


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits on the attempts of one call."""

    deadline_seconds: float = 60.0
    """A call fails if it has no reply after this time, all attempts and pauses included."""
    attempt_seconds: float = 10.0
    """An attempt is given up if its connection is silent for this long."""
    attempts_max: int = 10
    pause_base_seconds: float = 0.1
    """The pause before attempt n + 1 is random, up to this times 2 to the power of n."""
    pause_max_seconds: float = 5.0
    """Unless the server asks for a longer one."""

    def pause_seconds(self, attempts: int, asked_seconds: float, draw: Callable[[], float] = random.random) -> float:
        """The pause after some failed attempts: what the server asked for, and a random time on top ("full jitter"),
        so that clients that failed together do not return together."""
        growth = 2.0 ** min(attempts, 30)
        return asked_seconds + draw() * min(self.pause_max_seconds, self.pause_base_seconds * growth)


def asked_pause_seconds(response: HttpResponse, facts: object) -> float:
    """How long a refusal asks to wait: `retryAfterMs` of its body, or the Retry-After header, seconds or a date."""
    asked_ms = facts.get("retryAfterMs") if isinstance(facts, dict) else None
    if isinstance(asked_ms, int):
        return max(0.0, asked_ms / 1000)
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return 0.0


class RateLimit:
    """What the server has said about the requests left, in the RateLimit header (draft-ietf-httpapi-ratelimit-headers,
    10). Safe to use from several threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._open_at = 0.0
        self._lock = threading.Lock()

    def learn(self, response: HttpResponse) -> None:
        """Reads the header of a reply; a policy without requests left closes the limit for its `t` seconds."""
        header = response.headers.get("ratelimit")
        if header is None:
            return
        closed_seconds = 0
        for policy in header.split(","):
            members = {name: int(value) for name, value in _LIMIT_MEMBER.findall(policy)}
            if members.get("r") == 0:
                closed_seconds = max(closed_seconds, members.get("t", 0))
        with self._lock:
            self._open_at = self._now() + closed_seconds if closed_seconds > 0 else 0.0

    def closed_seconds(self) -> float:
        """How long to wait before the next request."""
        with self._lock:
            return max(0.0, self._open_at - self._now())

"""How long a client waits: between attempts, and for its rate limit."""

from __future__ import annotations

import math
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from .calls import HttpResponse

_NUMBER_MAX = 10**15
"""Numbers of a server above this are not times or limits. They are cut to it, so that arithmetic with them does not overflow."""
_PARAMETER = re.compile(r";\s*(\w+)=(\d+)")


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits on the attempts of one call."""

    deadline_seconds: float = 60.0
    """A call fails if it has no reply after this time, all attempts and pauses included."""
    first_contact_seconds: float = 2.0
    """A client that has had no reply yet gives up after this time if every server refuses its connections. Longer for a program that
    starts together with its server."""
    attempt_seconds: float = 10.0
    """An attempt is given up after this time."""
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
        return min(max(0, asked_ms), _NUMBER_MAX) / 1000
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0


class RateLimit:
    """What the server has said about the requests left, in the headers RateLimit and RateLimit-Policy
    (draft-ietf-httpapi-ratelimit-headers-10). Safe to use from several threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._quota: float | None = None
        """Units that can be saved up; None if the server has not said that it has a limit."""
        self._units_per_second = 0.0
        self._units = 0.0
        self._as_of = 0.0
        self._lock = threading.Lock()

    def learn(self, response: HttpResponse) -> None:
        """Reads the headers of a reply. Of several policies the one with the fewest units left counts."""
        states = _policies(response.headers.get("ratelimit", ""))
        if not states:
            return
        name, state = min(states.items(), key=lambda item: item[1].get("r", math.inf))
        left, policy = state.get("r"), _policies(response.headers.get("ratelimit-policy", "")).get(name, {})
        if left is None:
            return
        with self._lock:
            # Without a policy there is at least one unit after `t` seconds.
            self._quota = max(1.0, policy.get("q", left))
            self._units_per_second = self._quota / max(1.0, policy.get("w", state.get("t", 0.0) * self._quota))
            self._units = left
            self._as_of = self._now()

    def reserve(self, cost: int) -> float:
        """Takes the cost of a request from what is left. Returns 0, or how many seconds to wait before another try."""
        with self._lock:
            if self._quota is None:
                return 0.0
            now = self._now()
            self._units = min(self._quota, self._units + (now - self._as_of) * self._units_per_second)
            self._as_of = now
            missing = min(cost, self._quota) - self._units
            # Less than a millionth is a rounding error of the line above.
            if missing < 1e-6:
                self._units -= min(cost, self._quota)
                return 0.0
            return missing / self._units_per_second


def _policies(header: str) -> dict[str, dict[str, float]]:
    """The parameters of each policy in a list such as `"requests";r=150;t=3`, by name."""
    policies = {}
    for item in header.split(","):
        name, _, parameters = item.strip().partition(";")
        if name != "":
            policies[name] = {key: min(float(value), _NUMBER_MAX) for key, value in _PARAMETER.findall(f";{parameters}")}
    return policies

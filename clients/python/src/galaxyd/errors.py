"""The one exception of this package."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .instants import parse_instant


class GalaxydError(Exception):
    """A call that did not succeed. Programs decide by `code`.

    The server's codes are listed by GET /api/errors. This package adds four of its own, with status 0 if there was no
    reply: `no_reply` (no reply within the deadline: for a command the outcome is unknown), `not_galaxyd` (the reply is not
    one of galaxyd; usually something between client and server sent it), `missing_body` (a batch that asked for a
    minimal reply), and `host_failed` (the process that holds worlds for training cannot do what it is asked).
    """

    def __init__(self, code: str, status: int, detail: str, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.status = status
        self.detail = detail
        self.facts: Mapping[str, Any] = {} if facts is None else facts
        """All members of the problem, such as `missing`, `inProgress` or `owner`."""

    @property
    def affordable_at(self) -> datetime | None:
        """When production alone covers what is missing; None if never, or if nothing is missing."""
        instant = self.facts.get("affordableAt")
        return parse_instant(instant) if isinstance(instant, str) else None

    @property
    def missing(self) -> Mapping[str, float]:
        """Missing units or ships, by name."""
        missing: Mapping[str, float] = self.facts.get("missing") or {}
        return missing

    @property
    def oldest_seq(self) -> int | None:
        """Seq of the oldest event that is kept, with `events_expired`."""
        seq = self.facts.get("oldestSeq")
        return seq if isinstance(seq, int) else None

    @property
    def request_id(self) -> str | None:
        """Identifies the request to the operator of the server."""
        request_id = self.facts.get("requestId")
        return request_id if isinstance(request_id, str) else None


def problem_error(status: int, problem: Any) -> GalaxydError:
    """The error that a refusal describes, in a reply or in the results of a batch."""
    if isinstance(problem, dict) and isinstance(problem.get("code"), str):
        return GalaxydError(problem["code"], status, str(problem.get("detail", "")), problem)
    return GalaxydError("not_galaxyd", status, f"status {status} without a problem")

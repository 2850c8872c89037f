"""Several operations in one request and one write to disk: POST /api/batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .calls import Call
from .conversation import error_of
from .errors import GalaxydError

Body = TypeVar("Body")

MINIMAL: Mapping[str, str] = {"prefer": "return=minimal"}
"""The header that asks for a batch reply without bodies."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Body]):
    """The outcome of one operation of a batch."""

    status: int
    error: GalaxydError | None
    """None if the operation succeeded."""
    _body: Body | None = None
    _has_body: bool = False

    @property
    def body(self) -> Body:
        """The reply to the operation. Raises its error if it was refused."""
        if self.error is not None:
            raise self.error
        if not self._has_body:
            raise GalaxydError("missing_body", self.status, "the batch asked for a minimal reply")
        return self._body  # type: ignore[return-value]


def batch_of(calls: Sequence[Call[Any]]) -> Call[Any]:
    """The call that carries these calls."""
    operations = [
        {"method": call.method, "path": call.path, **({} if call.body is None else {"body": call.body})}
        for call in calls
    ]
    return Call("POST", "/api/batch", {"operations": operations}, cost=len(operations))


def outcomes_of(results: Sequence[Mapping[str, Any]]) -> list[Outcome[Any]]:
    """The outcomes of the calls, in their order."""
    return [_outcome(result) for result in results]


def _outcome(result: Mapping[str, Any]) -> Outcome[Any]:
    status = int(result["status"])
    if status >= 400:
        return Outcome(status, error_of(status, result.get("body", result)))
    return Outcome(status, None, result.get("body"), "body" in result)

"""What is sent and what comes back, as values: a call of an operation, its reply, and an HTTP exchange.

A call is made once, by a function of galaxyd.operations, and sent by either client or as a part of a batch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from .errors import GalaxydError, problem_error

Body = TypeVar("Body")
Short = TypeVar("Short")

Method = Literal["GET", "POST", "PUT"]

_TARGET = re.compile(r"/[!-~]*")


@dataclass(frozen=True, slots=True)
class Call(Generic[Body]):
    """One operation of the API with its arguments; the type parameter is that of the reply's body."""

    method: Method
    path: str
    body: Any = None
    cost: int = 1
    """What it takes from a rate limit: a batch costs its operations."""
    is_minimal: bool = False
    """Whether it asks for the short reply; see Command. A batch asks for all of its calls: see Client.batch."""

    def __post_init__(self) -> None:
        # Anything else could end the request line and begin a header.
        if not _TARGET.fullmatch(self.path):
            raise ValueError(f"not a path: {self.path!r}")


@dataclass(frozen=True, slots=True)
class Command(Call[Body], Generic[Body, Short]):
    """A call that has a short reply; the second type parameter is that of its body."""

    @property
    def minimal(self) -> Call[Short]:
        """The same call, answered only with what it creates, when that ends, and the stocks after it."""
        return Call(self.method, self.path, self.body, self.cost, is_minimal=True)


@dataclass(frozen=True, slots=True)
class Reply(Generic[Body]):
    """A successful reply."""

    status: int
    body: Body
    """Parsed JSON, or text for replies in text."""
    world_time: datetime
    """World time of this reply."""
    as_of: datetime
    """World time of the body. It is earlier than world_time if the body comes from the cache: nothing but time has
    passed since, so stocks have to be computed from here on; see galaxyd.planning."""
    headers: Mapping[str, str]
    """Indexed by lower-case name."""
    is_cached: bool
    """True if the server answered 304 and the body comes from the cache."""
    is_replayed: bool
    """True if an earlier attempt took effect, and this is its reply."""
    attempts: int


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
            raise GalaxydError("missing_body", self.status, "the batch asked for short replies, and this call has none")
        return self._body  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """An HTTP request as the connections send it."""

    method: Method
    path: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout_seconds: float
    server: str = ""
    """Base URL of the server that it is for."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A complete HTTP response."""

    status: int
    headers: Mapping[str, str]
    """Indexed by lower-case name."""
    body: bytes


Observer = Callable[[HttpRequest, HttpResponse], None]
"""Gets each request with its response, also those of attempts that are repeated."""


def call_of(request: Mapping[str, Any]) -> Call[Any]:
    """The call of a `request` in a reply, such as that of an option."""
    return Call(request["method"], request["path"], request.get("body"))


def batch_of(calls: Sequence[Call[Any]], *, is_minimal: bool = False) -> Call[Any]:
    """The call that carries these calls."""
    operations = [
        {"method": call.method, "path": call.path, **({} if call.body is None else {"body": call.body})}
        for call in calls
    ]
    return Call("POST", "/api/batch", {"operations": operations}, len(operations), is_minimal)


def results_of(body: Any, count: int) -> list[Mapping[str, Any]]:
    """The results in the reply to a batch of `count` calls. Raises GalaxydError if it is not the reply to one."""
    results = body.get("results") if isinstance(body, dict) else None
    if not isinstance(results, list) or len(results) != count or not all(map(_is_result, results)):
        raise GalaxydError("not_galaxyd", 200, "the reply is not that of a batch")
    return results


def _is_result(result: Any) -> bool:
    return isinstance(result, dict) and isinstance(result.get("status"), int)


def outcomes_of(body: Any, count: int) -> list[Outcome[Any]]:
    """The outcomes of the calls in the reply to a batch, in their order. Raises GalaxydError if it is not the reply to one."""
    return [_outcome(result) for result in results_of(body, count)]


def _outcome(result: Mapping[str, Any]) -> Outcome[Any]:
    status = result["status"]
    if status >= 400:
        return Outcome(status, problem_error(status, result.get("body", result)))
    return Outcome(status, None, result.get("body"), "body" in result)


def path_of(template: str, **parts: str | int) -> str:
    """Fills in a path template such as "/api/game/state/{player_id}"; each part becomes one segment."""
    return template.format(**{name: quote(str(part), safe="") for name, part in parts.items()})


def with_query(path: str, **query: str | int | None) -> str:
    """Adds the query parameters that are not None."""
    present = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(present)}" if present else path


def present(**members: Any) -> dict[str, Any]:
    """The members of a body that are not None."""
    return {name: value for name, value in members.items() if value is not None}

"""Instants of world time: ISO 8601 text in UTC with milliseconds, as the server writes them, and datetime."""

from __future__ import annotations

from datetime import UTC, datetime


def parse_instant(text: str) -> datetime:
    """Reads a timestamp of a reply, such as "2000-01-01T00:04:00.000Z"."""
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"not an instant in UTC: {text!r}")
    return instant.astimezone(UTC)


def format_instant(instant: datetime) -> str:
    """Writes a timestamp as the server does."""
    if instant.tzinfo is None:
        raise ValueError(f"an instant needs a time zone: {instant!r}")
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

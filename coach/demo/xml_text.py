"""Turns columns of samples into XML text, a column at a time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from xml.sax.saxutils import escape

from coach.formats.recording import Array


def elements(opening: str, values: Array, closing: str, *, digits: int) -> list[str]:
    """Return one element a value; nothing was measured where the value is NaN, so there stands nothing."""
    form = f"{opening}%.{digits}f{closing}"
    return [form % value if value == value else "" for value in values.tolist()]


def times(started_at: datetime, seconds: Array) -> list[str]:
    """Return xsd:dateTime in UTC for each of these elapsed seconds."""
    first = started_at.astimezone(UTC)
    return [stamp(first + timedelta(seconds=second)) for second in seconds.tolist()]


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def text(value: str) -> str:
    return escape(value)


def joined(*columns: Sequence[str]) -> list[str]:
    """Return the columns side by side: one string a sample."""
    return ["".join(row) for row in zip(*columns, strict=True)]

"""Times as files write them, and dates that cannot be right."""

from datetime import UTC, datetime, timedelta

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)  # no device in use recorded before; unset clocks say 1901 or 1989
LARGEST_OFFSET_MIN = 14 * 60


def parse(text: str) -> datetime | None:
    """Return the time of an ISO 8601 text, naive when it names no offset; None when it is none."""
    text = text.strip()
    if len(text) < len("2026-01-05T08:00"):
        return None
    try:
        at = datetime.fromisoformat(text)
        # In UTC the last hours of the year 9999 are past all years there are.
        return at if at.tzinfo is None or at.astimezone(UTC) else None
    except (ValueError, OverflowError):
        return None


def is_unset(at: datetime) -> bool:
    """Say whether a time is that of a clock that was never set, as of a receiver before its first fix."""
    return at.replace(tzinfo=UTC) < EARLIEST - timedelta(days=1)


def plausible_offset_min(seconds: float) -> int | None:
    """Return the offset in minutes when it can be a time zone's: at most 14 h, a multiple of 15 min."""
    minutes = seconds / 60
    if abs(minutes) > LARGEST_OFFSET_MIN or minutes % 15:
        return None
    return int(minutes)


def checked(started_at: datetime) -> datetime:
    """Return the start in UTC. One that cannot be is kept as it is: somebody may know when it was."""
    return started_at.astimezone(UTC)

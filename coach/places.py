"""Time zones: where an activity happened, its clock on the wall says."""

import atexit
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from coach.formats import moments
from coach.formats.recording import Recording, first_fix

FIXED = re.compile(r"UTC([+-])(\d{2}):(\d{2})")


def zone_of(recording: Recording, *, home: str) -> str:
    """Return the zone of a recording: an IANA name, or UTC+02:00 when only an offset is known.

    The zone of the first fix; without one the device's offset; without that the athlete's own zone. A made-up
    world has no zone.
    """
    fix = None if recording.virtual else first_fix(recording)
    return zone_at(fix, offset_min=recording.utc_offset_min, home=home)


def zone_at(fix: Sequence[float] | None, *, offset_min: int | None, home: str) -> str:
    """Return the zone of a place, else that of an offset, else the home."""
    zone = fix and _finder().timezone_at(lat=fix[0], lng=fix[1])
    if zone and _known(zone) is not None:
        return str(zone)
    if offset_min is not None and moments.plausible_offset_min(offset_min * 60) is not None:
        return fixed(offset_min)
    return home


def local(moment: datetime, zone: str) -> datetime:
    """Return the moment on the wall clock of a zone; of one that nobody knows, in UTC."""
    return moment.astimezone(_known(zone) or UTC)


def fixed(offset_min: int) -> str:
    hours, minutes = divmod(abs(offset_min), 60)
    return f"UTC{'-' if offset_min < 0 else '+'}{hours:02d}:{minutes:02d}"


def _known(zone: str) -> tzinfo | None:
    offset = FIXED.fullmatch(zone)
    if offset:
        sign, hours, minutes = offset.groups()
        shift = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(-shift if sign == "-" else shift) if shift < timedelta(days=1) else None
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@cache
def _finder() -> Any:
    # Half a second and the data's pages: paid by the first recording that has a position, not at start.
    from timezonefinder import TimezoneFinder

    finder = TimezoneFinder(in_memory=False)
    atexit.register(finder.cleanup)
    return finder

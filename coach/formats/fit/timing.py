"""Makes sense of the timer and elapsed time that a device claims."""

from dataclasses import dataclass

import numpy as np

from coach.formats import notes
from coach.formats.fit.frames import Message
from coach.formats.fit.legs import number
from coach.formats.recording import Array

ROUNDING_S = 2
HELD_S = 10  # a sample stands for the time up to the next one, at most this long
SLACK_S = 60
LONGEST_TAIL_S = 86_400  # elapsed time may go on after the last sample, but not for days


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    elapsed_s: float
    timer_s: float | None  # None: the device claims none
    note: str = ""


def expected_s(session: Message) -> float | None:
    """Return the longer of the two times that the device claims, None when it claims none."""
    claims = [value for key in ("total_elapsed_time", "total_timer_time") if (value := number(session, key))]
    return max(claims, default=None)


def settled(session: Message, *, time_s: Array) -> Timing:
    """Return timer and elapsed time with timer <= elapsed: swapped or lengthened as the samples prove."""
    elapsed_s, timer_s = number(session, "total_elapsed_time"), number(session, "total_timer_time")
    span_s = float(time_s[-1]) if len(time_s) else 0.0
    if elapsed_s is None or elapsed_s <= 0:
        elapsed_s = max(span_s, timer_s or 0.0)
    note = ""
    if timer_s is not None and timer_s > elapsed_s:
        elapsed_s, timer_s, note = _ordered(timer_s, elapsed_s, time_s=time_s)
    if elapsed_s < span_s - SLACK_S:
        elapsed_s, note = span_s, note or notes.LONGER
    if len(time_s) > 1 and elapsed_s > span_s + LONGEST_TAIL_S:
        elapsed_s = max(span_s, min(timer_s or 0.0, elapsed_s))
    if timer_s is not None:
        timer_s = min(timer_s, elapsed_s)
    return Timing(elapsed_s=elapsed_s, timer_s=timer_s if timer_s else None, note=note)


def _ordered(longer_s: float, shorter_s: float, *, time_s: Array) -> tuple[float, float, str]:
    """Return elapsed and timer for a timer above the elapsed time."""
    if longer_s - shorter_s <= ROUNDING_S:
        return longer_s, longer_s, ""
    if len(time_s) < 2:
        return shorter_s, shorter_s, ""
    held_s = float(np.minimum(np.diff(time_s), HELD_S).sum())
    if abs(held_s - shorter_s) < abs(held_s - longer_s):
        return longer_s, shorter_s, notes.SWAPPED
    return longer_s, longer_s, notes.LONGER

"""Fills the heart rate of swims, which a strap hands over after the fact, beat by beat."""

from collections.abc import Sequence

import numpy as np

from coach.formats.fit.frames import Message
from coach.formats.fit.legs import moment, number
from coach.formats.recording import Array

NEAREST_S = 2.5
COUNTER_S = 4  # the beats' own counter of 12 bits at 1/1024 s starts anew after this


def beats(messages: Sequence[Message]) -> tuple[Array, Array]:
    """Return the device's seconds and the heart rate of each beat."""
    at_s: list[float] = []
    rate_bpm: list[float] = []
    anchor_s = anchor_event_s = 0.0
    shift_s: float | None = None
    for message in messages:
        events, rates = _numbers(message.get("event_timestamp")), _numbers(message.get("filtered_bpm"))
        at = moment(message, "timestamp")
        if at is not None and len(events) == 1:
            anchor_s = at + (number(message, "fractional_timestamp") or 0.0)
            anchor_event_s, shift_s = events[0], None
            continue
        if shift_s is None and events:
            # The decoder counts from the anchor as if its own counter stood at zero.
            ahead_s = (events[0] - np.floor(anchor_s) - anchor_event_s) % COUNTER_S
            shift_s = anchor_s + ahead_s - events[0]
        for event_s, rate in zip(events, rates, strict=False):
            at_s.append(event_s + (shift_s or 0.0))
            rate_bpm.append(rate)
    return np.array(at_s), np.array(rate_bpm)


def filled(raw_s: Array, rate_bpm: Array | None, *, messages: Sequence[Message]) -> Array | None:
    """Return the heart rate of the nearest beat, and the records' own where the strap has none.

    Under water the records hold the wrist's guess; the device's own averages are of the strap.
    """
    if not messages or len(raw_s) == 0:
        return rate_bpm
    at_s, rates = beats(messages)
    if len(at_s) == 0:
        return rate_bpm
    order = np.argsort(at_s, kind="stable")
    at_s, rates = at_s[order], rates[order]
    after = np.minimum(np.searchsorted(at_s, raw_s), len(at_s) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(at_s[after] - raw_s) < np.abs(raw_s - at_s[before]), after, before)
    found = np.where(np.abs(at_s[nearest] - raw_s) <= NEAREST_S, rates[nearest], np.nan)
    return found if rate_bpm is None else np.where(np.isnan(found), rate_bpm, found)


def _numbers(value: object) -> list[float]:
    many = value if isinstance(value, list | tuple) else [value]
    return [float(item) for item in many if isinstance(item, int | float) and np.isfinite(item)]

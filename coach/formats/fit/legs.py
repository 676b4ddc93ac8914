"""Splits a FIT file into its sessions and deals out the samples, laps and events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coach.formats.fit.frames import Message, Part
from coach.formats.recording import Array

FEWEST_LEFT_OVER = 10  # samples after the last summary that make a session of their own
LATEST_S = 2**32  # the protocol counts seconds in four bytes
END_SLACK_S = 60  # samples this long after the end that a summary claims still belong to the session
MOST_SESSIONS = 100
STOPS = frozenset({"stop", "stop_all", "stop_disable", "stop_disable_all"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One session of a part; times are the device's own seconds."""

    session: Message  # empty when the file broke off before its summary
    start_s: float | None
    from_s: float = -np.inf  # what belongs to it: everything from here
    until_s: float = np.inf  # up to here

    def holds(self, at_s: object) -> bool:
        return isinstance(at_s, int | float) and self.from_s <= at_s < self.until_s


def number(message: Mapping[str, Any], key: str) -> float | None:
    value = message.get(key)
    return float(value) if isinstance(value, int | float) and np.isfinite(value) else None


def moment(message: Mapping[str, Any], key: str) -> float | None:
    """Return a time in the device's own seconds, None when no device can have it."""
    value = number(message, key)
    return value if value is not None and 0 <= value <= LATEST_S else None


def split(part: Part, *, raw_s: Array) -> list[Leg]:
    """Return the sessions in order; samples after the last summary of a broken file become one more."""
    sessions = _once(part.all("session"))
    starts = [_start(session) for session in sessions]
    if len(sessions) < 2 or None in starts:
        first = sessions[0] if sessions else {}
        legs = [Leg(session=first, start_s=_start(first))]
    else:
        order = sorted(range(len(sessions)), key=lambda index: starts[index] or 0.0)
        begins = [starts[index] or 0.0 for index in order]
        legs = [
            Leg(session=sessions[index], start_s=begin, from_s=begin, until_s=_until(sessions[index], begin, following))
            for index, begin, following in zip(order, begins, [*begins[1:], np.inf], strict=True)
        ]
    return _with_left_over(legs, raw_s=raw_s) if part.broken and sessions else legs


def timer_events(part: Part, *, leg: Leg) -> list[tuple[float, bool]]:
    """Return when the timer was stopped (False) and started (True)."""
    found = []
    for event in part.all("event"):
        kind, at_s = event.get("event_type"), moment(event, "timestamp")
        says = event.get("event") == "timer" and (kind == "start" or kind in STOPS)
        if says and at_s is not None and leg.holds(at_s):
            found.append((at_s, kind == "start"))
    return found


def _start(session: Message) -> float | None:
    start_s = moment(session, "start_time")
    end_s, elapsed_s = moment(session, "timestamp"), number(session, "total_elapsed_time")
    if start_s is None and end_s is not None and elapsed_s is not None:
        return end_s - elapsed_s
    return start_s


def _until(session: Message, begin_s: float, following_s: float) -> float:
    """Return where the next session begins, or before that the end that the summary claims."""
    elapsed_s = number(session, "total_elapsed_time")
    return following_s if not elapsed_s else min(following_s, begin_s + elapsed_s + END_SLACK_S)


def _once(sessions: list[Message]) -> list[Message]:
    """Return the summaries without those that a device wrote twice."""
    seen: dict[tuple[object, object], Message] = {}
    for session in sessions:
        seen.setdefault((session.get("start_time"), session.get("total_timer_time")), session)
    return list(seen.values())[:MOST_SESSIONS]


def _with_left_over(legs: list[Leg], *, raw_s: Array) -> list[Leg]:
    last = legs[-1]
    elapsed_s = number(last.session, "total_elapsed_time")
    if last.start_s is None or elapsed_s is None:
        return legs
    after = raw_s[raw_s > last.start_s + elapsed_s + 1]
    if len(after) < FEWEST_LEFT_OVER:
        return legs
    begin = float(after[0])
    kept = Leg(session=last.session, start_s=last.start_s, from_s=last.from_s, until_s=begin)
    return [*legs[:-1], kept, Leg(session={}, start_s=begin, from_s=begin)]

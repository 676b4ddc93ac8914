"""What the device noted between the samples: events, and the intervals from beat to beat."""

import numpy as np

from coach.formats.clock import Clock
from coach.formats.fit.frames import Message, Part
from coach.formats.fit.legs import Leg, moment, number
from coach.formats.recording import Array, Event

# Where an event has a number beside it: the gear after a change, and the rest as the device wrote it.
VALUES = ("rear_gear_num", "front_gear_num", "data")


def events(part: Part, leg: Leg, ticks: Clock) -> tuple[Event, ...]:
    """Return the events that have a name in the profile, in order, at elapsed seconds."""
    found = []
    for message in part.all("event"):
        at_s, name, action = moment(message, "timestamp"), message.get("event"), message.get("event_type")
        if at_s is not None and isinstance(name, str) and isinstance(action, str) and leg.holds(at_s):
            elapsed_s = max(ticks.elapsed(at_s), 0.0)
            found.append(Event(at_s=elapsed_s, name=name, action=action, value=_value(message, name=name)))
    return tuple(sorted(found, key=lambda event: event.at_s))


def series(part: Part, leg: Leg, ticks: Clock) -> dict[str, Array]:
    """Return the intervals from beat to beat of this session; nothing where the device wrote none."""
    at_s, interval_s = part.intervals.placed(part.samples.at_s())
    mine = (at_s >= leg.from_s) & (at_s < leg.until_s)
    if not mine.any():
        return {}
    elapsed_s = np.maximum(ticks.all_elapsed(at_s[mine]), 0.0)
    return {"rr_at_s": np.maximum.accumulate(np.round(elapsed_s, 6)), "rr_interval_s": interval_s[mine]}


def _value(message: Message, *, name: str) -> float | None:
    side = name.partition("_")[0] if name.endswith("_gear_change") else ""
    keys = [key for key in VALUES if not key.endswith("_gear_num") or key.startswith(side or "none")]
    return next((value for key in keys if (value := number(message, key)) is not None), None)

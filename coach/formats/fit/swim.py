"""Turns the lengths of a pool swim into distance, speed and cadence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coach.formats.fit.frames import Message
from coach.formats.fit.legs import moment, number
from coach.formats.recording import Array

STEP_S = 5  # without records: between walls the distance is spread evenly, in steps that any gap rule accepts
LONGEST_S = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    start_s: float
    end_s: float
    length_m: float  # 0: a rest
    cadence_rpm: float


def lengths(messages: Sequence[Message], *, pool_length_m: float) -> list[Length]:
    """Return the lengths in order, at the device's seconds; one never begins before the last has ended."""
    found: list[Length] = []
    for message in sorted(messages, key=lambda message: moment(message, "start_time") or 0.0):
        start_s, taken_s = moment(message, "start_time"), number(message, "total_elapsed_time")
        if start_s is None or taken_s is None or not 0 < taken_s < LONGEST_S:
            continue
        swum, cadence = message.get("length_type") == "active", number(message, "avg_swimming_cadence")
        start_s = max(start_s, found[-1].end_s if found else 0.0)
        found.append(
            Length(
                start_s=start_s,
                end_s=start_s + taken_s,
                length_m=pool_length_m if swum else 0.0,
                cadence_rpm=cadence if swum and cadence is not None else np.nan,
            )
        )
    return found


def grid(swum: Sequence[Length]) -> Array:
    """Return the device's seconds of samples for a swim whose records have no times; none between the lengths."""
    times = [
        np.linspace(length.start_s, length.end_s, 1 + max(1, round((length.end_s - length.start_s) / STEP_S)))
        for length in swum
    ]
    return np.unique(np.round(np.concatenate(times), 3))


def columns(swum: Sequence[Length], *, raw_s: Array) -> dict[str, Array]:
    """Return what was swum by each of these seconds; during a length speed and cadence are those of the length."""
    starts, ends = np.array([length.start_s for length in swum]), np.array([length.end_s for length in swum])
    metres = np.array([length.length_m for length in swum])
    cadence = np.array([length.cadence_rpm for length in swum])
    done_m = np.concatenate(([0.0], np.cumsum(metres)))
    index = np.clip(np.searchsorted(starts, raw_s, side="right") - 1, 0, len(swum) - 1)
    share = np.clip((raw_s - starts[index]) / (ends[index] - starts[index]), 0, 1)
    under_way = (raw_s >= starts[index]) & (raw_s <= ends[index])
    return {
        "distance_m": np.round(done_m[index] + share * metres[index], 2),
        "speed_mps": np.where(under_way, np.round(metres[index] / (ends[index] - starts[index]), 3), 0.0),
        "cadence_rpm": np.where(under_way, cadence[index], np.nan),
    }

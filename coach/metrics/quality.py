"""What is odd about the samples of one recording: gaps, clock jumps, spikes, dropouts, implausible values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array, Pause
from coach.metrics.clean import plausible
from coach.metrics.prepare import MASKED_WORDS

GAP_S = 30.0
JUMP_S = 3600.0  # nobody stands still that long with the timer on
SLACK_S = 5.0  # a pause and the gap in the samples rarely begin in the same second
SPIKE_PER_S: Mapping[str, float] = {"heart_rate_bpm": 40.0, "altitude_m": 30.0, "speed_mps": 15.0}
NEIGHBOURS_S = 5.0
SENSORS: Mapping[str, str] = {"heart_rate_bpm": "heart rate", "power_w": "power", "cadence_rpm": "cadence"}
DROPOUT_SHARE, DROPOUT_LEAST = 0.05, 60
STUCK_S = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """What one check found in one recording."""

    count: int
    sentence: str


type Look = Callable[[Mapping[str, Array], Sequence[Pause]], Oddity | None]


def gaps(streams: Mapping[str, Array], pauses: Sequence[Pause]) -> Oddity | None:
    """Find spans of 30 s to an hour without a sample while the timer was on."""
    found = _holes(streams, pauses)
    lengths = found[found < JUMP_S]
    if not lengths.size:
        return None
    total, longest = _minutes(float(lengths.sum())), _minutes(float(lengths.max()))
    sentence = (
        f"{lengths.size} gaps, {total} in all; the longest {longest}." if lengths.size > 1 else f"A gap of {total}."
    )
    return Oddity(count=int(lengths.size), sentence=sentence)


def clock_jumps(streams: Mapping[str, Array], pauses: Sequence[Pause]) -> Oddity | None:
    """Find steps of more than an hour between two samples that no pause explains."""
    found = _holes(streams, pauses)
    jumps = found[found >= JUMP_S]
    if not jumps.size:
        return None
    return Oddity(count=int(jumps.size), sentence=f"The clock jumps by {_minutes(float(jumps.max()))}.")


def _holes(streams: Mapping[str, Array], pauses: Sequence[Pause]) -> Array:
    """Return how long each span without samples is that no pause covers, in seconds."""
    time = streams.get("time_s", np.empty(0))
    steps = np.diff(time)
    at = np.flatnonzero(steps > GAP_S)
    left = [float(steps[index]) - _off(float(time[index]), float(time[index + 1]), pauses) for index in at]
    return np.array([seconds for seconds in left if seconds > GAP_S])


def _off(start_s: float, end_s: float, pauses: Sequence[Pause]) -> float:
    """Return how much of a span the timer was off."""
    return sum(
        max(0.0, min(end_s, pause.start_s + pause.duration_s + SLACK_S) - max(start_s, pause.start_s - SLACK_S))
        for pause in pauses
    )


def spikes(streams: Mapping[str, Array], pauses: Sequence[Pause]) -> Oddity | None:
    """Find changes between neighbouring samples that no body and no hill can make."""
    time = streams.get("time_s", np.empty(0))
    counts = {name: _spikes(time, streams[name], most) for name, most in SPIKE_PER_S.items() if name in streams}
    found = {name: count for name, count in counts.items() if count}
    if not found:
        return None
    words = ", ".join(f"{count} in {_word(name)}" for name, count in found.items())
    return Oddity(count=sum(found.values()), sentence=f"Sudden jumps: {words}.")


def _spikes(time_s: Array, values: Array, most_per_s: float) -> int:
    known = np.isfinite(values)
    steps, seconds = np.abs(np.diff(values[known])), np.diff(time_s[known])
    near = (seconds > 0) & (seconds <= NEIGHBOURS_S)
    return int((steps[near] > most_per_s * seconds[near]).sum())


def dropouts(streams: Mapping[str, Array], pauses: Sequence[Pause]) -> Oddity | None:
    """Find sensors that were silent for a twentieth of the samples, or said the same for ten minutes."""
    words = [said for name in SENSORS if name in streams and (said := _dropout(name, streams))]
    return Oddity(count=len(words), sentence=f"{'; '.join(words)}.".capitalize()) if words else None


def _dropout(name: str, streams: Mapping[str, Array]) -> str:
    values = streams[name]
    silent = int(np.isnan(values).sum())
    if silent >= DROPOUT_LEAST and silent >= DROPOUT_SHARE * values.size:
        return f"{SENSORS[name]} is missing in {100 * silent / values.size:.0f} % of the samples"
    stuck_s = longest_hold_s(streams.get("time_s", np.empty(0)), values)
    if name == "heart_rate_bpm" and stuck_s >= STUCK_S:
        return f"{SENSORS[name]} stays the same for {_minutes(stuck_s)}"
    return ""


def longest_hold_s(time_s: Array, values: Array) -> float:
    """Return for how long the stream kept one value, in seconds."""
    known: NDArray[np.bool_] = np.isfinite(values)
    times, kept = time_s[known], values[known]
    if times.size < 2:
        return 0.0
    starts = np.flatnonzero(np.concatenate(([True], np.diff(kept) != 0)))
    ends = np.append(starts[1:] - 1, times.size - 1)
    return float((times[ends] - times[starts]).max())


def implausible(streams: Mapping[str, Array], pauses: Sequence[Pause]) -> Oddity | None:
    """Count the values that are kept but masked wherever something is computed."""
    _, masked = plausible(streams)
    if not masked:
        return None
    words = ", ".join(f"{count} of {_word(name)}" for name, count in masked.items())
    return Oddity(count=sum(masked.values()), sentence=f"Kept, but not computed with: {words}.")


def _word(name: str) -> str:
    return MASKED_WORDS.get(name) or name.rpartition("_")[0].replace("_", " ")


def _minutes(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


LOOKS: Mapping[str, Look] = {
    "gaps": gaps,
    "clock_jumps": clock_jumps,
    "spikes": spikes,
    "dropouts": dropouts,
    "implausible": implausible,
}

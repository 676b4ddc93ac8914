"""The best efforts of a session as they are kept beside it, with what keeps one from being a record."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array, Recording
from coach.metrics.arrays import rolling_mean
from coach.metrics.bests import best_powers_w
from coach.metrics.prepare import Prepared
from coach.metrics.sports import Sport
from coach.metrics.stretches import fastest, way_of

POWER_S = (1, 5, 10, 15, 30, 60, 120, 180, 300, 480, 600, 720, 1200, 1800, 2700, 3600, 5400, 7200)
ON_FOOT_M = (400, 1000, 1609, 3000, 5000, 10_000, 15_000, 21_097, 42_195)
DISTANCES_M = {
    "running": ON_FOOT_M,
    "walking": ON_FOOT_M,
    "cycling": (10_000, 20_000, 40_000, 100_000),
    "swimming": (100, 200, 400, 800, 1500),
}
POWERED = frozenset({"cycling", "running"})
MOTORED = frozenset({"e_biking"})
# Net grade of a stretch below which its time is the hill's.
STEEPEST = {"running": -0.015, "walking": -0.015, "cycling": -0.005}
# Nobody has run faster (s, rounded down): what does was not run.
FASTEST_S = {
    400: 43,
    1000: 131,
    1609: 222,
    3000: 437,
    5000: 755,
    10_000: 1571,
    15_000: 2440,
    21_097: 3400,
    42_195: 7200,
}
PULSE_S = 5
STEADY_S, STEADY_LAST_S = 1800, 1200
STEADY_SPREAD = 0.12  # coefficient of variation of half minutes
HALF_MINUTE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The highest power (W) or heart rate (bpm) over `span` seconds, or the shortest time (s) over `span` metres."""

    measure: str  # "power", "time", "pulse"
    span: int
    value: float
    doubt: str = ""  # "virtual", "motor", "downhill", "jump"


def peaks_of(recording: Recording, *, made: Prepared, sport: Sport) -> tuple[Peak, ...]:
    """Return the best efforts of a recording; none of one without samples."""
    found = (*_powers(recording, made, sport), *_times(recording, made, sport), *_pulses(made, sport))
    return tuple(found)


def _powers(recording: Recording, made: Prepared, sport: Sport) -> Iterator[Peak]:
    """Power is the athlete's own in a virtual world too; what was masked as a spike never counts."""
    if sport.family not in POWERED or not made.grid.has("power_w"):
        return
    doubt = "motor" if recording.sport in MOTORED else ""
    for seconds, watts in best_powers_w(made.grid["power_w"], durations_s=POWER_S).items():
        if watts > 0:
            yield Peak(measure="power", span=seconds, value=watts, doubt=doubt)


def _times(recording: Recording, made: Prepared, sport: Sport) -> Iterator[Peak]:
    distances, streams = DISTANCES_M.get(sport.family, ()), made.streams
    if not distances or not {"time_s", "distance_m"} <= streams.keys():
        return
    altitude = None if recording.indoor else streams.get("altitude_m")
    way = way_of(streams["time_s"], streams["distance_m"], altitude, fastest_mps=sport.fastest_mps)
    whole = _whole(recording, sport)
    for distance in distances if way else ():
        found = fastest(way, distance_m=distance, steepest=STEEPEST.get(sport.family, -np.inf)) if way else None
        if found is None:
            return  # the longer ones were not covered either
        doubt = whole or _beyond(sport, distance, found.seconds) or found.doubt
        yield Peak(measure="time", span=distance, value=found.seconds, doubt=doubt)


def _whole(recording: Recording, sport: Sport) -> str:
    """Return what is doubtful of every distance of the session; a trainer makes up its distances as a game does."""
    if recording.sport in MOTORED:
        return "motor"
    return "virtual" if recording.virtual or (recording.indoor and sport.family == "cycling") else ""


def _beyond(sport: Sport, distance_m: int, seconds: float) -> str:
    on_foot = sport.family in ("running", "walking")
    return "jump" if on_foot and seconds < FASTEST_S[distance_m] else ""


def _pulses(made: Prepared, sport: Sport) -> Iterator[Peak]:
    """Heart rates that thresholds can be suggested from: the highest, and that of a steady half hour's end."""
    beats = made.grid["heart_rate_bpm"]
    highest = rolling_mean(np.nan_to_num(beats, nan=0.0), window=PULSE_S)
    if highest.size and highest.max() > 0:
        yield Peak(measure="pulse", span=PULSE_S, value=float(highest.max()))
    steady = steady_pulse_bpm(_effort(made, sport), beats)
    if steady is not None:
        yield Peak(measure="pulse", span=STEADY_LAST_S, value=steady)


def _effort(made: Prepared, sport: Sport) -> Array:
    if sport.family == "cycling" and made.grid.has("power_w"):
        return made.grid["power_w"]
    if sport.family == "running" and made.grid.has("distance_m"):
        return np.diff(made.grid["distance_m"], append=np.nan)
    return np.empty(0)


def steady_pulse_bpm(effort: Array, heart_rate_bpm: Array) -> float | None:
    """Return the mean heart rate of the last 20 of the hardest 30 minutes; None unless those were even.

    The field test of Friel: thirty minutes alone, as hard as one can, and the heart rate of the last twenty.
    """
    means = rolling_mean(np.nan_to_num(effort), window=STEADY_S)
    if not means.size or means.max() <= 0:
        return None
    first = int(means.argmax())
    parts = np.nan_to_num(effort[first : first + STEADY_S]).reshape(-1, HALF_MINUTE).mean(axis=1)
    last = heart_rate_bpm[first + STEADY_S - STEADY_LAST_S : first + STEADY_S]
    if parts.std() / parts.mean() > STEADY_SPREAD or np.isfinite(last).mean() < 0.95:
        return None
    return float(np.nanmean(last))

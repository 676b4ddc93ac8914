"""What a device keeps of every second: which samples, when the timer stood still, and where laps end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array, Lap, Pause

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The timer is stopped at that second of timer time and started again after the duration."""

    at_s: int
    duration_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    streams: Mapping[str, Array]
    laps: tuple[Lap, ...]
    pauses: tuple[Pause, ...]
    elapsed_s: float


def keep(
    every_second: Mapping[str, Array], *, at: Iterable[int], laps_end: Sequence[int], stops: Sequence[Stop]
) -> Kept:
    """Return the samples at these seconds of timer time, and those where a lap or the timer begins or ends.

    The second of a stop is kept twice: as the timer stops and as it starts again.
    """
    last = len(every_second["distance_m"]) - 1
    ends = [*(end for end in laps_end if 0 < end < last), last]
    seconds = np.array(sorted({0, *(second for second in at if second < last), *ends}), dtype=np.int64)
    stopped = [stop.at_s for stop in stops]
    seconds = np.sort(np.concatenate([np.setdiff1d(seconds, stopped), stopped, stopped]).astype(np.int64))
    streams = {"time_s": _elapsed(seconds, stops=stops)}
    streams |= {name: values[seconds] for name, values in every_second.items()}
    return Kept(
        streams=streams,
        laps=_laps(ends, distance_m=every_second["distance_m"], stops=stops),
        pauses=tuple(_pauses(stops)),
        elapsed_s=_wall(last, stops=stops),
    )


def seconds_kept(last: int, *, spacing_s: int, rng: np.random.Generator) -> Indices:
    """Return every so-manieth second; 0 is smart recording, which keeps what it finds worth keeping."""
    if spacing_s:
        return np.arange(0, last, spacing_s)
    return np.cumsum(rng.integers(2, 8, size=last // 2, endpoint=True))


def _elapsed(seconds: Indices, *, stops: Sequence[Stop]) -> Array:
    elapsed = seconds.astype(np.float64)
    for stop in stops:
        elapsed[np.searchsorted(seconds, stop.at_s, side="right") - 1 :] += stop.duration_s
    return elapsed


def _wall(second: int, *, stops: Sequence[Stop]) -> float:
    return float(second + sum(stop.duration_s for stop in stops if stop.at_s < second))


def _laps(ends: Sequence[int], *, distance_m: Array, stops: Sequence[Stop]) -> tuple[Lap, ...]:
    return tuple(
        Lap(
            start_s=_wall(begin, stops=stops),
            elapsed_s=_wall(end, stops=stops) - _wall(begin, stops=stops),
            timer_s=float(end - begin),
            distance_m=float(distance_m[end] - distance_m[begin]),
        )
        for begin, end in pairwise((0, *ends))
    )


def _pauses(stops: Sequence[Stop]) -> Iterable[Pause]:
    for stop in stops:
        yield Pause(start_s=_wall(stop.at_s, stops=stops), duration_s=float(stop.duration_s))

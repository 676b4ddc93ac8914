"""Finds repeated efforts of about the same length inside a session."""

from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array
from coach.metrics.arrays import smoothed

SMOOTHING_SECONDS = 15
SHORTEST_SECONDS = 25
JOIN_SECONDS = 10
FEWEST = 3
CONTRAST = 1.2  # work over rest
LENGTH_TOLERANCE = 0.3
INTERRUPTION = 0.15
EFFORT_TOLERANCE = 0.12
SHARE_OF_WORK = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """`effort` and `rest` are in the unit of the input; `seconds` is the median length of an effort."""

    count: int
    seconds: float
    effort: float
    rest: float
    spans: tuple[tuple[int, int], ...]  # [first, last) samples of each effort


def dividing_level(values: Array) -> float:
    """Return the level with the greatest variance between the values below and above it (Otsu 1979)."""
    ordered = np.sort(values)
    count = np.arange(1, ordered.size)
    below = np.cumsum(ordered)[:-1]
    above = ordered.sum() - below
    between = count * (ordered.size - count) * (below / count - above / (ordered.size - count)) ** 2
    cut = int(np.argmax(between))
    return float((ordered[cut] + ordered[cut + 1]) / 2)


def efforts_above(values: Array, *, level: float) -> list[tuple[int, int]]:
    """Return [first, last) seconds above the level; short dips are joined, short efforts dropped."""
    above = np.concatenate(([False], values > level, [False]))
    edges = np.flatnonzero(np.diff(above.astype(np.int8)))
    joined: list[tuple[int, int]] = []
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if joined and first - joined[-1][1] < JOIN_SECONDS:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return [(first, last) for first, last in joined if last - first >= SHORTEST_SECONDS]


def find(effort: Array) -> Intervals | None:
    """Return the repeated efforts of a stream of power or speed at 1 Hz; None when there is no such pattern.

    Three or more efforts within 30 % of their usual length and 12 % of their median level, clearly above the
    rest between them, that make up most of the time spent above it. A hilly ride fails on the lengths.
    """
    values = smoothed(np.nan_to_num(effort), window=SMOOTHING_SECONDS)
    if values.size < FEWEST * 2 * SHORTEST_SECONDS or float(np.ptp(values)) <= 0:
        return None
    spans = bridged(efforts_above(values, level=dividing_level(values)))
    chosen = alike(spans, levels=[float(np.nanmean(effort[first:last])) for first, last in spans])
    if len(chosen) < FEWEST:
        return None
    return described(effort, chosen) if worked(chosen) >= SHARE_OF_WORK * worked(spans) else None


def bridged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join efforts over a break that is brief against their length: a red light is no rest."""
    most = INTERRUPTION * usual_length(spans)
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        if joined and first - joined[-1][1] < most:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def usual_length(spans: list[tuple[int, int]]) -> float:
    """Return the length of the effort in the middle of the time worked, so that fragments hardly count."""
    lengths = np.sort([float(last - first) for first, last in spans])
    if not lengths.size:
        return 0.0
    return float(lengths[np.searchsorted(np.cumsum(lengths), lengths.sum() / 2)])


def worked(spans: list[tuple[int, int]]) -> int:
    return sum(last - first for first, last in spans)


def alike(spans: list[tuple[int, int]], *, levels: list[float]) -> list[tuple[int, int]]:
    """Return the spans close to the usual length and the median level."""
    if not spans:
        return []
    length, level = usual_length(spans), float(np.median(levels))
    return [
        (first, last)
        for (first, last), own in zip(spans, levels, strict=True)
        if abs(last - first - length) <= LENGTH_TOLERANCE * length and abs(own - level) <= EFFORT_TOLERANCE * level
    ]


def described(effort: Array, spans: list[tuple[int, int]]) -> Intervals | None:
    """Measure work against the rest between first and last effort; None when they differ too little."""
    between = np.ones(effort.size, dtype=np.bool_)
    between[: spans[0][0]] = between[spans[-1][1] :] = False
    for first, last in spans:
        between[first:last] = False
    work = float(np.nanmean(np.concatenate([effort[first:last] for first, last in spans])))
    rest = float(np.nanmean(effort[between])) if np.isfinite(effort[between]).any() else 0.0
    if work < CONTRAST * rest:
        return None
    return Intervals(
        count=len(spans),
        seconds=float(np.median([last - first for first, last in spans])),
        effort=work,
        rest=rest,
        spans=tuple(spans),
    )

"""Says whether two recordings are of the same session: by sport, start, duration and distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum

import numpy as np

from coach.metrics.motion import steps_m
from coach.metrics.sports import OTHER, sport

START_S = 120
DURATION_SHARE, DURATION_S, SHORT_SHARE = 0.02, 60, 0.2  # 60 s are too many for what is as short itself
DISTANCE_SHARE, DISTANCE_M = 0.03, 20
REACH = timedelta(hours=24)  # what began further apart is never one session
MOST_OF_SHORTER, HALF_OF_LONGER, MOST_OF_LONGER = 0.8, 0.5, 0.8
APART_M = 5000  # within START_S nobody gets so far
HEARTS_BPM = 15  # two sensors on one body agree better
EXACT_S, EXACT_SHARE = 5, 0.01  # two exports of one recording
SHIFTED_S, SHIFT_STEP_S, SHIFT_MOST_S, SHIFTED_SHARE = 2, 900, 14 * 3600, 0.001
UNSAID = ("", "generic")


class Verdict(IntEnum):
    DIFFERENT = 0
    DOUBT = 1
    SAME = 2
    EXACT = 3  # the same, and plainly one recording exported twice


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a recording is matched by; None where it does not say."""

    key: str
    file: str  # recordings of one file are sessions of their own
    format: str
    sport: str
    started_at: datetime
    elapsed_s: float
    timer_s: float
    distance_m: float | None = None
    fix: Sequence[float] | None = None
    heart_rate_bpm: float | None = None

    @property
    def family(self) -> str:
        """Return the family of the sport, the sport itself where it has none, nothing where it was not said."""
        known = sport(self.sport)
        return known.family if known is not OTHER else "" if self.sport in UNSAID else self.sport


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    verdict: Verdict
    why: str = ""  # of a doubt: what does not fit


def judge(one: Seen, other: Seen) -> Judgement:
    """Compare two recordings; the same whichever is first."""
    if one.file == other.file:
        return Judgement(verdict=Verdict.EXACT if _repeats(one, other) else Verdict.DIFFERENT)
    if abs(one.started_at - other.started_at) >= REACH:
        return Judgement(verdict=Verdict.DIFFERENT)
    missing = _missing(one, other)
    if not missing:
        strange = _strange(one, other)
        if strange:
            return Judgement(verdict=Verdict.DOUBT, why=strange)
        return Judgement(verdict=Verdict.EXACT if _exact(one, other) else Verdict.SAME)
    if _overlap_mostly(one, other, sport_differs="sport" in missing):
        return Judgement(verdict=Verdict.DOUBT, why=f"they overlap, but {_listed(missing)}")
    if missing == ["start"] and _clock_is_off(one, other):
        return Judgement(verdict=Verdict.DOUBT, why="they are alike, but the clock of one is off")
    return Judgement(verdict=Verdict.DIFFERENT)


def _missing(one: Seen, other: Seen) -> list[str]:
    """Return which of the criteria are not met."""
    met = {
        "sport": one.family == other.family or not one.family or not other.family,
        "start": _start_differs_s(one, other) <= START_S,
        "duration": _lasts_alike(one, other),
        "distance": _reaches_alike(one, other),
    }
    return [name for name, holds in met.items() if not holds]


def _listed(missing: list[str]) -> str:
    """Return the criteria in words: the start differs; sport and distance differ."""
    if len(missing) == 1:
        return f"the {missing[0]} differs"
    return f"{', '.join(missing[:-1])} and {missing[-1]} differ"


def _start_differs_s(one: Seen, other: Seen) -> float:
    return abs((one.started_at - other.started_at) / timedelta(seconds=1))


def _lasts_alike(one: Seen, other: Seen) -> bool:
    """Not every format knows a timer: that or the elapsed time must agree, and they must overlap."""
    alike = any(
        abs(a - b) <= max(DURATION_SHARE * max(a, b), min(DURATION_S, SHORT_SHARE * max(a, b)))
        for a, b in ((one.timer_s, other.timer_s), (one.elapsed_s, other.elapsed_s))
    )
    return alike and (_start_differs_s(one, other) > START_S or _overlap_s(one, other) >= 0.5 * _shorter_s(one, other))


def _reaches_alike(one: Seen, other: Seen) -> bool:
    """A distance that only one of them has proves nothing, so then the times must agree closely."""
    if one.distance_m and other.distance_m:
        furthest = max(one.distance_m, other.distance_m)
        return abs(one.distance_m - other.distance_m) <= max(DISTANCE_SHARE * furthest, DISTANCE_M)
    if not one.distance_m and not other.distance_m:
        return True
    return _start_differs_s(one, other) <= START_S / 4


def _strange(one: Seen, other: Seen) -> str:
    """Return why two recordings that meet every criterion may still be of two people."""
    if one.fix and other.fix:
        latitudes, longitudes = np.array([one.fix[0], other.fix[0]]), np.array([one.fix[1], other.fix[1]])
        if steps_m(latitudes, longitudes)[0] > APART_M:
            return "they agree in time, but began at different places"
    if one.heart_rate_bpm and other.heart_rate_bpm and abs(one.heart_rate_bpm - other.heart_rate_bpm) > HEARTS_BPM:
        return "they agree, but the heart rates are not one person's"
    return ""


def _exact(one: Seen, other: Seen) -> bool:
    lasts = min(abs(one.timer_s - other.timer_s), abs(one.elapsed_s - other.elapsed_s)) <= EXACT_S
    silent = not one.distance_m and not other.distance_m
    return _start_differs_s(one, other) <= EXACT_S and lasts and (silent or _within(one, other, share=EXACT_SHARE))


def _repeats(one: Seen, other: Seen) -> bool:
    """Some files hold the same session twice."""
    return _start_differs_s(one, other) <= 1 and _exact(one, other) and one.sport == other.sport


def _clock_is_off(one: Seen, other: Seen) -> bool:
    """A time written without its zone is off by quarters of an hour, and everything else is the same.

    Between two formats: the same way there and back, entered by hand, is the same too.
    """
    if one.format == other.format:
        return False
    differs_s = _start_differs_s(one, other)
    off_s = abs(differs_s - SHIFT_STEP_S * round(differs_s / SHIFT_STEP_S))
    lasts = abs(one.elapsed_s - other.elapsed_s) <= SHIFTED_S
    return differs_s <= SHIFT_MOST_S and off_s <= SHIFTED_S and lasts and _within(one, other, share=SHIFTED_SHARE)


def _within(one: Seen, other: Seen, *, share: float) -> bool:
    if not one.distance_m or not other.distance_m:
        return False
    return abs(one.distance_m - other.distance_m) <= share * max(one.distance_m, other.distance_m)


def _overlap_mostly(one: Seen, other: Seen, *, sport_differs: bool) -> bool:
    """Nobody does two things at once, but a part may lie within a whole: then both count."""
    share = MOST_OF_LONGER if sport_differs else HALF_OF_LONGER
    both_s = _overlap_s(one, other)
    longer_s = max(one.elapsed_s, other.elapsed_s)
    return both_s > 0 and both_s >= MOST_OF_SHORTER * _shorter_s(one, other) and both_s >= share * longer_s


def _shorter_s(one: Seen, other: Seen) -> float:
    return min(one.elapsed_s, other.elapsed_s)


def _overlap_s(one: Seen, other: Seen) -> float:
    begins = max(one.started_at, other.started_at)
    ends = min(one.started_at + timedelta(seconds=one.elapsed_s), other.started_at + timedelta(seconds=other.elapsed_s))
    return max((ends - begins) / timedelta(seconds=1), 0.0)

"""Heart rate variability, resting heart rate and sleep: each against the athlete's own recent past."""

from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array

WEEK, SEASON = 7, 60  # days of the short mean, and of what it is compared with
LEAST_WEEK, LEAST_SEASON = 4, 14  # nights that each needs
BAND_SD = 0.75
FLAG_BPM, FLAG_SD = 3.0, 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The usual range of ln rMSSD, and where the week's mean lies; None where too few nights are known."""

    week_ln: float | None
    cv_pct: float | None
    mean_ln: float | None
    low_ln: float | None
    high_ln: float | None
    nights_week: int
    nights_season: int

    @property
    def position(self) -> str:
        """Return below, within or above; empty when it cannot be said."""
        if self.week_ln is None or self.low_ln is None or self.high_ln is None:
            return ""
        return "below" if self.week_ln < self.low_ln else "above" if self.week_ln > self.high_ln else "within"


def hrv_band(values_ms: Array) -> Band:
    """Compare the mean ln of 7 nights (4 or more known) with the 60 before today, mean ± 0.75 SD (14 or more).

    One value a night in ms, oldest first, the last one last night, NaN where none was measured; one provider and one
    kind (rMSSD or SDNN) only. Source: Plews 2012 to 2014; Altini.
    """
    season, week = _last(values_ms, SEASON), _last(values_ms, WEEK)
    week_ln = float(np.mean(np.log(week))) if week.size >= LEAST_WEEK else None
    logs = np.log(season)
    mean = float(np.mean(logs)) if season.size >= LEAST_SEASON else None
    spread = float(np.std(logs, ddof=1)) if mean is not None else 0.0
    return Band(
        week_ln=week_ln,
        cv_pct=variation_pct(week) if week.size >= LEAST_WEEK else None,
        mean_ln=mean,
        low_ln=None if mean is None else mean - BAND_SD * spread,
        high_ln=None if mean is None else mean + BAND_SD * spread,
        nights_week=week.size,
        nights_season=season.size,
    )


def variation_pct(values_ms: Array) -> float | None:
    """Return the coefficient of variation of ln values: sample SD over mean, in percent."""
    logs = np.log(values_ms)
    mean = float(np.mean(logs)) if logs.size > 1 else 0.0
    return 100 * float(np.std(logs, ddof=1)) / mean if mean > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """The week's resting heart rate and how far it is from 60 days; None where too few days are known."""

    week_bpm: float | None
    delta_bpm: float | None
    is_flagged: bool


def resting(values_bpm: Array) -> Resting:
    """Return the mean of 7 days less that of 60; flagged when it is 3 bpm and one SD or more above.

    One value a day, oldest first, NaN where none was measured.
    """
    week, season = _last(values_bpm, WEEK), _last(values_bpm, SEASON)
    week_bpm = float(np.mean(week)) if week.size >= LEAST_WEEK else None
    if week_bpm is None or season.size < LEAST_SEASON:
        return Resting(week_bpm=week_bpm, delta_bpm=None, is_flagged=False)
    delta = week_bpm - float(np.mean(season))
    spread = float(np.std(season, ddof=1))
    return Resting(week_bpm=week_bpm, delta_bpm=delta, is_flagged=delta >= FLAG_BPM and delta >= FLAG_SD * spread)


def sleep_debt_min(asleep_min: Array, *, need_min: float) -> float | None:
    """Return the sum of need less sleep over the known nights, never below 0; None when no night is known.

    A missing night is not a night without sleep. Surplus counts against deficits. Source: convention.
    """
    known = asleep_min[np.isfinite(asleep_min)]
    return max(0.0, float(np.sum(need_min - known))) if known.size else None


def clock_spread_min(moments_min: Array) -> float | None:
    """Return the sample SD of times of day in minutes, on the circle: 23:50 and 0:10 lie 20 minutes apart."""
    known = moments_min[np.isfinite(moments_min)]
    if known.size < 3:
        return None
    angles = known * (2 * np.pi / 1440)
    middle = np.angle(np.mean(np.exp(1j * angles))) * 1440 / (2 * np.pi)
    apart = (known - middle + 720) % 1440 - 720
    return float(np.sqrt(np.sum(apart**2) / (known.size - 1)))


def _last(values: Array, days: int) -> Array:
    last = values[-days:]
    known: Array = last[np.isfinite(last) & (last > 0)]
    return known

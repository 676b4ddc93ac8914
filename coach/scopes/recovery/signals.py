"""What was measured in the nights and mornings up to today: one provider a signal, NaN where nothing was."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from coach import places, preferred
from coach.formats.recording import Array
from coach.metrics import recovery
from coach.metrics.recovery import Band, Resting
from coach.models import Athlete, Night
from coach.preferred import Series

DAY = timedelta(days=1)
READ_DAYS = 90
CHART_DAYS = 60
FRESH_DAYS = 14  # signals that ended longer ago say nothing of today
WEEK, FORTNIGHT = 7, 14
RESTING, ASLEEP = ("resting_heart_rate_bpm",), ("sleep_min",)
KINDS = {"hrv_rmssd_ms": "rMSSD", "hrv_sdnn_ms": "SDNN"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    today: date
    need_min: float
    hrv: Series | None
    resting: Series | None
    asleep: Mapping[date, float]  # minutes by wake date
    nights: tuple[Night, ...]
    sleeper: str

    @property
    def last_day(self) -> date | None:
        days = [*(self.hrv.values if self.hrv else ()), *(self.resting.values if self.resting else ()), *self.asleep]
        return max(days, default=None)

    @property
    def is_fresh(self) -> bool:
        return self.last_day is not None and (self.today - self.last_day).days < FRESH_DAYS

    def row(self, values: Mapping[date, float], *, days: int = READ_DAYS) -> Array:
        """Return a value a day, the last one today's."""
        return np.array([values.get(self.today - DAY * back, np.nan) for back in range(days - 1, -1, -1)])

    def hrv_ms(self) -> Array:
        return self.row(self.hrv.values if self.hrv else {})

    def resting_bpm(self) -> Array:
        return self.row(self.resting.values if self.resting else {})

    def band(self) -> Band:
        return recovery.hrv_band(self.hrv_ms())

    def rest(self) -> Resting:
        return recovery.resting(self.resting_bpm())

    def debt_min(self, days: int) -> float | None:
        return recovery.sleep_debt_min(self.row(self.asleep, days=days), need_min=self.need_min)

    def bedtimes_min(self) -> Array:
        """Return when each night of the last fortnight began, in minutes of the clock on its wall."""
        first = self.today - DAY * (FORTNIGHT - 1)
        began = [
            places.local(night.start_at, night.time_zone) for night in self.nights
            if night.start_at and night.wake_date >= first
        ]  # fmt: skip
        return np.array([moment.hour * 60 + moment.minute for moment in began], dtype=float)


def signals_of(athlete: Athlete) -> Signals:
    """Read ninety days; two queries."""
    today = athlete.today()
    since = today - DAY * (READ_DAYS - 1)
    hrv, resting, slept = preferred.daily(athlete, [preferred.HRV, RESTING, ASLEEP], since=since, until=today)
    nights = preferred.recent_nights(athlete, since=since, until=today)
    asleep = {night.wake_date: night.asleep_min for night in nights if night.asleep_min is not None}
    return Signals(
        today=today,
        need_min=float(athlete.sleep_need_min),
        hrv=hrv,
        resting=resting,
        asleep=asleep or (dict(slept.values) if slept else {}),
        nights=tuple(nights),
        sleeper=nights[0].provider if asleep else slept.provider if slept else "",
    )

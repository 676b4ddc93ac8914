"""Leaves out of what a file says of days and nights what no body and no calendar can have."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from coach.formats.wellness import METRICS, Contents, Night

EARLIEST = date(1980, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """What may be stored, and how much was left out."""

    contents: Contents
    implausible: int
    undated: int


def sift(contents: Contents) -> Sifted:
    """Leave out what lies outside the limits of METRICS or on an impossible day."""
    days = Possible.now()
    nights = tuple(night for night in contents.nights if night.wake_date in days)
    measures = tuple(measure for measure in contents.measures if measure.local_date in days)
    sound_nights = tuple(night for night in nights if is_plausible(night))
    sound_measures = tuple(measure for measure in measures if within(measure.metric, measure.value))
    curves = tuple(curve for curve in contents.curves if curve.local_date in days)
    return Sifted(
        contents=replace(contents, nights=sound_nights, measures=sound_measures, curves=curves),
        implausible=len(nights) + len(measures) - len(sound_nights) - len(sound_measures),
        undated=len(contents.nights) + len(contents.measures) - len(nights) - len(measures),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """The days that can have been measured; tomorrow is today somewhere."""

    last: date

    @classmethod
    def now(cls) -> "Possible":
        return cls(last=datetime.now(UTC).date() + timedelta(days=1))

    def __contains__(self, day: date) -> bool:
        return EARLIEST <= day <= self.last


def within(metric: str, value: float) -> bool:
    """Say whether the metric is known and a body can have this value; NaN is none."""
    limits = METRICS.get(metric)
    return limits is not None and limits.least <= value <= limits.most


def is_plausible(night: Night) -> bool:
    spans = [span for span in (night.asleep_min, night.in_bed_min) if span is not None]
    return bool(spans) and all(within("sleep_min", span) for span in spans)

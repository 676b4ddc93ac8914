"""From values to places: a span of values, its ticks, and the strings that SVG wants."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import dateformat
from django.utils.translation import gettext

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
TIME_STEPS_S = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
LEAST_STEP_S = 60
NAME_ROOM = 0.12  # of the width, for a month


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Values from low to high laid out from pixel `bottom` up to pixel `top`."""

    low: float
    high: float
    top: float
    bottom: float

    def y(self, value: float) -> float:
        extent = self.high - self.low
        share = (value - self.low) / extent if extent > 0 else 0.5
        return self.bottom - share * (self.bottom - self.top)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    at: str  # percent across, or pixels down
    text: str


def percent(share: float) -> str:
    return f"{share * 100:.2f}%"


def pixels(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def measured(values: Iterable[float | None]) -> list[float]:
    """Return what was measured, without gaps."""
    return [value for value in values if value is not None and math.isfinite(value)]


def day(value: date | str) -> date:
    return value if isinstance(value, date) else date.fromisoformat(value)


def nice_step(extent: float, *, at_most: int) -> float:
    """Return the smallest round step that puts at most so many ticks on the extent."""
    raw = extent / max(at_most, 1)
    if raw <= 0:
        return 1.0
    scale = 10.0 ** math.floor(math.log10(raw))
    return next(step * scale for step in STEPS if step * scale >= raw * 0.999)


def value_ticks(span: Span, *, at_most: int = 4) -> tuple[Tick, ...]:
    """Round values inside the span; its lowest edge is left out, the axis line says that."""
    step = nice_step(span.high - span.low, at_most=at_most)
    first = math.floor(span.low / step) + 1
    last = math.floor(span.high / step)
    return tuple(Tick(at=pixels(span.y(n * step)), text=f"{n * step:g}") for n in range(first, last + 1))


def month_ticks(days: Sequence[date]) -> tuple[Tick, ...]:
    """A tick at the first day of each month, and of the one it begins in where that has room for its name."""
    last = max(len(days) - 1, 1)
    firsts = [place for place, moment in enumerate(days) if moment.day == 1 and place / last < 0.96]
    if not firsts or firsts[0] / last >= NAME_ROOM:
        firsts.insert(0, 0)
    return tuple(Tick(at=percent(place / last), text=dateformat.format(days[place], gettext("M"))) for place in firsts)


def time_ticks(until_s: float, *, from_s: float = 0.0, at_most: int = 6) -> tuple[Tick, ...]:
    """Ticks at whole seconds, minutes, hours or days of elapsed time; under a minute apart with their seconds."""
    total_s, longest = until_s - from_s, TIME_STEPS_S[-1]
    least = LEAST_STEP_S if from_s == 0 and total_s >= LEAST_STEP_S else 0
    steps = (step for step in TIME_STEPS_S if step >= least and total_s / step <= at_most)
    step = next(steps, longest * math.ceil(total_s / longest / at_most))
    marks = range(math.ceil(from_s / step) * step, math.floor(until_s) + 1, step)
    told = clock if step >= LEAST_STEP_S else exact_clock
    shares = [((second - from_s) / total_s, second) for second in marks]
    return tuple(Tick(at=percent(share), text=told(second)) for share, second in shares if share < 0.94)


def clock(seconds: float) -> str:
    """0:05 is five minutes, 1:30 is an hour and a half."""
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02d}"


def exact_clock(seconds: float) -> str:
    """0:05:30 is five and a half minutes."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"

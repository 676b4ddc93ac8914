"""Rounds and formats values for people; nothing else in Coach does."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

UNKNOWN = "–"
METRES_PER_MILE = 1609.344
METRES_PER_FOOT = 0.3048
KILOGRAMS_PER_POUND = 0.45359237
SLOWEST_PACE_MPS = 0.3
SLOWEST_SWIM_MPS = 0.1
MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905
HAN_WEEKDAYS = "一二三四五六日"
HAN_UNITS = {
    "h": "小时",
    "min": "分钟",
    "s": "秒",
    "ms": "毫秒",
    "km": "公里",
    "m": "米",
    "mi": "英里",
    "ft": "英尺",
    "kg": "公斤",
    "lb": "磅",
    "W": "瓦",
    "kJ": "千焦",
    "kcal": "千卡",
    "bpm": "次/分",
    "rpm": "转/分",
    "spm": "步/分",
    "km/h": "公里/时",
    "mph": "英里/时",
    "W/kg": "瓦/公斤",
    "kg/week": "公斤/周",
    "lb/week": "磅/周",
    "s/km": "秒/公里",
    "s/mi": "秒/英里",
    "/km": "/公里",
    "/mi": "/英里",
    "/100m": "/100米",
    "/100yd": "/100码",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one athlete reads values."""

    units: str = "metric"  # or "imperial"
    language: str = "en"

    @property
    def imperial(self) -> bool:
        return self.units == "imperial"

    @property
    def chinese(self) -> bool:
        return self.language.startswith("zh")


METRIC = Style()


def number(value: float, *, digits: int = 0) -> str:
    """Return the value rounded, with a real minus sign and never as a negative zero."""
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    return text.replace("-", "−")


def signed(value: float, *, digits: int = 0) -> str:
    text = number(value, digits=digits)
    return f"+{text}" if round(value, digits) > 0 else text


def duration(seconds: float) -> str:
    """Return 1:02:10, 42:10 or 0:09."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def hours(seconds: float) -> str:
    """Return a sum of training time: 5 h 20 min, or 40 min."""
    full, minutes = divmod(round(seconds / 60), 60)
    return f"{full} h {minutes:02d} min" if full else f"{minutes} min"


def distance(metres: float, *, style: Style = METRIC) -> str:
    """Return 12.4 km, 5.02 km, 850 m; or miles."""
    if style.imperial:
        miles = metres / METRES_PER_MILE
        return f"{number(miles, digits=1 if miles >= 9.995 else 2)} mi"
    if metres < 999.5:
        return f"{number(metres)} m"
    return f"{number(metres / 1000, digits=1 if metres >= 9995 else 2)} km"


def height(metres: float, *, style: Style = METRIC) -> str:
    return f"{number(metres / METRES_PER_FOOT)} ft" if style.imperial else f"{number(metres)} m"


def pace(metres_per_second: float, *, style: Style = METRIC) -> str:
    """Return 4:30 /km or 7:15 /mi; nothing is said of standing still."""
    if metres_per_second < SLOWEST_PACE_MPS:
        return UNKNOWN
    unit_m, unit = (METRES_PER_MILE, "mi") if style.imperial else (1000.0, "km")
    return f"{duration(unit_m / metres_per_second)} /{unit}"


def pace_change(seconds_per_km: float, *, style: Style = METRIC) -> str:
    """Return how much a pace changes: −3.2 s/km; or a mile."""
    if style.imperial:
        return f"{signed(seconds_per_km * METRES_PER_MILE / 1000, digits=1)} s/mi"
    return f"{signed(seconds_per_km, digits=1)} s/km"


def swim_pace(metres_per_second: float, *, style: Style = METRIC) -> str:
    """Return 1:52 /100m or /100yd."""
    if metres_per_second < SLOWEST_SWIM_MPS:
        return UNKNOWN
    unit_m, unit = (91.44, "100yd") if style.imperial else (100.0, "100m")
    return f"{duration(unit_m / metres_per_second)} /{unit}"


def speed(metres_per_second: float, *, style: Style = METRIC) -> str:
    if style.imperial:
        return f"{number(metres_per_second * 3600 / METRES_PER_MILE, digits=1)} mph"
    return f"{number(metres_per_second * 3.6, digits=1)} km/h"


def power(watts: float) -> str:
    return f"{number(watts)} W"


def heart_rate(bpm: float) -> str:
    return f"{number(bpm)} bpm"


def cadence(rpm: float) -> str:
    return f"{number(rpm)} rpm"


def steps(rpm: float) -> str:
    """Return the steps a minute of single-leg revolutions."""
    return f"{number(2 * rpm)} spm"


def energy(kilocalories: float) -> str:
    return f"{number(kilocalories)} kcal"


def kilojoules(joules: float) -> str:
    return f"{number(joules / 1000, digits=1)} kJ"


def signed_heart_rate(bpm: float) -> str:
    return f"{signed(bpm, digits=1)} bpm"


def milliseconds(value: float) -> str:
    return f"{number(value)} ms"


def span(minutes: float) -> str:
    """Return minutes of sleep or of bedtimes: 7 h 21 min, or 38 min."""
    return hours(minutes * 60)


def in_unit(kilograms: float, *, style: Style = METRIC) -> float:
    """Return a weight in the athlete's unit, which is never mixed with the other."""
    return kilograms / KILOGRAMS_PER_POUND if style.imperial else kilograms


def mass_unit(style: Style = METRIC) -> str:
    return "lb" if style.imperial else "kg"


def weight(kilograms: float, *, style: Style = METRIC) -> str:
    """Return 79.9 kg, or 176.1 lb."""
    return f"{number(in_unit(kilograms, style=style), digits=1)} {mass_unit(style)}"


def signed_weight(kilograms: float, *, style: Style = METRIC) -> str:
    return f"{signed(in_unit(kilograms, style=style), digits=1)} {mass_unit(style)}"


def weekly_weight(kilograms: float, *, style: Style = METRIC) -> str:
    """Return a change a week: −0.25 kg/week."""
    return f"{signed(in_unit(kilograms, style=style), digits=2)} {mass_unit(style)}/week"


def power_to_weight(watts_per_kilogram: float) -> str:
    return f"{number(watts_per_kilogram, digits=2)} W/kg"


def percent(value: float, *, digits: int = 0) -> str:
    return f"{number(value, digits=digits)} %"


def signed_percent(value: float, *, digits: int = 0) -> str:
    return f"{signed(value, digits=digits)} %"


def day(value: date, *, style: Style = METRIC) -> str:
    """Return 24 November 2026."""
    if style.chinese:
        return f"{value.year}年{value.month}月{value.day}日"
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def narrow_day(value: date, *, style: Style = METRIC) -> str:
    """Return 24 Nov 2026, for a column of a table."""
    if style.chinese:
        return day(value, style=style)
    return f"{value.day} {MONTHS[value.month - 1][:3]} {value.year}"


def short_day(value: date, *, style: Style = METRIC) -> str:
    """Return Tue 24 Nov."""
    if style.chinese:
        return f"{value.month}月{value.day}日{initials(value, style=style)}"
    return f"{weekday(value)[:3]} {value.day} {MONTHS[value.month - 1][:3]}"


def weekday(value: date, *, style: Style = METRIC) -> str:
    if style.chinese:
        return f"星期{HAN_WEEKDAYS[value.weekday()]}"
    return WEEKDAYS[value.weekday()]


def initials(value: date, *, style: Style = METRIC) -> str:
    """Return the weekday as short as it is still understood: Tue."""
    return f"周{HAN_WEEKDAYS[value.weekday()]}" if style.chinese else weekday(value)[:3]


Shower = Callable[[float, Style], str]

# The kinds of value a fact can have, by the word its definition uses.
KINDS: Mapping[str, Shower] = {
    "duration": lambda value, _: duration(value),
    "hours": lambda value, _: hours(value),
    "distance": lambda value, style: distance(value, style=style),
    "height": lambda value, style: height(value, style=style),
    "pace": lambda value, style: pace(value, style=style),
    "swim_pace": lambda value, style: swim_pace(value, style=style),
    "speed": lambda value, style: speed(value, style=style),
    "power": lambda value, _: power(value),
    "heart_rate": lambda value, _: heart_rate(value),
    "cadence": lambda value, _: cadence(value),
    "steps": lambda value, _: steps(value),
    "energy": lambda value, _: energy(value),
    "kilojoules": lambda value, _: kilojoules(value),
    "points": lambda value, _: number(value),
    "signed_points": lambda value, _: signed(value),
    "signed_tenths": lambda value, _: signed(value, digits=1),
    "tenths": lambda value, _: number(value, digits=1),
    "thousandths": lambda value, _: number(value, digits=3),
    "signed_thousandths": lambda value, _: signed(value, digits=3),
    "signed_pace": lambda value, style: pace_change(value, style=style),
    "pace_spread": lambda value, style: pace_change(value, style=style).lstrip("+"),
    "signed_hours": lambda value, _: f"{signed(value, digits=1)} h",
    "hours_spread": lambda value, _: f"{number(value, digits=1)} h",
    "ratio": lambda value, _: number(value, digits=2),
    "percent": lambda value, _: percent(value),
    "signed_percent": lambda value, _: signed_percent(value),
    "signed_percent_tenths": lambda value, _: signed_percent(value, digits=1),
    "percent_tenths": lambda value, _: percent(value, digits=1),
    "count": lambda value, _: number(value),
    "signed_heart_rate": lambda value, _: signed_heart_rate(value),
    "milliseconds": lambda value, _: milliseconds(value),
    "span": lambda value, _: span(value),
    "weight": lambda value, style: weight(value, style=style),
    "signed_weight": lambda value, style: signed_weight(value, style=style),
    "weekly_weight": lambda value, style: weekly_weight(value, style=style),
    "power_to_weight": lambda value, _: power_to_weight(value),
}
DAYS: Mapping[str, Callable[..., str]] = {"day": day, "short_day": short_day, "weekday": weekday}


def unit(text: str, *, style: Style = METRIC) -> str:
    """Return a unit as the athlete reads it; one without a word of its own stays."""
    return HAN_UNITS.get(text, text) if style.chinese else text


def with_unit_words(text: str, *, style: Style = METRIC) -> str:
    """Return a formatted value with its units in the athlete's language: 12.4公里, 5小时20分钟, 70%."""
    if not style.chinese:
        return text
    return "".join(HAN_UNITS.get(part, part) for part in text.split(" ")).replace("小时00分钟", "小时")


def show(kind: str, value: float | str | None, *, style: Style = METRIC) -> str:
    """Format a value by the word for its kind; None and what is not a number are an en dash.

    "word" is text as it is; a day is given as ISO text. This alone knows the words of units in other languages; what
    it formats with does not.
    """
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return DAYS[kind](date.fromisoformat(value), style=style) if kind in DAYS else value
    return with_unit_words(KINDS[kind](value, style), style=style) if math.isfinite(value) else UNKNOWN

"""The load chart: fitness as a line, fatigue as a thin line, form as bars about zero."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach import display
from coach.templatetags.drawing import axis, line

TOP, PLOT, HEIGHT = 22, 190, 316
FORM_TOP, FORM_BOTTOM = 208, 292
BAR = 0.62  # of a day
TITLE = _("Fitness, fatigue and form by day")
LABEL_GAP = 17.0  # pixels between two direct labels

Entries = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    past: str
    ahead: str
    dot: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    name: str
    text: str
    y: str
    style: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadChart:
    fitness: Curve
    fatigue: Curve
    form: Curve
    labels: tuple[Label, ...]
    grid: tuple[axis.Tick, ...]
    months: tuple[axis.Tick, ...]
    zero: str
    today: str
    ahead: str  # width of the days to come; 0 where there are none
    first: date
    last: date
    title: str
    mark: str
    note: str
    words: str
    height: int = HEIGHT
    plot: int = PLOT
    form_top: int = FORM_TOP
    form_bottom: int = FORM_BOTTOM


def chart(data: Mapping[str, Any]) -> LoadChart | None:
    """Lay out `days` and `projected` (at rest from tomorrow on); None when there is no day to draw."""
    past: Entries = data.get("days") or []
    if not past:
        return None
    every = [*past, *(data.get("projected") or [])]
    days = [axis.day(entry["date"]) for entry in every]
    now, steps = len(past) - 1, max(len(every) - 1, 1)
    upper, lower = _upper(every), _lower(every)
    return LoadChart(
        fitness=_curve(every, "ctl", upper, now=now),
        fatigue=_curve(every, "atl", upper, now=now),
        form=_bars(every, lower, now=now),
        labels=_labels(past[-1], upper=upper, lower=lower),
        grid=axis.value_ticks(upper, at_most=4),
        months=axis.month_ticks(days),
        zero=axis.pixels(lower.y(0)),
        today=axis.percent(now / steps),
        ahead=axis.percent(1 - now / steps),
        first=days[0],
        last=days[now],
        title=data.get("title") or str(TITLE),
        mark=data.get("mark") or "",
        note=data.get("note") or "",
        words=_words(past),
    )


def _placed(entries: Entries, key: str, span: axis.Span) -> list[line.Point | None]:
    steps = max(len(entries) - 1, 1)
    return line.points([place / steps for place in range(len(entries))], _values(entries, key), span)


def _curve(entries: Entries, key: str, span: axis.Span, *, now: int) -> Curve:
    placed = _placed(entries, key, span)
    point = placed[now]
    return Curve(
        past=line.line(placed[: now + 1]),
        ahead=line.line(placed[now:]),
        dot=(axis.percent(point[0]), axis.pixels(point[1])) if point else None,
    )


def _bars(entries: Entries, span: axis.Span, *, now: int) -> Curve:
    placed = _placed(entries, "tsb", span)
    width = BAR / max(len(entries) - 1, 1)
    past, ahead = placed[: now + 1], placed[now + 1 :]
    return Curve(
        past=line.bars(past, floor=span.y(0), width=width), ahead=line.bars(ahead, floor=span.y(0), width=width)
    )


def _values(entries: Entries, key: str) -> list[float | None]:
    return [entry.get(key) for entry in entries]


def _upper(entries: Entries) -> axis.Span:
    high = max(axis.measured([*_values(entries, "ctl"), *_values(entries, "atl")]), default=0.0)
    return axis.Span(low=0, high=max(high, 10.0), top=TOP, bottom=PLOT)


def _lower(entries: Entries) -> axis.Span:
    form = axis.measured(_values(entries, "tsb"))
    return axis.Span(low=min([*form, -10.0]), high=max([*form, 10.0]), top=FORM_TOP + 4, bottom=FORM_BOTTOM - 4)


def _labels(latest: Mapping[str, Any], *, upper: axis.Span, lower: axis.Span) -> tuple[Label, ...]:
    """Name the last values at their points; where two lie close, push them apart."""
    named = [(gettext("Fitness"), "ctl", "fitness"), (gettext("Fatigue"), "atl", "fatigue")]
    wanted = sorted((upper.y(latest[key]), name, key, style) for name, key, style in named if _has(latest, key))
    if len(wanted) == 2 and wanted[1][0] - wanted[0][0] < LABEL_GAP:
        middle = min((wanted[0][0] + wanted[1][0]) / 2, PLOT - LABEL_GAP / 2)
        offsets = (-LABEL_GAP / 2, LABEL_GAP / 2)
        wanted = [(middle + offset, *one[1:]) for offset, one in zip(offsets, wanted, strict=True)]
    if _has(latest, "tsb"):
        between = FORM_TOP + LABEL_GAP + 8, FORM_BOTTOM - LABEL_GAP - 8  # the words above and below have room
        y = min(max(lower.y(latest["tsb"] / 2), between[0]), between[1])
        wanted.append((y, gettext("Form"), "tsb", "form"))
    return tuple(
        Label(name=name, text=_shown(latest[key], is_signed=key == "tsb"), y=axis.pixels(y + 4), style=style)
        for y, name, key, style in wanted
    )


def _has(entry: Mapping[str, Any], key: str) -> bool:
    return entry.get(key) is not None


def _shown(value: float, *, is_signed: bool) -> str:
    return display.signed(value) if is_signed else display.number(value)


def _words(past: Entries) -> str:
    """Say the chart in a sentence, for those who do not see it."""
    first, last = past[0], past[-1]
    if not (_has(first, "ctl") and all(_has(last, key) for key in ("ctl", "atl", "tsb"))):
        return gettext("Fitness, fatigue and form by day.")
    said = gettext("Fitness goes from %(first)s to %(last)s; on the last day fatigue is %(fatigue)s and form %(form)s.")
    return said % {
        "first": display.number(first["ctl"]),
        "last": display.number(last["ctl"]),
        "fatigue": display.number(last["atl"]),
        "form": display.signed(last["tsb"]),
    }

"""Thresholds that recent efforts let expect: shown, taken or left, and never applied by themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction

from coach import thresholds
from coach.metrics import suggested
from coach.metrics.peaks import PULSE_S, STEADY_LAST_S
from coach.models import Athlete, Best, Suggestion, Threshold
from coach.models.best import BestQuerySet
from jobs import api

LATELY = timedelta(days=90)
TESTED_M = (3000, 5000, 10_000, 15_000, 21_097)
Kind, State, Measure = Threshold.Kind, Suggestion.State, Best.Measure
# Derived by a rule, so it holds as an estimate; a heart rate that was measured is none.
DERIVED = frozenset({Kind.FTP, Kind.PACE})
WORTH = {Kind.FTP: 0.02, Kind.PACE: 0.02, Kind.LTHR: 0.01, Kind.HR_MAX: 0.005}  # of the value that holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    kind: Threshold.Kind
    value: float
    best: Best
    sentence: str

    def beats(self, value: float, *, by: float = 0.0) -> bool:
        """Say whether it is better than a value: faster for a pace, else more."""
        if self.kind == Kind.PACE:
            return self.value < value * (1 - by)
        return self.value > value * (1 + by)


def open_ones(athlete: Athlete) -> list[Suggestion]:
    return list(Suggestion.objects.filter(athlete=athlete, state=State.OPEN).select_related("activity"))


def renew(athlete: Athlete) -> int:
    """Have exactly the suggestions that the efforts of ninety days support; return how many are open.

    None for what the athlete left, nor for what a threshold says that was set since.
    """
    held = {row.kind: row for row in Threshold.objects.filter(athlete=athlete).valid_on(athlete.today())}
    answered = list(Suggestion.objects.filter(athlete=athlete).exclude(state=State.OPEN))
    wanted = [found for found in _found(athlete, held) if _is_worth(found, held.get(found.kind), answered)]
    keep = [(found.best.activity_id, found.kind) for found in wanted]
    for row in Suggestion.objects.filter(athlete=athlete, state=State.OPEN):
        if (row.activity_id, row.kind) not in keep:
            row.delete()
    for found in wanted:
        said = {"value": found.value, "day": found.best.local_date, "sentence": found.sentence, "state": State.OPEN}
        Suggestion.objects.update_or_create(
            athlete=athlete, activity_id=found.best.activity_id, kind=found.kind, defaults=said
        )
    return len(wanted)


def take(suggestion: Suggestion) -> api.Ticket:
    """Make it a threshold from its day on, and have the history measured by it."""
    with transaction.atomic():
        Threshold.objects.update_or_create(
            athlete=suggestion.athlete,
            kind=suggestion.kind,
            valid_from=suggestion.day,
            defaults={"value": suggestion.value, "estimated": Kind(suggestion.kind) in DERIVED},
        )
        Suggestion.objects.filter(pk=suggestion.pk).update(state=State.TAKEN)
    return thresholds.changed(suggestion.athlete)


def leave(suggestion: Suggestion) -> None:
    """Say no to it; only a better one is shown again."""
    Suggestion.objects.filter(pk=suggestion.pk).update(state=State.LEFT)


def _is_worth(found: Found, held: Threshold | None, answered: list[Suggestion]) -> bool:
    if held and (held.valid_from > found.best.local_date or not found.beats(held.value, by=WORTH[found.kind])):
        return False
    same = [row for row in answered if row.kind == found.kind and row.day >= found.best.local_date - LATELY]
    return all(found.beats(row.value) for row in same)


def _found(athlete: Athlete, held: dict[str, Threshold]) -> Iterator[Found]:
    today = athlete.today()
    rows = Best.objects.filter(athlete=athlete).sound().counted().between(today - LATELY, today)
    yield from _power(rows)
    yield from _pace(rows)
    yield from _pulses(rows, held)


def _power(rows: BestQuerySet) -> Iterator[Found]:
    best = rows.filter(family="cycling", measure=Measure.POWER, span=1200).order_by("-value", "pk").first()
    if best:
        sentence = f"95 % of your best 20 minutes, {best.value:.0f} W on {_day(best.local_date)}."
        yield Found(kind=Kind.FTP, value=float(round(suggested.ftp_w(best.value))), best=best, sentence=sentence)


def _pace(rows: BestQuerySet) -> Iterator[Found]:
    runs = rows.filter(family="running", measure=Measure.TIME, span__in=TESTED_M)
    paces = [(pace, row) for row in runs if (pace := _paced(row)) is not None]
    if paces:
        pace, best = min(paces, key=lambda pair: (pair[0], pair[1].pk))
        sentence = (
            f"The pace at 88 % of the VDOT of {best.span / 1000:g} km in {_clock(best.value)} on "
            f"{_day(best.local_date)}."
        )
        yield Found(kind=Kind.PACE, value=float(round(pace)), best=best, sentence=sentence)


def _pulses(rows: BestQuerySet, held: dict[str, Threshold]) -> Iterator[Found]:
    pulses = rows.filter(measure=Measure.PULSE)
    highest = pulses.filter(span=PULSE_S, value__lte=suggested.MOST_BPM).order_by("-value", "pk").first()
    if highest:
        sentence = f"The highest heart rate that held for 5 seconds, on {_day(highest.local_date)}."
        yield Found(kind=Kind.HR_MAX, value=float(round(highest.value)), best=highest, sentence=sentence)
    known = [held[Kind.HR_MAX].value] if Kind.HR_MAX in held else []
    most = max([*known, *([highest.value] if highest else [])], default=None)
    steady = pulses.filter(span=STEADY_LAST_S).order_by("-value", "pk").first()
    if steady and suggested.is_hard(steady.value, max_bpm=most):
        sentence = f"The mean of the last 20 of 30 even and hard minutes, on {_day(steady.local_date)}."
        yield Found(kind=Kind.LTHR, value=float(round(steady.value)), best=steady, sentence=sentence)


def _paced(row: Best) -> float | None:
    return suggested.threshold_pace_s_per_km(row.span, seconds=row.value)


def _day(day: date) -> str:
    return f"{day:%-d %B %Y}"


def _clock(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02d}"

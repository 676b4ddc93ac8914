"""Puts the facts of records together."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.metrics.bests import CRITICAL_SECONDS, critical_power
from coach.metrics.peaks import DISTANCES_M
from coach.models import Athlete, Best
from coach.scopes.facts import Facts
from coach.scopes.records import charts
from coach.scopes.records.bests import POWER, TIME, Bests, Record, bests_of
from coach.scopes.records.chinese import SAID
from coach.scopes.records.running import predictions, worth_of
from coach.scopes.records.spans import called, distance_word, is_spoken
from coach.scopes.records.terms import HEAD, NEW_DAYS, TAIL, newest, of_best, of_prediction
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.terms import Term, Value, state, style_of, unknown, worded

FAMILIES = {"running": "Running", "cycling": "Cycling", "swimming": "Swimming", "walking": "Walking and hiking"}
NOTHING = (
    "There is no best of yours in this sport yet. Upload recordings with distance or power (FIT, GPX or TCX files): "
    "summaries without samples hold no bests."
)
UNSOUND = (
    "What is here of this sport was done in a virtual world, with a motor or downhill, or it is not plausible, so "
    "nothing of it is called a record. Upload a session outdoors."
)


@scope(
    "records",
    title="Records",
    question="What is my best, and when?",
    answers=(
        "the newest record with its day, and what it beat, or that none is new",
        "a dated best for each record that is named",
        "critical power or VDOT where it is a fact, and a prediction only with the result behind it",
    ),
)
def records(athlete: Athlete, subject: str) -> Facts:
    """Facts of the bests in one family of sports."""
    if subject not in DISTANCES_M:
        raise UnknownSubject(f"There are no records of {subject!r}; there are {', '.join(sorted(DISTANCES_M))}.")
    style = style_of(athlete)
    title = worded(f"Records: {FAMILIES[subject].lower()}", SAID, style=style)
    bests = bests_of(athlete, subject)
    if bests is None or not any(record.best for record in bests.records):
        why = worded(NOTHING if bests is None else UNSOUND, SAID, style=style)
        return Facts(
            scope="records", subject=subject, title=title, insufficient=why, as_of=bests.until if bests else None
        )
    facts = state(terms_of(bests), values_of(bests, athlete), style=style)
    return Facts(
        scope="records",
        subject=subject,
        title=title,
        facts=facts,
        as_of=bests.until,
        missing=unknown(facts),
        charts=pictures(bests, athlete, style=style),
        tables={"records": charts.table(bests, today=athlete.today(), style=style)},
    )


def pictures(bests: Bests, athlete: Athlete, *, style: Style) -> dict[str, Any]:
    drawn = {
        "power": charts.curve(bests, POWER, style=style),
        "pace": charts.curve(bests, TIME, style=style),
        "rows": charts.rows(bests, today=athlete.today(), style=style),
        "doubted": charts.doubted(bests, style=style),
    }
    return {name: chart for name, chart in drawn.items() if chart}


def terms_of(bests: Bests) -> tuple[Term, ...]:
    (value, before, gain), (what, on, age) = newest(latest(bests).measure), HEAD
    found = [what, value, on, gain, before, age]
    for record in spoken(bests):
        found += of_best(record.measure, record.span)
    found += TAIL
    for one in predictions(recent_times(bests)) if bests.family == "running" else ():
        found += of_prediction(one.distance_m)
    return tuple(found)


def values_of(bests: Bests, athlete: Athlete) -> dict[str, Value]:
    values = of_newest(latest(bests), today=athlete.today())
    for record in spoken(bests):
        key = f"best_{record.measure}_{record.span}"
        values |= of_record(record, key=key) | {f"{key}_what": called(record.measure, record.span)}
    values["new_count"] = float(sum(record.is_new(athlete.today(), days=NEW_DAYS) for record in bests.records))
    return values | of_power(bests) | (of_running(bests) if bests.family == "running" else {})


def spoken(bests: Bests) -> Iterator[Record]:
    return (one for one in bests.records if one.best and is_spoken(bests.family, one.measure, one.span))


def latest(bests: Bests) -> Record:
    """Return the record that was set last; of one day the one that a text may speak of, and that beat another."""
    known = [record for record in bests.records if record.best]

    def rank(record: Record) -> tuple[Any, ...]:
        share = (record.gain or 0.0) / record.best.value if record.best else 0.0
        day = record.best.local_date if record.best else bests.until
        return day, bool(record.gain), is_spoken(bests.family, record.measure, record.span), share

    return max(known, key=rank)


def of_record(record: Record, *, key: str) -> dict[str, Value]:
    """Return the best, its day, the one before and the gain; nothing of what is not there."""
    if record.best is None:
        return {}
    values: dict[str, Value] = {key: record.best.value, f"{key}_on": record.best.local_date.isoformat()}
    if record.before and record.gain is not None:
        values |= {f"{key}_before": record.before.value, f"{key}_gain": record.gain}
    return values


def of_newest(record: Record, *, today: date) -> dict[str, Value]:
    if record.best is None:
        return {}
    values: dict[str, Value] = {
        "newest_best_what": called(record.measure, record.span),
        "newest_best": record.best.value,
        "newest_best_on": record.best.local_date.isoformat(),
        "newest_best_age": float((today - record.best.local_date).days),
    }
    if record.before and record.gain is not None:
        values |= {"newest_best_before": record.before.value, "newest_gain": record.gain}
    return values


def of_power(bests: Bests) -> dict[str, Value]:
    """Return critical power from the bests of ninety days, where there are three or more."""
    shortest, longest = CRITICAL_SECONDS
    lately = [record.lately for record in bests.of(POWER) if record.lately]
    points = {float(best.span): best.value for best in lately if shortest <= best.span <= longest}
    found = critical_power(points)
    if found is None:
        return {}
    return {"cp": found.cp_w, "w_prime": found.w_prime_j, "cp_points": float(len(points))}


def recent_times(bests: Bests) -> dict[int, Best]:
    return {record.span: record.lately for record in bests.of(TIME) if record.lately}


def of_running(bests: Bests) -> dict[str, Value]:
    times = recent_times(bests)
    worth = worth_of(times.values())
    if worth is None:
        return {}
    values: dict[str, Value] = {
        "vdot": worth.vdot,
        "vdot_from": f"{distance_word(worth.best.span)} in {display.duration(worth.best.value)}",
        "vdot_from_on": worth.best.local_date.isoformat(),
    }
    for one in predictions(times):
        on = display.day(one.input.local_date)
        result = f"{distance_word(one.input.span)} in {display.duration(one.input.value)}, {on}"
        values |= {f"predicted_{one.distance_m}": one.seconds, f"predicted_{one.distance_m}_from": result}
    return values

"""Puts the facts of today together."""

import numpy as np

from coach.metrics.recovery import LEAST_WEEK
from coach.models import Athlete
from coach.scopes.facts import Facts
from coach.scopes.goal import TERMS as GOAL
from coach.scopes.load.days import DAY, Days, days_of
from coach.scopes.load.facts import rounded
from coach.scopes.load.terms import SETTLING_DAYS
from coach.scopes.recovery import facts as nights
from coach.scopes.recovery.apart import Apart, apart
from coach.scopes.recovery.signals import WEEK, Signals, signals_of
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.terms import History, Value, state, style_of, unknown, worded
from coach.scopes.today import ahead as plan
from coach.scopes.today import charts
from coach.scopes.today.chinese import SAID
from coach.scopes.today.terms import TERMS
from coach.scopes.today.verdict import AND, BREAK_DAYS, WORDS, Standing, verdict

TITLE = "Today"
NOTHING = (
    "There is nothing here to judge the day by yet. Upload your recordings (FIT, GPX or TCX files, or a zip of them), "
    "and what your watch or ring knows of your nights."
)


@scope(
    "today",
    title=TITLE,
    question="What should I do today?",
    answers=(
        "the verdict, exactly as the rule found it",
        "the two facts that decide",
        "what is missing, where something is",
        "what is planned for today and how far the goal is, where they are facts; what is planned is not done",
    ),
)
def today(athlete: Athlete, subject: str) -> Facts:
    """Facts of this day; its only subject is `current`."""
    if subject != "current":
        raise UnknownSubject(f"Today has no subject {subject!r}; it is always current.")
    days, signals, ahead = days_of(athlete), signals_of(athlete), plan.ahead_of(athlete)
    style = style_of(athlete)
    title = worded(TITLE, SAID, style=style)
    drawn = {"plan": plan.listed(ahead, style=style)}
    if days is None and not signals.is_fresh:
        nothing = worded(NOTHING, SAID, style=style)
        return Facts(
            scope="today", subject=subject, title=title, insufficient=nothing, as_of=signals.today, charts=drawn
        )
    values = training(days) | recovering(signals) | plan.values_of(ahead)
    values |= judged(days, apart(signals), values) | {"today": signals.today.isoformat()}
    facts = state((*TERMS, *GOAL), values, style=style, histories=histories(days, signals))
    return Facts(
        scope="today",
        subject=subject,
        title=title,
        facts=facts,
        as_of=signals.today,
        missing=unknown(facts),
        charts=drawn | charts.chart(days, signals, style=style),
        tables=charts.table(days, signals, style=style),
        guessed=days.guessed if days else 0,
    )


def training(days: Days | None) -> dict[str, Value]:
    if days is None:
        return {"tsb": None}
    yesterday = days.at(days.today - DAY)
    values: dict[str, Value] = {
        "tsb": days.morning_tsb,
        "ctl": float(days.fitness.ctl[-1]),
        "atl": float(days.fitness.atl[-1]),
        "load_yesterday": float(days.loads[yesterday]) if yesterday >= 0 else 0.0,
    }
    if days.last_hard is not None:
        values["days_since_hard"] = float((days.today - days.last_hard).days)
    return values | ({"days_away": float(days.days_away)} if days.days_away >= BREAK_DAYS else {})


def recovering(signals: Signals) -> dict[str, Value]:
    """Return the signals of recovery as the recovery screen has them."""
    found = nights.hrv(signals) | nights.resting(signals)
    week = signals.row(signals.asleep, days=WEEK)
    enough = int(np.isfinite(week).sum()) >= LEAST_WEEK
    kept = {key: found.get(key) for key in ("hrv_7d", "hrv_position", "rhr_delta")}
    kept |= {key: found[key] for key in ("hrv_kind", "rhr_state") if key in found}
    return {
        **kept,
        "sleep_last": signals.asleep.get(signals.today),
        "sleep_debt": signals.debt_min(WEEK) if enough else None,
    }


def judged(days: Days | None, signals: Apart, values: dict[str, Value]) -> dict[str, Value]:
    hard = values.get("days_since_hard")
    found = verdict(
        Standing(
            tsb=days.morning_tsb if days else None,
            days_since_hard=int(hard) if isinstance(hard, float) else None,
            is_settled=bool(days and days.loads.size >= SETTLING_DAYS),
            is_away="days_away" in values,
            is_planned="planned" in values,
            apart=signals,
        )
    )
    missing = lacking(days, signals, values)
    return {
        "verdict": found.word,
        **({"because": AND.join(WORDS[key] for key in found.because)} if found.because else {}),
        **({"signals_missing": missing} if missing else {}),
    }


def lacking(days: Days | None, signals: Apart, values: dict[str, Value]) -> str:
    """Name what the verdict had to do without."""
    absent = {
        "training": days is None,
        "HRV": signals.hrv is None,
        "resting heart rate": signals.resting is None,
        "a week of sleep": signals.sleep is None,
        "last night": signals.sleep is not None and values["sleep_last"] is None,
    }
    return ", ".join(word for word, is_absent in absent.items() if is_absent)


def histories(days: Days | None, signals: Signals) -> dict[str, History]:
    past = nights.histories(signals)
    found = {"hrv_7d": past["hrv_7d"], "sleep_last": past["asleep_mean"]}
    return found | ({"tsb": rounded(days.fitness.tsb), "ctl": rounded(days.fitness.ctl)} if days else {})

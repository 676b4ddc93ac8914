"""Puts the facts of recovery together."""

import numpy as np

from coach.display import Style
from coach.metrics import recovery as metrics
from coach.models import Athlete
from coach.models.wellness import Night
from coach.scopes.facts import Facts
from coach.scopes.recovery import charts
from coach.scopes.recovery.apart import apart
from coach.scopes.recovery.chinese import SAID
from coach.scopes.recovery.signals import DAY, KINDS, WEEK, Signals, signals_of
from coach.scopes.recovery.terms import TERMS
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.terms import History, Value, state, style_of, unknown, worded

TITLE = "Recovery"
HISTORY_DAYS = 42
HOW = (
    "Upload what your watch or ring knows of your nights: an Apple Health export, the files of your Garmin account, "
    "or a table with a column of sleep, HRV or resting heart rate."
)
NOTHING = "No night of the last 90 days is here, so there is nothing to compare. {how}"
OLD = "The newest night or morning value here is {days} days old and says nothing of today. {how}"


@scope(
    "recovery",
    title=TITLE,
    question="Am I recovering?",
    answers=(
        "where HRV lies in the athlete's own range, by its kind; never a norm, and never that more is better alone",
        "the resting heart rate against the athlete's own 60 days",
        "sleep against the athlete's need",
        "whether several signals agree; a single one or a single night is no verdict",
        "where nights are missing: how many more are needed",
    ),
)
def recovery(athlete: Athlete, subject: str) -> Facts:
    """Facts of the nights up to today; its only subject is `current`."""
    if subject != "current":
        raise UnknownSubject(f"Recovery has no subject {subject!r}; it is always current.")
    signals, style = signals_of(athlete), style_of(athlete)
    title = worded(TITLE, SAID, style=style)
    if not signals.is_fresh:
        sentence = ended(signals, style=style)
        return Facts(scope="recovery", subject=subject, title=title, insufficient=sentence, as_of=signals.today)
    facts = state(TERMS, values_of(signals), style=style, histories=histories(signals))
    drawn, listed = charts.pictures(signals, style=style)
    return Facts(
        scope="recovery",
        subject=subject,
        title=title,
        facts=facts,
        as_of=signals.today,
        missing=unknown(facts),
        charts=drawn,
        tables=listed,
    )


def ended(signals: Signals, *, style: Style) -> str:
    days = (signals.today - (signals.last_day or signals.today)).days
    sentence = worded(NOTHING if signals.last_day is None else OLD, SAID, style=style)
    return sentence.format(days=days, how=worded(HOW, SAID, style=style))


def values_of(signals: Signals) -> dict[str, Value]:
    """Return every value; one that could not be computed is there as None, one that does not apply is not there."""
    values: dict[str, Value] = {"agreement": apart(signals).word, "today": signals.today.isoformat()}
    return values | sleep(signals) | hrv(signals) | resting(signals)


def sleep(signals: Signals) -> dict[str, Value]:
    """Return the facts of sleep; below four nights of the week no mean and no debt is claimed."""
    week = signals.row(signals.asleep, days=WEEK)
    nights = int(np.isfinite(week).sum())
    if not signals.asleep:
        return {"asleep_mean": None, "debt": None, "need": signals.need_min}
    last = max(signals.asleep)
    enough = nights >= metrics.LEAST_WEEK
    values: dict[str, Value] = {
        "asleep_mean": float(np.nanmean(week)) if enough else None,
        "asleep_last": signals.asleep[last],
        "last_night": last.isoformat(),
        "debt": signals.debt_min(WEEK) if enough else None,
        "debt_14": signals.debt_min(14) if enough else None,
        "nights": float(nights),
        "need": signals.need_min,
        "sleep_from": signals.sleeper,
    }
    if not enough:
        values["nights_short"] = float(metrics.LEAST_WEEK - nights)
    spread = metrics.clock_spread_min(signals.bedtimes_min())
    return values | ({"bedtime_sd": spread} if spread is not None else {}) | stages(signals)


def stages(signals: Signals) -> dict[str, Value]:
    """Return the mean of each stage over the nights of the week that have any."""
    first = signals.today - DAY * (WEEK - 1)
    staged: list[Night] = [night for night in signals.nights if night.stages and night.wake_date >= first]
    names = sorted({name for night in staged for name in night.stages} & {"deep", "rem", "light", "awake"})
    return {name: float(np.mean([night.stages.get(name, 0.0) for night in staged])) for name in names}


def hrv(signals: Signals) -> dict[str, Value]:
    if signals.hrv is None:
        return {"hrv_7d": None}
    band = signals.band()
    values: dict[str, Value] = {
        "hrv_7d": exp(band.week_ln),
        "hrv_kind": KINDS[signals.hrv.metric],
        "hrv_position": band.position or None,
        "hrv_low": exp(band.low_ln),
        "hrv_high": exp(band.high_ln),
        "hrv_cv": band.cv_pct,
        "hrv_from": signals.hrv.provider,
    }
    short = max(metrics.LEAST_WEEK - band.nights_week, metrics.LEAST_SEASON - band.nights_season)
    return values | ({"hrv_nights_short": float(short)} if short > 0 else {})


def resting(signals: Signals) -> dict[str, Value]:
    if signals.resting is None:
        return {"rhr_7d": None}
    found = signals.rest()
    known = np.isfinite(signals.resting_bpm())
    short = max(
        metrics.LEAST_WEEK - int(known[-metrics.WEEK :].sum()),
        metrics.LEAST_SEASON - int(known[-metrics.SEASON :].sum()),
    )
    values: dict[str, Value] = {
        "rhr_7d": found.week_bpm,
        "rhr_delta": found.delta_bpm,
        "rhr_from": signals.resting.provider,
    }
    if found.delta_bpm is None:
        return values | {"rhr_days_short": float(short)}
    return values | {"rhr_state": "raised" if found.is_flagged else "as usual"}


def exp(ln: float | None) -> float | None:
    return None if ln is None else float(np.exp(ln))


def histories(signals: Signals) -> dict[str, History]:
    rows = {
        "asleep_mean": signals.row(signals.asleep, days=HISTORY_DAYS),
        "hrv_7d": signals.hrv_ms()[-HISTORY_DAYS:],
        "rhr_7d": signals.resting_bpm()[-HISTORY_DAYS:],
    }
    return {
        key: tuple(None if np.isnan(value) else round(float(value), 1) for value in row) for key, row in rows.items()
    }

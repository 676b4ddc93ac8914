"""Puts the facts of load together."""

from coach.formats.recording import Array
from coach.metrics import fitness
from coach.models import Activity, Athlete
from coach.scopes.facts import Facts
from coach.scopes.load import charts, chinese
from coach.scopes.load.days import DAY, Days, ahead, days_of
from coach.scopes.load.terms import CONVENTION, GUIDE, SHARE_DAYS, TERMS, phase
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.shares import shares_pct
from coach.scopes.terms import History, Value, state, style_of, unknown, worded

HISTORY_DAYS = 42
TITLE = "Load"
NOTHING = (
    "There is no training to add up yet. Upload your recordings (FIT, GPX or TCX files, or a zip of them): "
    "fitness and form are computed from the first of them on."
)


@scope(
    "load",
    title=TITLE,
    question="Am I building, holding, overdoing?",
    answers=(
        "the phase, and by which convention it is named",
        "form this morning, and where it goes with rest where that is a fact",
        "where ramp is a fact: that five to seven points a week is a guide and no limit",
        "how much of the load is measured and how much estimated, where that matters",
        "when the phase is away: since when, fitness then and now, and how to start again with easy sessions",
    ),
)
def load(athlete: Athlete, subject: str) -> Facts:
    """Facts of the load up to today; its only subject is `current`."""
    if subject != "current":
        raise UnknownSubject(f"Load has no subject {subject!r}; it is always current.")
    days, style = days_of(athlete), style_of(athlete)
    title = worded(TITLE, chinese.SAID, style=style)
    if days is None:
        nothing = worded(NOTHING, chinese.SAID, style=style)
        return Facts(scope="load", subject=subject, title=title, insufficient=nothing, as_of=athlete.today())
    facts = state(TERMS, values_of(days), style=style, histories=histories(days))
    return Facts(
        scope="load",
        subject=subject,
        title=title,
        facts=facts,
        as_of=days.today,
        missing=unknown(facts),
        charts={"load": charts.chart(days, style=style)},
        tables={"load": charts.table(days, style=style)},
    )


def values_of(days: Days) -> dict[str, Value]:
    return levels(days) | (absence(days) if days.is_away else course(days)) | shares(days)


def levels(days: Days) -> dict[str, Value]:
    """Return what holds whether the athlete trains or not."""
    ramp = fitness.ramp(days.fitness.ctl) or 0.0
    return {
        "ctl": float(days.fitness.ctl[-1]),
        "atl": float(days.fitness.atl[-1]),
        "tsb": days.morning_tsb,
        "phase": phase(days_away=days.days_away, days=days.loads.size, ramp=ramp, tsb=days.morning_tsb),
        "convention": CONVENTION,
        "today": days.today.isoformat(),
    }


def course(days: Days) -> dict[str, Value]:
    """Return where load is going, for somebody who trains."""
    ctl, atl = days.fitness.ctl, days.fitness.atl
    week = days.loads[-7:]
    dates, rested = ahead(days)
    values: dict[str, Value] = {
        "ramp": fitness.ramp(ctl) or 0.0,
        "ramp_guide": GUIDE,
        "tsb_projected": float(rested.tsb[-1]),
        "projected_on": dates[-1].isoformat(),
        "load_week": float(week.sum()),
        "load_ratio": fitness.load_ratio(days.loads),
        "monotony": fitness.monotony(week),
        "strain": fitness.strain(week),
    }
    if days.until == days.today:
        values["tsb_tomorrow"] = float(ctl[-1] - atl[-1])
    return values


def absence(days: Days) -> dict[str, Value]:
    """Return what was, for somebody whose last session is long ago."""
    ctl = days.fitness.ctl
    peak = int(ctl.argmax())
    return {
        "last_session": days.last_active.isoformat(),
        "days_away": float(days.days_away),
        "ctl_then": float(ctl[days.at(days.last_active)]),
        "ctl_peak": float(ctl[peak]),
        "ctl_peak_on": (days.first + DAY * peak).isoformat(),
    }


def shares(days: Days) -> dict[str, Value]:
    """Return how much of six weeks' load comes from each way to measure it: the last ones, or those before a break."""
    end = days.last_active if days.is_away else days.until
    since = end - DAY * (SHARE_DAYS - 1)
    points = {str(way): days.points(way, since=since) for way in Activity.LoadFrom.values}
    return {f"share_{way}": share for way, share in shares_pct(points).items() if share is not None}


def histories(days: Days) -> dict[str, History]:
    return {
        "ctl": rounded(days.fitness.ctl),
        "atl": rounded(days.fitness.atl),
        "tsb": rounded(days.fitness.tsb),
        "load_week": tuple(
            float(days.loads[max(end - 7, 0) : end].sum())
            for end in range(days.loads.size % 7 or 7, days.loads.size + 1, 7)
        )[-12:],
    }


def rounded(series: Array) -> History:
    return tuple(round(float(value), 1) for value in series[-HISTORY_DAYS:])

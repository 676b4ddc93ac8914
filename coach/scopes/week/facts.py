"""Puts the facts of a week together."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from coach import display
from coach.display import Style
from coach.metrics import fitness, zones
from coach.models import Activity, Athlete
from coach.scopes import goal as goals
from coach.scopes.activity.zone_times import leading
from coach.scopes.facts import Facts
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.shares import change_pct, shares_pct
from coach.scopes.sports import word_of
from coach.scopes.terms import History, Value, state, style_of, unknown, worded
from coach.scopes.week import charts, chinese
from coach.scopes.week.sessions import Week, count, points, timer_s, week_of
from coach.scopes.week.terms import TERMS, key_of, of_sport

LEAST_USUAL_POINTS = 10.0
LEAST_USUAL_SECONDS = 1200.0


@scope(
    "week",
    title="Week",
    question="How did this week go?",
    answers=(
        "the main change against the usual, which is cut at the same weekday",
        "what to keep",
        "what to do next week",
    ),
)
def week(athlete: Athlete, subject: str) -> Facts:
    """Facts of an ISO week such as 2026-W48, in the athlete's own week."""
    try:
        found = week_of(athlete, subject)
    except ValueError as error:
        raise UnknownSubject(str(error)) from error
    style = style_of(athlete)
    title = title_of(found, style=style)
    chart = {"week": charts.chart(found, style=style)}
    if found.goal:
        chart["goal"] = goals.listed(found.goal, today=found.today, style=style)
    if not found.sessions:
        return Facts(
            scope="week",
            subject=subject,
            title=title,
            insufficient=worded(nothing_in(found), chinese.SAID, style=style),
            as_of=as_of(found),
            charts=chart,
        )
    sports = sports_of(found.sessions)
    terms = TERMS + goals.OF_WEEK + tuple(term for sport in sports for term in of_sport(sport))
    facts = state(terms, values_of(found), style=style, histories=histories(found))
    return Facts(
        scope="week",
        subject=subject,
        title=title,
        facts=facts,
        as_of=as_of(found),
        missing=unknown(facts),
        charts=chart,
        tables={"week": charts.table(found, style=style), "sports": charts.sports(found, sports, style=style)},
    )


def nothing_in(found: Week) -> str:
    if found.first > found.today:
        return "This week has not begun yet. Upload a recording once you have trained in it."
    if found.is_complete:
        return "There is no session in this week. If you trained in it, upload the recordings: FIT, GPX or TCX."
    return "There is no session in this week so far. Upload a recording (FIT, GPX or TCX) and it is summed up here."


def as_of(found: Week) -> date:
    return min(found.last, found.today)


def title_of(found: Week, *, style: Style) -> str:
    number = int(found.name[-2:])
    if style.chinese:
        last = found.last
        until = f"{last.day}日" if last.month == found.first.month else f"{last.month}月{last.day}日"
        return f"第 {number} 周，{display.day(found.first, style=style)}至{until}"
    return f"Week {number}, {display.short_day(found.first)} to {display.short_day(found.last)} {found.last.year}"


def values_of(found: Week) -> dict[str, Value]:
    """Return every value of the week; a value that could not be computed is there as None."""
    sessions, done = found.sessions, found.done
    load, timer = points(done), timer_s(done)
    usual_load, usual_timer = found.usual(points), found.usual(timer_s)
    values: dict[str, Value] = {
        "load": load,
        "load_usual": usual_load,
        "load_change": change_pct(load, usual=usual_load, least=LEAST_USUAL_POINTS),
        "timer": timer,
        "timer_usual": usual_timer,
        "timer_change": change_pct(timer, usual=usual_timer, least=LEAST_USUAL_SECONDS),
        "sessions": count(done),
        "sessions_usual": found.usual(count),
        "active_days": float(len(done)),
    }
    values |= main_sport_of(sessions) | longest_of(sessions) | split_of(sessions) | estimated_of(sessions)
    values |= whole_week(found) if found.is_complete else so_far(found)
    values |= goals.of_week(found.goal, first=found.first)
    for sport in sports_of(sessions):
        values |= sport_values(sport, [session for session in sessions if session.sport == sport])
    return values


def whole_week(found: Week) -> dict[str, Value]:
    loads = np.array(found.loads())
    return {"monotony": fitness.monotony(loads), "strain": fitness.strain(loads)}


def so_far(found: Week) -> dict[str, Value]:
    until = found.days[max(found.counted, 1) - 1]
    return {"days_counted": float(found.counted), "counted_until": until.isoformat()}


def longest_of(sessions: Sequence[Activity]) -> dict[str, Value]:
    longest = max(sessions, key=lambda session: session.timer_s)
    return {
        "longest": longest.timer_s,
        "longest_sport": word_of(longest.sport),
        "longest_day": longest.local_date.isoformat(),
    }


def split_of(sessions: Sequence[Activity]) -> dict[str, Value]:
    """Split time into easy, moderate and hard, by heart rate where a session has it, else by power or pace."""
    totals = {"easy": 0.0, "moderate": 0.0, "hard": 0.0}
    for session in sessions:
        measure = leading(session)
        if measure:
            seconds = session.zone_seconds[measure]
            for name, part in zip(totals, zones.split_seconds(seconds), strict=True):
                totals[name] += part
    return {f"{name}_share": share for name, share in shares_pct(totals).items() if share is not None}


def estimated_of(sessions: Sequence[Activity]) -> dict[str, Value]:
    """Return the estimated share of load, only where there is some."""
    guessed = points([session for session in sessions if session.load_from == Activity.LoadFrom.ESTIMATE])
    shares = shares_pct({"estimate": guessed, "measured": points(sessions) - guessed})
    return {"estimate_share": shares["estimate"]} if shares["estimate"] else {}


def sports_of(sessions: Sequence[Activity]) -> list[str]:
    """Return the sports of a week, the one with the most time first."""
    times: dict[str, float] = {}
    for session in sessions:
        times[session.sport] = times.get(session.sport, 0.0) + session.timer_s
    return sorted(times, key=lambda sport: (-times[sport], sport))


def main_sport_of(sessions: Sequence[Activity]) -> dict[str, Value]:
    """Return the sport with the most time, where there is more than one."""
    sports = sports_of(sessions)
    if len(sports) < 2 or not timer_s(sessions):
        return {}
    own = timer_s([session for session in sessions if session.sport == sports[0]])
    return {"main_sport": word_of(sports[0]), "main_sport_share": own / timer_s(sessions) * 100}


def sport_values(sport: str, sessions: Sequence[Activity]) -> dict[str, Value]:
    key = key_of(sport)
    values: dict[str, Value] = {
        f"{key}_sessions": float(len(sessions)),
        f"{key}_timer": timer_s(sessions),
        f"{key}_load": points(sessions),
    }
    for name, metres in (
        ("distance", [session.distance_m for session in sessions]),
        ("ascent", [session.ascent_m for session in sessions]),
    ):
        known = sum(metre for metre in metres if metre is not None)
        if known > 0:
            values[f"{key}_{name}"] = known
    return values


def histories(found: Week) -> dict[str, History]:
    """Return whole weeks, oldest first, this week last."""
    weeks = [*reversed(found.before), found.done]
    return {
        "load": tuple(round(points(rows), 1) for rows in weeks),
        "timer": tuple(round(timer_s(rows)) for rows in weeks),
        "sessions": tuple(count(rows) for rows in weeks),
    }

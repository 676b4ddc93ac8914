"""Puts the facts of a session together."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.metrics import zones
from coach.metrics.sports import Sport, sport
from coach.models import Activity, Athlete
from coach.scopes import sports
from coach.scopes.activity import charts, chinese, tables, zone_times
from coach.scopes.activity.kind import WORDS, stated_of
from coach.scopes.activity.peers import Comparison, compare, speed
from coach.scopes.activity.samples import Seen, seen_of
from coach.scopes.activity.series import series_of
from coach.scopes.activity.terms import TERMS
from coach.scopes.facts import Facts
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.shares import shares_pct
from coach.scopes.terms import Value, state, style_of, unknown, worded

PAUSED_SECONDS = 60
NOTHING = (
    "This recording holds no time, distance or measurement to speak of. "
    "If the session was longer, upload the original file of the device."
)


@scope(
    "activity",
    title="Activity",
    question="What was this session?",
    answers=(
        "the kind of session first, and everything else judged by it",
        "a comparison with a dated session like it, where there is one",
        "what is doubtful or missing",
    ),
)
def activity(athlete: Athlete, subject: str) -> Facts:
    """Facts of one activity; the subject is its id."""
    rows = Activity.objects.filter(athlete=athlete).select_related("sketch")
    found = rows.filter(pk=subject).first() if subject.isdecimal() else None
    if found is None or subject != str(found.pk):  # 07 would be another text about the same
        raise UnknownSubject("There is no such activity.")
    style = style_of(athlete)
    title = title_of(found, today=athlete.today(), style=style)
    if found.timer_s < 1 and not found.distance_m:
        nothing = worded(NOTHING, chinese.SAID, style=style)
        return Facts(scope="activity", subject=subject, title=title, insufficient=nothing, as_of=found.local_date)
    seen = seen_of(found)
    terms = (*TERMS, *zone_times.terms_of(found, style=style))
    facts = state(terms, values_of(found, seen), style=style)
    drawn, listed = pictures(found, seen, style=style)
    return Facts(
        scope="activity",
        subject=subject,
        title=title,
        facts=facts,
        as_of=found.local_date,
        missing=unknown(facts),
        charts=drawn,
        tables=listed,
        notes=found.note,
    )


def title_of(found: Activity, *, today: date, style: Style) -> str:
    word = sports.session_name(found, style=style)
    is_this_year = found.local_date.year == today.year
    if style.chinese:
        day = (display.short_day if is_this_year else display.day)(found.local_date, style=style)
        return f"{word}，{day}"
    day = display.short_day(found.local_date, style=style)
    return f"{word}, {day}" if is_this_year else f"{word}, {day} {found.local_date.year}"


def values_of(found: Activity, seen: Seen) -> dict[str, Value]:
    """Return what applies to the sport; what applies and was not measured is there as None."""
    kind = sport(found.sport)
    seems, stated = WORDS[seen.kind], stated_of(found)
    values: dict[str, Value] = {
        "timer": found.timer_s,
        "kind": stated or seems,
        "load": found.load,
        "load_from": found.load_from.replace("_", " "),
        "sport": found.sport.replace("_", " ") or "training",
        "place": place_of(found),
        "date": found.local_date.isoformat(),
        "heart_rate_avg": found.heart_rate_avg_bpm,
    }
    values |= measured(
        distance=found.distance_m,
        ascent=found.ascent_m,
        heart_rate_max=found.heart_rate_max_bpm,
        intensity=found.intensity_factor,
        efficiency=found.efficiency_factor,
        decoupling=found.decoupling_pct,
        trimp=found.trimp,
        energy=found.energy_kcal,
        doubts=float(len(found.flags)) or None,
    )
    if stated:
        values["kind_found"] = seems
    if found.effort:
        values["felt"] = f"{found.effort} of 10"
    if found.moving_s < found.timer_s - PAUSED_SECONDS:
        values["moving"] = found.moving_s
    if found.elapsed_s > found.timer_s + PAUSED_SECONDS:
        values["elapsed"] = found.elapsed_s
    values |= movement(found, kind=kind) | split(found) | repeats(seen.intervals) | beside(compare(found))
    return values


def measured(**values: float | None) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value is not None}


def place_of(found: Activity) -> str:
    if found.virtual:
        return "in a virtual world"
    return "indoors" if found.indoor else "outdoors"


def movement(found: Activity, *, kind: Sport) -> dict[str, Value]:
    """Return pace on foot, speed and power elsewhere; riders miss power when there is none."""
    average = speed(found)
    if kind.family == "running":
        return measured(
            pace=average,
            graded_pace=found.graded_speed_mps if found.ascent_m else None,
            power_avg=found.power_avg_w,
            steps=found.cadence_avg_rpm,
        )
    if kind.family == "walking":
        return measured(pace=average)
    if kind.family == "swimming":
        return measured(swim_pace=average)
    power: dict[str, Value] = {"power_avg": found.power_avg_w} if kind.family == "cycling" else {}
    return power | measured(
        speed=average,
        power_avg=found.power_avg_w,
        np=found.normalized_power_w,
        variability=found.variability_index,
        cadence=found.cadence_avg_rpm,
    )


def split(found: Activity) -> dict[str, Value]:
    measure = zone_times.leading(found)
    if not measure:
        return {}
    seconds = found.zone_seconds[measure]
    parts = dict(zip(("easy", "moderate", "hard"), zones.split_seconds(seconds), strict=True))
    shares: dict[str, Value] = {f"{name}_share": share for name, share in shares_pct(parts).items()}
    return shares | zone_times.values_of(found)


def repeats(found: Mapping[str, Any]) -> dict[str, Value]:
    if not found:
        return {}
    level = "interval_power" if found["of"] == "power_w" else "interval_pace"
    return {"interval_count": float(found["count"]), "interval_length": found["seconds"], level: found["effort"]}


def beside(comparison: Comparison | None) -> dict[str, Value]:
    if comparison is None:
        return {}
    values: dict[str, Value] = {
        "peer_day": comparison.peer_day.isoformat(),
        "peer_measure": comparison.measure.word,
        "peer_change": comparison.change_pct,
        "peer_count": float(comparison.count),
    }
    return values | measured(peer_rank=comparison.rank)


def pictures(found: Activity, seen: Seen, *, style: Style) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return charts and tables; only those there is something for."""
    zone_rows = charts.zone_rows(found, style=style)
    series = series_of(found, seen.drawn.get("lines", ()), style=style)
    drawn: dict[str, Any] = {
        "zones": zone_rows or None,
        "streams": charts.streams(found, seen.drawn, series, intervals=seen.intervals),
        "track": charts.track(seen.drawn),
    }
    listed: dict[str, Any] = {
        "laps": tables.laps(found, style=style),
        "zones": tables.zones(zone_rows, style=style),
        "streams": tables.parts(seen.drawn, series, style=style) if series else None,
    }
    return (
        {name: chart for name, chart in drawn.items() if chart},
        {name: table for name, table in listed.items() if table},
    )

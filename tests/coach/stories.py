"""Facts of every kind that a screen can have, made from terms and values without a database."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, product

from coach.display import METRIC, Style
from coach.scopes.activity.kind import STATED, WORDS
from coach.scopes.activity.terms import TERMS as ACTIVITY
from coach.scopes.facts import Facts
from coach.scopes.load.terms import TERMS as LOAD
from coach.scopes.records import spans as record_spans
from coach.scopes.records import terms as record_terms
from coach.scopes.terms import History, Term, Value, state, unknown
from coach.scopes.trends import terms as trend_terms
from coach.scopes.week.terms import TERMS as WEEK

LOAD_VALUES: dict[str, Value] = {
    "ctl": 63.2,
    "atl": 70.1,
    "tsb": -6.9,
    "phase": "building",
    "ramp": 2.4,
    "ramp_guide": "5 to 7",
    "convention": "42 and 7 days",
    "tsb_projected": 14.2,
    "projected_on": "2026-12-03",
    "load_week": 480.0,
    "load_ratio": 1.05,
    "monotony": 1.2,
    "strain": 570.0,
    "share_power": 80.0,
    "share_pace": 0.0,
    "share_heart_rate": 20.0,
    "share_estimate": 0.0,
    "today": "2026-11-26",
}
AWAY_VALUES: dict[str, Value] = {
    "ctl": 0.1,
    "atl": 0.0,
    "tsb": 0.1,
    "phase": "away",
    "convention": "42 and 7 days",
    "last_session": "2026-03-08",
    "days_away": 267.0,
    "ctl_then": 48.3,
    "ctl_peak": 71.6,
    "ctl_peak_on": "2025-09-14",
    "share_power": 60.0,
    "share_pace": 40.0,
    "share_heart_rate": 0.0,
    "share_estimate": 0.0,
    "today": "2026-11-30",
}
WEEK_VALUES: dict[str, Value] = {
    "load": 480.0,
    "load_change": 20.0,
    "timer": 24_000.0,
    "sessions": 6.0,
    "load_usual": 400.0,
    "timer_usual": 20_000.0,
    "timer_change": 20.0,
    "active_days": 3.0,
    "easy_share": 80.0,
    "moderate_share": 12.0,
    "hard_share": 8.0,
    "longest": 7200.0,
    "longest_sport": "cycling",
    "longest_day": "2026-11-24",
    "main_sport": "running",
    "main_sport_share": 70.0,
    "monotony": 1.4,
    "strain": 600.0,
}
ACTIVITY_VALUES: dict[str, Value] = {
    "timer": 5400.0,
    "distance": 40_000.0,
    "load": 90.0,
    "kind": WORDS["steady"],
    "load_from": "power",
    "sport": "cycling",
    "place": "outdoors",
    "date": "2026-11-24",
    "heart_rate_avg": 140.0,
}


KNOWN: dict[tuple[str, str, str], Term] = {}  # what facts were made of, by scope, key and unit


def made(scope: str, terms: tuple[Term, ...], values: dict[str, Value], histories: dict[str, History]) -> Facts:
    KNOWN.update({(scope, term.key, term.unit): term for term in terms})
    facts = state(terms, values, style=METRIC, histories=histories)
    return Facts(scope=scope, subject="s", title="Title", facts=facts, missing=unknown(facts))


def in_language(facts: Facts, language: str) -> Facts:
    """Return the same facts as their reader in another language sees them."""
    style = Style(language=language)
    told = (
        KNOWN[facts.scope, fact.key, fact.unit].fact(fact.value, style=style, history=fact.history)
        for fact in facts.facts
    )
    return replace(facts, facts=tuple(told))


def load(**changes: Value) -> Facts:
    histories: dict[str, History] = {"ctl": (60.0, 63.2), "atl": (80.0, 70.1), "tsb": (-2.0, -6.9)}
    return made("load", LOAD, LOAD_VALUES | changes, histories | {"load_week": (500.0, 480.0)})


def away(**changes: Value) -> Facts:
    histories: dict[str, History] = {"ctl": (0.2, 0.1), "atl": (0.0, 0.0), "tsb": (0.2, 0.1)}
    return made("load", LOAD, AWAY_VALUES | changes, histories)


def week(*, history: History = (400.0, 390.0, 480.0), **changes: Value) -> Facts:
    values = {key: value for key, value in (WEEK_VALUES | changes).items() if value != ""}
    return made("week", WEEK, values, {"load": history, "timer": history, "sessions": history})


def activity(**changes: Value) -> Facts:
    return made("activity", ACTIVITY, ACTIVITY_VALUES | changes, {})


def loads() -> Iterator[Facts]:
    phases = ("starting", "building", "holding", "easing", "overdoing")
    for phase, ramp, tsb in product(phases, (9.0, 1.2, 0.0, -3.0), (-35.0, -7.0, 0.2, 16.0)):
        yield load(phase=phase, ramp=ramp, tsb=tsb)
    for ratio, monotony, guess in product((None, 0.6, 1.0, 1.6), (None, 1.1, 2.4), (0.0, 3.0, 30.0, 80.0)):
        shares = {"share_power": 0.0, "share_heart_rate": 100 - guess, "share_estimate": guess}
        yield load(load_ratio=ratio, monotony=monotony, strain=monotony and 800.0, **shares)
    for changes in ({"load_week": 0.0, "load_ratio": None}, {"load_ratio": 1.4}):
        yield load(phase="easing", ramp=-3.0, tsb=15.0, **changes)
    yield load(share_power=0.0, share_pace=90.0, share_heart_rate=10.0)
    yield from (away(), away(ctl=0.0, tsb=0.0), away(ctl=17.4, atl=0.2, tsb=17.2, days_away=43.0))
    yield away(share_power=0.0, share_pace=20.0, share_estimate=80.0)
    yield away(ctl_then=0.0, ctl_peak=0.0, ctl=0.0, tsb=0.0)


def weeks() -> Iterator[Facts]:
    changes = (None, -60.0, -12.0, -3.0, 0.0, 4.0, 15.0, 55.0)
    splits = ((None,) * 3, (80.0, 12.0, 8.0), (60.0, 25.0, 15.0), (40.0, 50.0, 10.0), (50.0, 20.0, 30.0))
    turns = cycle(product((True, False), (1.0, 6.0)))
    ways = cycle(((300.0, 480.0), (600.0, 480.0), (480.0, 480.0)))  # weeks may go another way than the comparison
    for (change, split), (running, sessions), history in zip(product(changes, splits), turns, ways, strict=False):
        values: dict[str, Value] = dict(zip(("easy_share", "moderate_share", "hard_share"), split, strict=True))
        if running:
            values |= {"days_counted": 3.0, "counted_until": "2026-11-25", "monotony": "", "strain": ""}
        usual = None if change is None else 400.0
        yield week(history=history, load_change=change, load_usual=usual, sessions=sessions, **values)
    for load_change, timer_change in ((40.0, 5.0), (-5.0, 30.0)):
        yield week(load_change=load_change, timer_change=timer_change)
    for change, usual in product((40.0, -40.0), (3.0, 6.0, 9.0)):
        yield week(load_change=change, timer_change=change, sessions_usual=usual)
    yield week(easy_share=100.0, moderate_share=0.0, hard_share=0.0)
    yield week(monotony=2.5, estimate_share=40.0)
    yield week(active_days=5.0, easy_share=60.0, moderate_share=30.0, hard_share=10.0)
    yield week(load_change=None, sessions=1.0, main_sport="", main_sport_share="", easy_share="")


def activities() -> Iterator[Facts]:
    riding: dict[str, Value] = {"np": 210.0, "intensity": 0.85, "variability": 1.2, "speed": 8.0}
    running: dict[str, Value] = {"sport": "running", "pace": 3.2, "load_from": "pace", "intensity": 0.85}
    efforts: dict[str, Value] = {"interval_count": 5.0, "interval_length": 240.0}
    guess: dict[str, Value] = {"load_from": "estimate", "heart_rate_avg": None, "doubts": 1.0}
    for kind, sport in product(WORDS.values(), (riding, running, {"swim_pace": 0.9}, {"speed": 8.0}, {}, guess)):
        extra = efforts | {"interval_power": 310.0} if kind == WORDS["intervals"] else {}
        yield activity(kind=kind, **sport, **extra)
    yield activity(kind=WORDS["intervals"], **running, **efforts, interval_pace=4.5)
    for change, drift in product((-6.0, -0.4, 0.0, 0.6, 7.0), (None, -6.0, 1.5, 8.0)):
        compared: dict[str, Value] = {"peer_day": "2026-11-06", "peer_measure": "speed", "peer_change": change}
        yield activity(**riding, **compared, **({"decoupling": drift} if drift is not None else {}))
    for kind, hard in product(("easy", "long"), (2.0, 20.0)):
        yield activity(kind=WORDS[kind], **riding, easy_share=98 - hard, hard_share=hard)
    yield activity(kind=WORDS["hard"], **riding | {"intensity": 1.08})
    yield from (activity(power_avg=None, load_from=way, doubts=2.0) for way in ("heart rate", "estimate"))
    for said in STATED.values():
        yield activity(**riding, **efforts, kind=said, kind_found=WORDS["hard"], felt="8 of 10", decoupling=8.0)
    yield activity(kind=STATED["intervals"], kind_found=WORDS["steady"], load_from="effort")
    yield activity(kind=STATED["long"], kind_found=WORDS["easy"], easy_share=90.0, hard_share=2.0)
    yield activity(sport="running", pace=3.2, load_from="heart rate")
    yield activity(**running | {"heart_rate_avg": None})
    yield activity(**running, doubts=1.0)


NEWEST: dict[str, Value] = {"newest_best_what": "20 min power", "newest_best": 312.0, "newest_best_on": "2026-11-20"}
BEATEN: dict[str, Value] = {"newest_best_before": 300.0, "newest_gain": 12.0}
WATTS = (5, 60, 300, 1200)
METRES = (100, 400, 1000, 5000, 10_000, 20_000, 21_097, 40_000)


def records(
    measure: str = "power", *, bests: tuple[int, ...] = (), targets: tuple[int, ...] = (), **more: Value
) -> Facts:
    """Make facts of records: `bests` are spans of the measure, `targets` distances that are predicted."""
    terms = (*record_terms.HEAD, *record_terms.newest(measure), *record_terms.TAIL)
    values: dict[str, Value] = {**NEWEST, "new_count": 0.0, **more}
    for span in bests:
        key = f"best_{measure}_{span}"
        terms += record_terms.of_best(measure, span)
        name = record_spans.called(measure, span)
        values |= {key: 300.0, f"{key}_what": name, f"{key}_on": "2026-05-03"}
    for target in targets:
        terms += record_terms.of_prediction(target)
        values |= {f"predicted_{target}": 2488.0, f"predicted_{target}_from": "5 km in 20:00, 3 May 2026"}
    return made("records", terms, values, {})


def all_records() -> Iterator[Facts]:
    critical: dict[str, Value] = {"cp": 293.3, "w_prime": 19_200.0, "cp_points": 6.0}
    worth: dict[str, Value] = {"vdot": 49.81, "vdot_from": "5 km in 20:00", "vdot_from_on": "2026-05-03"}
    for first in WATTS:
        yield records(bests=(first,), new_count=2.0, **BEATEN, **critical)
    for first in METRES:
        yield records("time", bests=(first,), newest_best_what="5 km", newest_best=1200.0)
    for target in (5000, 10_000, 21_097, 42_195):
        yield records("time", targets=(target,), newest_best_what="5 km", newest_best=1200.0, **worth)
    yield from (records(**BEATEN | {"newest_gain": 0.0}, new_count=count) for count in (0.0, 1.0))
    yield records(new_count=1.0)
    yield from (records(), records(**BEATEN), records(new_count=1.0, **BEATEN))


def trends(lines: dict[str, tuple[str, str]], *, reading: str, points: str = "12 to 29") -> Facts:
    """Make facts of lines by their key (family and measure), all with one reading."""
    slope = {"rising": 0.5, "falling": -0.5}.get(reading, 0.2)
    clear = float(len(lines)) if reading != "no clear change" else 0.0
    terms = tuple(trend_terms.of_slope(key, *named) for key, named in lines.items()) + trend_terms.HEAD
    values: dict[str, Value] = {"clear_count": clear, "line_count": float(len(lines)), "window": "90 days"}
    values["until"] = "2026-11-24"
    for key, named in lines.items():
        terms += trend_terms.of_rest(key, *named)
        told = {"slope": slope, "margin": 0.3, "trend": reading, "start": 4.0, "end": 5.0, "n": points}
        values |= {f"{key}_{name}": value for name, value in told.items()}
    return made("trends", terms, values, {})


def all_trends() -> Iterator[Facts]:
    families = ("running", "cycling", "swimming", "walking", "rowing", "skiing", "strength", "other")
    every = {"fitness": ("", "fitness"), "running_pace": ("running", "pace"), "running_vdot": ("running", "vdot")}
    every |= {f"{family}_{name}": (family, name) for family in families for name in ("efficiency", "volume")}
    for (key, named), reading in product(every.items(), ("rising", "falling", "no clear change")):
        yield trends({key: named}, reading=reading)
    yield trends(every, reading="no clear change", points="6 to 11")

"""Facts of today, recovery and body, of every kind that those screens can have."""

from collections.abc import Iterator
from itertools import cycle, product

from coach.scopes.body.terms import TERMS as BODY
from coach.scopes.facts import Facts
from coach.scopes.recovery.terms import TERMS as RECOVERY
from coach.scopes.terms import History, Value
from coach.scopes.today.terms import TERMS as TODAY
from tests.coach.stories import made

RECOVERY_VALUES: dict[str, Value] = {
    "asleep_mean": 437.0,
    "debt": 150.0,
    "hrv_7d": 65.5,
    "rhr_7d": 48.4,
    "agreement": "all as usual",
    "hrv_kind": "rMSSD",
    "hrv_position": "within",
    "hrv_low": 59.6,
    "hrv_high": 74.6,
    "hrv_cv": 2.12,
    "rhr_delta": 0.6,
    "rhr_state": "as usual",
    "asleep_last": 402.0,
    "last_night": "2026-11-26",
    "nights": 7.0,
    "debt_14": 210.0,
    "need": 480.0,
    "bedtime_sd": 38.0,
    "sleep_from": "Garmin",
    "hrv_from": "Garmin",
    "rhr_from": "Garmin",
    "today": "2026-11-26",
}
TODAY_VALUES: dict[str, Value] = {
    "verdict": "as planned",
    "tsb": -6.9,
    "hrv_7d": 65.5,
    "sleep_last": 402.0,
    "ctl": 63.2,
    "atl": 70.1,
    "load_yesterday": 80.0,
    "days_since_hard": 4.0,
    "hrv_kind": "rMSSD",
    "hrv_position": "within",
    "rhr_delta": 0.6,
    "rhr_state": "as usual",
    "sleep_debt": 150.0,
    "because": "form and HRV",
    "today": "2026-11-26",
}
BODY_VALUES: dict[str, Value] = {
    "weight": 72.44,
    "slope": -0.31,
    "slope_low": -0.44,
    "slope_high": -0.18,
    "slope_is": "clear",
    "slope_share": -0.43,
    "weigh_ins": 22.0,
    "last_raw": 72.9,
    "last_day": "2026-11-26",
    "weight_from": "Garmin",
    "today": "2026-11-26",
}


def recovery(**changes: Value) -> Facts:
    """Make facts; an empty text takes a fact away."""
    values = {key: value for key, value in (RECOVERY_VALUES | changes).items() if value != ""}
    past: dict[str, History] = {"asleep_mean": (430.0, None, 450.0), "hrv_7d": (60.0, 70.0, 66.0)}
    return made("recovery", RECOVERY, values, past | {"rhr_7d": (52.0, 50.0, 48.4)})


def body(**changes: Value) -> Facts:
    return made("body", BODY, BODY_VALUES | changes, {"weight": (73.1, 72.8, 72.44)})


def recoveries() -> Iterator[Facts]:
    words = ("all as usual", "one stands apart", "several agree", "too few to compare")
    for word, position, pulse, debt in product(
        words, ("below", "within", "above"), ("raised", "as usual"), (0.0, 390.0)
    ):
        delta = 4.2 if pulse == "raised" else -1.1
        yield recovery(agreement=word, hrv_position=position, rhr_state=pulse, rhr_delta=delta, debt=debt)
    few: dict[str, Value] = {"agreement": "too few to compare"}
    no_hrv: dict[str, Value] = dict.fromkeys([key for key in RECOVERY_VALUES if key.startswith("hrv")], "")
    no_rhr: dict[str, Value] = dict.fromkeys([key for key in RECOVERY_VALUES if key.startswith("rhr")], "")
    slept = ("asleep_last", "last_night", "nights", "debt_14", "bedtime_sd", "sleep_from")
    no_sleep: dict[str, Value] = dict.fromkeys(slept, "")
    no_sleep |= {"asleep_mean": None, "debt": None}
    young: dict[str, Value] = {"hrv_position": None, "hrv_low": None, "hrv_high": None, "hrv_nights_short": 5.0}
    early: dict[str, Value] = {"rhr_delta": None, "rhr_state": "", "rhr_days_short": 9.0}
    staged: dict[str, Value] = {"deep": 62.0, "rem": 95.0, "light": 270.0, "awake": 21.0}
    yield recovery(**few | young | early)
    yield recovery(**few | young | {"hrv_7d": None} | no_sleep | no_rhr)
    yield recovery(**few | no_sleep | no_rhr)
    yield recovery(**few | no_sleep | no_hrv | {"hrv_7d": None})
    yield recovery(**few | no_sleep | no_hrv | early | {"hrv_7d": None, "rhr_7d": None})
    yield recovery(**no_hrv | staged | {"hrv_7d": None})
    yield recovery(**staged | no_rhr | {"rhr_7d": None})
    yield recovery(bedtime_sd=75.0)
    yield recovery(hrv_kind="SDNN")
    yield recovery(**few | {"asleep_mean": None, "debt": None, "debt_14": None, "nights": 2.0, "nights_short": 2.0})


def bodies() -> Iterator[Facts]:
    slopes = ((-0.31, 0.13), (0.24, 0.1), (-0.1, 0.4), (0.0, 0.2), (0.05, 0.3), (-1.1, 0.3), (0.9, 0.2))
    goals: tuple[dict[str, Value], ...] = ({}, {"goal": 70.0, "goal_gap": 2.44}, {"goal": 72.4, "goal_gap": 0.04})
    powers: tuple[dict[str, Value], ...] = (
        {},
        {"ftp": 250.0, "ftp_is": "estimated", "w_per_kg": 3.45},
        {"ftp": 250.0, "ftp_is": "as you entered it", "w_per_kg": 3.45},
    )
    for (slope, margin), goal, power in product(slopes, goals, powers):
        clear = abs(slope) > margin
        share = 100 * slope / 72.44
        fast: dict[str, Value] = {"fast": "1 % a week"} if clear and abs(share) > 1 else {}
        yield body(
            slope=slope, slope_low=slope - margin, slope_high=slope + margin,
            slope_is="clear" if clear else "open", slope_share=share, **fast, **goal, **power,
        )  # fmt: skip
    short = {key: value for key, value in BODY_VALUES.items() if not key.startswith("slope")}
    for count in (1.0, 3.0):
        values = short | {"slope": None, "weigh_ins": count, "weigh_ins_short": 4 - count}
        yield made("body", BODY, values, {"weight": (72.4, 72.44)})


def today(**changes: Value) -> Facts:
    """Make facts; an empty text takes a fact away."""
    values = {key: value for key, value in (TODAY_VALUES | changes).items() if value != ""}
    return made("today", TODAY, values, {"hrv_7d": (60.0, 70.0, 66.0), "tsb": (-2.0, -6.9), "ctl": (60.0, 63.2)})


def todays() -> Iterator[Facts]:
    pairs = (
        "form and fatigue", "HRV and resting heart rate", "sleep and form", "form and the last hard day",
        "form and yesterday", "the time away and fitness", "your plan and HRV", "resting heart rate and sleep", "form",
    )  # fmt: skip
    plans: tuple[dict[str, Value], ...] = ({}, {"planned": "1 h 00 min of running", "planned_load": 60.0})
    goals: tuple[dict[str, Value], ...] = (
        {},
        {"goal_in": 12.0, "goal_day": "2026-12-08"},
        {"goal_in": 1.0, "goal_day": "2026-11-27"},
        {"goal_in": 0.0, "goal_day": "2026-11-26"},
    )
    spots = cycle(
        product(("below", "within", "above"), ("raised", "as usual"), (0.0, 390.0), (-35.0, -14.0, 3.0, 18.0))
    )
    for verdict, because, plan, goal in product(("easy", "as planned", "hard"), pairs, plans, goals):
        position, pulse, debt, tsb = next(spots)
        delta = 4.2 if pulse == "raised" else -1.1
        yield today(
            verdict=verdict, because=because, hrv_position=position, rhr_state=pulse, rhr_delta=delta, sleep_debt=debt,
            tsb=tsb, days_away=50.0 if "away" in because else "", **plan, **goal,
        )  # fmt: skip
    for days, atl in product((21.0, None), (4.0, 40.0)):
        because = "form and the last hard day" if days else "form and HRV"
        yield today(verdict="hard", because=because, tsb=14.0, ctl=22.0, atl=atl, days_since_hard=days)
    yield today(because="form and sleep", days_since_hard=1.0)
    raised: dict[str, Value] = {"rhr_state": "raised", "rhr_delta": 4.2, "hrv_position": "below"}
    yield today(verdict="easy", because="HRV and resting heart rate", **raised)
    yield today(because="your plan and resting heart rate", planned="running", **raised | {"hrv_position": "within"})
    none: dict[str, Value] = {"hrv_7d": None, "hrv_position": None, "rhr_delta": None, "rhr_state": "", "hrv_kind": ""}
    none |= {"sleep_last": None, "sleep_debt": None, "signals_missing": "HRV, resting heart rate, a week of sleep"}
    yield today(**none | {"because": "form and yesterday"})
    untrained: dict[str, Value] = dict.fromkeys(("ctl", "atl", "load_yesterday", "days_since_hard", "because"), "")
    yield today(**none | untrained | {"tsb": None})
    yield today(**none | untrained | {"tsb": None, "signals_missing": ""})

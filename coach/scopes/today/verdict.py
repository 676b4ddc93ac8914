"""The rule that says what today is good for, and which facts made it say so."""

from dataclasses import dataclass

from coach.scopes.load.terms import DEEP_FORM
from coach.scopes.recovery.apart import Apart

EASY, PLANNED, HARD = "easy", "as planned", "hard"
TIRED_FORM = -10.0
FRESH_FORM = -5.0
SPACED_DAYS = 3
BREAK_DAYS = 14  # without a session, after which the first ones are easy whatever form says
AND = " and "
WORDS = {  # what the facts that decide are called
    "tsb": "form",
    "atl": "fatigue",
    "ctl": "fitness",
    "load_yesterday": "yesterday",
    "planned": "your plan",
    "days_since_hard": "the last hard day",
    "days_away": "the time away",
    "hrv_7d": "HRV",
    "rhr_delta": "resting heart rate",
    "sleep_debt": "sleep",
}
RULE = (
    f"Easy: two recovery signals apart, or form below {DEEP_FORM:.0f}, or one signal apart and form below "
    f"{TIRED_FORM:.0f}, or {BREAK_DAYS} days or more without a session. Else, with a session planned: as planned. "
    f"Hard: nothing is planned, six weeks of data, form of {FRESH_FORM:.0f} or more, no hard day within {SPACED_DAYS} "
    "days, a signal as usual with none apart. Otherwise as planned, which without a plan is what you usually do."
).replace("-", "−")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the rule looks at; None is not known."""

    tsb: float | None
    days_since_hard: int | None
    is_settled: bool
    is_away: bool
    is_planned: bool
    apart: Apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    word: str
    because: tuple[str, ...]  # keys of the facts that decide, at most two


def verdict(now: Standing) -> Verdict:
    """Return the word and what decided; `RULE` spells it out."""
    off, usual = signals(now.apart, apart=True), signals(now.apart, apart=False)
    if now.is_away:
        return _because(EASY, "days_away", "ctl")
    if len(off) >= 2:
        return _because(EASY, *off)
    if now.tsb is not None and now.tsb < DEEP_FORM:
        return _because(EASY, "tsb", *off, "atl")
    if off and now.tsb is not None and now.tsb < TIRED_FORM:
        return _because(EASY, *off, "tsb")
    trained = ("tsb",) if now.tsb is not None else ()
    if now.is_planned:
        return _because(PLANNED, "planned", *off, *usual, *trained)
    if is_ready(now) and usual and not off:
        return _because(HARD, "tsb", *(("days_since_hard",) if now.days_since_hard is not None else ()), *usual)
    yesterday = ("load_yesterday",) if trained else ()
    return _because(PLANNED, *trained, *off, *usual, *yesterday)


def is_ready(now: Standing) -> bool:
    rested = now.days_since_hard is None or now.days_since_hard >= SPACED_DAYS
    return now.is_settled and rested and now.tsb is not None and now.tsb >= FRESH_FORM


def signals(found: Apart, *, apart: bool) -> tuple[str, ...]:
    """Return the facts of the signals that stand apart, or of those that are as usual."""
    states = {"hrv_7d": found.hrv, "rhr_delta": found.resting, "sleep_debt": found.sleep}
    return tuple(key for key, state in states.items() if state is apart)


def _because(word: str, *keys: str) -> Verdict:
    return Verdict(word=word, because=keys[:2])

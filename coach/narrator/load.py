"""Plans the text about load: phase, form, what rest would do and what is measured; or what was before a break."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, trend, value, word
from coach.scopes.facts import Facts
from coach.scopes.load.terms import DEEP_FORM

GUESSED = 25.0  # percent of load from which an estimate is worth a word
MOSTLY = 50.0
ALIKE = 2.0  # monotony
SHOWN = 0.5  # points that round to more than nothing
CHANGED = 0.2  # of the ratio of a week to the weeks before
WAYS = ("power", "pace", "heart_rate")


def plan(facts: Facts) -> Plan:
    phase = word(facts, "phase")
    return away(facts) if phase == "away" else training(facts, phase)


def away(facts: Facts) -> Plan:
    """Say since when nothing came in, what fitness was and is, and how to go on; nothing of ramp, week or rest."""
    return Plan(
        headline="load.headline.away",
        summary=("load.away.levels", "load.phase.away"),
        findings=tuple(filter(None, (absence(), form(), peak(facts), earlier(facts)))),
        suggestions=(Suggestion(slot="load.advice.away", when="when.now", facts=("last_session",)),),
        confidence="low",
        reasons=("long_break", *reasons(facts, "away")),
        missing=facts.missing,
    )


def absence() -> Finding:
    return Finding(slot="load.away.since", facts=("days_away", "last_session"), weight=3)


def form() -> Finding:
    return Finding(slot="load.away.form", facts=("tsb", "atl"), weight=2)


def peak(facts: Facts) -> Finding | None:
    if (value(facts, "ctl_peak") or 0.0) < SHOWN:
        return None
    return Finding(slot="load.away.peak", facts=("ctl_peak", "ctl_peak_on"), weight=1)


def earlier(facts: Facts) -> Finding | None:
    """Say how much of the load before the break is a guess, where that is worth a word."""
    guessed = (value(facts, "share_estimate") or 0.0) >= GUESSED
    return Finding(slot="load.away.guess", facts=("share_estimate",), weight=1) if guessed else None


def training(facts: Facts, phase: str) -> Plan:
    return Plan(
        headline="load.headline.starting" if phase == "starting" else "load.headline",
        summary=("load.levels", f"load.phase.{reason(facts, phase)}"),
        findings=tuple(filter(None, (ramp(facts), rest(facts), measure(facts), days(facts)))),
        suggestions=suggestions(facts, phase),
        confidence=confidence(facts, phase),
        reasons=reasons(facts, phase),
        missing=facts.missing,
    )


def reason(facts: Facts, phase: str) -> str:
    """Overdoing has two causes, and easing may be a week off or a way back; the text names the one that holds."""
    if phase == "easing":
        back = (value(facts, "load_ratio") or 0.0) >= 1 + CHANGED
        return "easing.idle" if is_idle(facts) else "easing.back" if back else "easing"
    if phase != "overdoing":
        return phase
    return "overdoing.form" if (value(facts, "tsb") or 0.0) < DEEP_FORM else "overdoing.ramp"


def is_idle(facts: Facts) -> bool:
    return known(facts, "load_week") and (value(facts, "load_week") or 0.0) < SHOWN


def ramp(facts: Facts) -> Finding:
    going = trend(value(facts, "ramp") or 0.0, least=0.05)
    return Finding(slot=f"load.ramp.{going}", facts=("ramp", "ramp_guide"), direction=going, weight=3)


def rest(facts: Facts) -> Finding:
    """Say what days off would do to form, which they lift only as long as there is fatigue to lose."""
    gained = (value(facts, "tsb_projected") or 0.0) - (value(facts, "tsb") or 0.0)
    slot = "load.rest.gained" if gained >= SHOWN else "load.rest.spent"
    return Finding(slot=slot, facts=("tsb", "tsb_projected", "projected_on"), weight=2)


def measure(facts: Facts) -> Finding | None:
    """Say how much of the load is a guess; where none is, what most of it was measured by."""
    guessed = value(facts, "share_estimate")
    if guessed is None:
        return None
    if guessed >= 0.5:
        big = guessed >= GUESSED
        slot = "load.measure.guess" if big else "load.measure.some"
        return Finding(slot=slot, facts=("share_estimate",), weight=3 if big else 1)
    way = main_way(facts)
    return Finding(slot=f"load.measure.{way}", facts=(f"share_{way}",), weight=1)


def main_way(facts: Facts) -> str:
    return max(WAYS, key=lambda way: value(facts, f"share_{way}") or 0.0)


def days(facts: Facts) -> Finding | None:
    """Say what the seven days were like: all alike, or clearly different from the weeks before."""
    if (value(facts, "monotony") or 0.0) >= ALIKE and known(facts, "strain"):
        return Finding(slot="load.alike", facts=("monotony", "strain"), weight=2)
    ratio = value(facts, "load_ratio")
    if ratio is None:
        return None
    going = trend(ratio - 1, least=CHANGED)
    direction = "flat" if going == "flat" else going
    return Finding(slot=f"load.ratio.{going}", facts=("load_ratio", "load_week"), direction=direction, weight=1)


def suggestions(facts: Facts, phase: str) -> tuple[Suggestion, ...]:
    idle = ".idle" if phase == "easing" and is_idle(facts) else ""
    advice = Suggestion(slot=f"load.advice.{phase}{idle}", when="when.this_week", facts=("phase",))
    if (value(facts, "share_estimate") or 0.0) < GUESSED:
        return (advice,)
    return advice, Suggestion(slot="load.advice.measure", when="when.next_session", facts=("share_estimate",))


def confidence(facts: Facts, phase: str) -> str:
    guessed = value(facts, "share_estimate") or 0.0
    if phase == "starting" or guessed >= MOSTLY:
        return "low"
    exact = sum(value(facts, f"share_{way}") or 0.0 for way in ("power", "pace"))
    return "high" if exact >= MOSTLY and guessed < GUESSED else "medium"


def reasons(facts: Facts, phase: str) -> tuple[str, ...]:
    found = {
        "short_history": phase == "starting",
        "load_mostly_estimated": (value(facts, "share_estimate") or 0.0) >= MOSTLY,
        "load_mostly_from_heart_rate": (value(facts, "share_heart_rate") or 0.0) >= MOSTLY,
    }
    return tuple(name for name, holds in found.items() if holds)

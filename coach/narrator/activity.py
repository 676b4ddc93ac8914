"""Plans the text about a session: its kind first, judged by that kind, then a session like it."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, trend, value, word
from coach.scopes.activity.kind import WORDS
from coach.scopes.facts import Facts

KINDS = {words: kind for kind, words in WORDS.items()}
# What a session is judged as when the athlete said what it was.
JUDGED = {
    "recovery session": "easy",
    "endurance session": "easy",
    "long session": "long",
    "interval session": "intervals",
    "tempo session": "stated",
    "threshold session": "stated",
    "race": "stated",
    "strength session": "stated",
    "technique session": "stated",
}
DRIFT = 5.0  # percent of decoupling from which it is worth a word
ALIKE = 1.0  # percent of difference to a session like it
OUTDONE = 1.05  # of threshold, which nobody holds for so long
OUTDONE_S = 2400.0
TOO_HARD = 10.0  # percent above threshold in an easy session


def plan(facts: Facts) -> Plan:
    stated = known(facts, "kind_found")
    kind = JUDGED[word(facts, "kind")] if stated else KINDS[word(facts, "kind")]
    said = "stated" if stated else kind
    return Plan(
        headline=f"activity.headline.{said}",
        summary=(f"activity.kind.{said}{strayed(facts, said)}", f"activity.numbers.{numbers(facts)}"),
        findings=findings(facts, kind),
        suggestions=suggestions(facts, kind),
        confidence=confidence(facts, kind),
        reasons=reasons(facts, kind),
        missing=facts.missing,
    )


def numbers(facts: Facts) -> str:
    """Choose what the session is told by: power, pace or speed, else heart rate, else its time."""
    if known(facts, "np", "heart_rate_avg"):
        return "power"
    if known(facts, "pace", "heart_rate_avg"):
        return "pace"
    if known(facts, "pace"):
        return "pace_only"
    if known(facts, "swim_pace"):
        return "swim"
    if known(facts, "speed"):
        return "speed"
    return "heart" if known(facts, "heart_rate_avg") else "time"


def findings(facts: Facts, kind: str) -> tuple[Finding, ...]:
    found = (by_kind(facts, kind), drift(facts, kind), peer(facts), load(facts), doubt(facts))
    return tuple(finding for finding in found if finding is not None)[:4]


def by_kind(facts: Facts, kind: str) -> Finding | None:
    """Judge the session by what it is: variability is what intervals are made of, and no fault of theirs."""
    level = "interval_power" if known(facts, "interval_power") else "interval_pace"
    if kind == "intervals" and known(facts, "interval_count", level):
        keys = ("interval_count", "interval_length", level)
        return Finding(slot=f"activity.{level}", facts=keys, weight=3)
    if kind in {"easy", "long"} and known(facts, "hard_share", "easy_share"):
        slot = f"activity.easy{strayed(facts, kind) or '.kept'}"
        return Finding(slot=slot, facts=("easy_share", "hard_share"), weight=3 if strayed(facts, kind) else 2)
    if kind in {"steady", "hard"} and known(facts, "intensity"):
        return Finding(slot=f"activity.intensity.{kind}", facts=("intensity",), weight=2)
    return None


def strayed(facts: Facts, kind: str) -> str:
    """Return the end of a slot for a session that was to be easy and was hard for a good part of it."""
    is_strayed = known(facts, "easy_share") and (value(facts, "hard_share") or 0.0) >= TOO_HARD
    return ".strayed" if kind in {"easy", "long"} and is_strayed else ""


def drift(facts: Facts, kind: str) -> Finding | None:
    found = value(facts, "decoupling")
    if found is None or kind == "intervals" or word(facts, "kind") == "race":
        return None
    going = trend(found, least=DRIFT)
    return Finding(slot=f"activity.drift.{going}", facts=("decoupling",), direction=going, weight=2)


def peer(facts: Facts) -> Finding | None:
    found = value(facts, "peer_change")
    if found is None:
        return None
    going = trend(found, least=ALIKE)
    keys = ("peer_day", "peer_measure", "peer_change")
    return Finding(slot=f"activity.peer.{going}", facts=keys, direction=going, weight=2)


def load(facts: Facts) -> Finding:
    slot = "activity.load.estimate" if word(facts, "load_from") == "estimate" else "activity.load.measured"
    return Finding(slot=slot, facts=("load", "load_from"), weight=1)


def doubt(facts: Facts) -> Finding | None:
    if "power_avg" in facts.missing:
        guess = word(facts, "load_from") == "estimate"
        slot = "activity.no_power.estimate" if guess else "activity.no_power.measured"
        return Finding(slot=slot, facts=("load", "load_from"), weight=1)
    return Finding(slot="activity.doubts", facts=("doubts",), weight=1) if known(facts, "doubts") else None


def suggestions(facts: Facts, kind: str) -> tuple[Suggestion, ...]:
    if word(facts, "load_from") == "estimate":
        return (Suggestion(slot=f"activity.advice.{lacking(facts)}", when="when.next_session", facts=("load_from",)),)
    if known(facts, "kind_found"):
        stated = Suggestion(slot="activity.advice.stated", when="when.next_session", facts=("kind",))
        return (stated, *threshold(facts))
    return (*following(facts, kind), *threshold(facts))


def following(facts: Facts, kind: str) -> tuple[Suggestion, ...]:
    when = "when.tomorrow" if kind in {"intervals", "hard", "long"} else "when.next_session"
    return (Suggestion(slot=f"activity.advice.{kind}{strayed(facts, kind)}", when=when, facts=("kind",)),)


def threshold(facts: Facts) -> tuple[Suggestion, ...]:
    """Ask to look at a threshold that an effort stayed above for longer than one can."""
    above = (value(facts, "intensity") or 0.0) > OUTDONE and (value(facts, "timer") or 0.0) >= OUTDONE_S
    facts_of_it = ("intensity", "timer")
    return (Suggestion(slot="activity.advice.outdone", when="when.this_week", facts=facts_of_it),) if above else ()


def lacking(facts: Facts) -> str:
    """Return what a guessed load lacks: nobody is told to wear the sensor that the recording has."""
    scored_by = ("heart_rate_avg", "np", "graded_pace")
    return "threshold" if any(known(facts, key) for key in scored_by) else "measure"


def confidence(facts: Facts, kind: str) -> str:
    if kind == "unmeasured":
        return "low"
    return "medium" if known(facts, "doubts") or word(facts, "load_from") == "heart rate" else "high"


def reasons(facts: Facts, kind: str) -> tuple[str, ...]:
    found = {
        "intensity_not_measured": kind == "unmeasured",
        "recording_has_doubts": known(facts, "doubts"),
        "load_from_heart_rate": word(facts, "load_from") == "heart rate",
    }
    return tuple(name for name, holds in found.items() if holds)

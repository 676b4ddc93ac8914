"""Plans the text about today: the rule's verdict, the facts that decide, what is missing, and what it is for."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, value, word
from coach.scopes.facts import Facts
from coach.scopes.load.terms import DEEP_FORM
from coach.scopes.today.verdict import AND, EASY, HARD, TIRED_FORM, WORDS

DEBT_MIN = 60.0
RESTED_FORM = 5.0  # from which fitness stands clear of fatigue
IDLE = 0.4  # of fitness: fatigue is below it after about a week without training
LONG_DAYS = 14  # without a hard session, after which the next is begun with care
KEYS = {name: key for key, name in WORDS.items()}
SIGNALS = ("hrv_position", "rhr_delta", "sleep_debt")


def plan(facts: Facts) -> Plan:
    slot = slot_of(facts)
    return Plan(
        headline=f"today.headline.{slot}",
        summary=(f"today.verdict.{slot}", f"today.{'because' if known(facts, 'because') else 'alone'}"),
        findings=findings(facts),
        suggestions=suggestions(facts, slot),
        confidence=confidence(facts),
        reasons=("signals_are_missing",) if known(facts, "signals_missing") else (),
        missing=facts.missing,
    )


def slot_of(facts: Facts) -> str:
    """Return the verdict as a slot; "as planned" without a plan is a day like others."""
    found = word(facts, "verdict")
    if found in {EASY, HARD}:
        return found
    return "planned" if known(facts, "planned") else "free"


def findings(facts: Facts) -> tuple[Finding, ...]:
    """Return the two facts that decide first, then what is missing, the plan and the goal."""
    deciding = [finding for key in deciding_keys(facts) if (finding := about(facts, key))]
    others = [short_of_sleep(facts), planned(facts), missing(facts), goal(facts)]
    found = [*deciding, *(finding for finding in others if finding and finding not in deciding)]
    return tuple(found or [Finding(slot="today.level", facts=("verdict",), weight=1)])[:4]


def deciding_keys(facts: Facts) -> list[str]:
    """Return the facts that the words of `because` stand for."""
    return [KEYS[name] for name in word(facts, "because").split(AND) if name in KEYS]


def about(facts: Facts, key: str) -> Finding | None:
    """Say one of the facts that decide."""
    match key:
        case "planned":
            return planned(facts)
        case "hrv_7d":
            return hrv(facts)
        case "rhr_delta":
            return resting(facts)
        case "sleep_debt":
            return short_of_sleep(facts) or Finding(slot="today.sleep.enough", facts=("sleep_debt",), weight=3)
        case "tsb":
            return Finding(slot=f"today.form.{form(facts)}", facts=("tsb", "ctl", "atl"), weight=3)
        case "days_since_hard":
            slot = "today.days_since_hard.long" if is_long_since_hard(facts) else "today.days_since_hard"
            return Finding(slot=slot, facts=("days_since_hard",), weight=3)
        case _:
            return Finding(slot=f"today.{key}", facts=(key,), weight=3)


def short_of_sleep(facts: Facts) -> Finding | None:
    """Say what the advice to sleep rests on, also where it does not decide the day."""
    if (value(facts, "sleep_debt") or 0.0) < DEBT_MIN:
        return None
    return Finding(slot="today.sleep.short", facts=("sleep_debt",), weight=3)


def is_long_since_hard(facts: Facts) -> bool:
    """Say whether hard training is a long way back, or nowhere in the history."""
    days = value(facts, "days_since_hard")
    return days is None or days >= LONG_DAYS


def hrv(facts: Facts) -> Finding:
    """Say where HRV lies; below the range beside another verdict than easy, also why it did not decide."""
    position = word(facts, "hrv_position")
    alone = position == "below" and word(facts, "verdict") != EASY
    keys = ("hrv_7d", "hrv_kind", "hrv_position")
    return Finding(slot=f"today.hrv.{'alone' if alone else position}", facts=keys, weight=3)


def resting(facts: Facts) -> Finding:
    keys = ("rhr_delta", "rhr_state")
    if word(facts, "rhr_state") != "raised":
        return Finding(slot="today.rhr.usual", facts=keys, weight=3)
    slot = "today.rhr.raised" if word(facts, "verdict") == EASY else "today.rhr.alone"
    return Finding(slot=slot, facts=keys, direction="up", weight=3)


def form(facts: Facts) -> str:
    tsb = value(facts, "tsb") or 0.0
    if tsb < TIRED_FORM:
        return "deep" if tsb < DEEP_FORM else "tired"
    if tsb < RESTED_FORM:
        return "level"
    return "idle" if (value(facts, "atl") or 0.0) < IDLE * (value(facts, "ctl") or 0.0) else "fresh"


def planned(facts: Facts) -> Finding | None:
    return Finding(slot="today.plan", facts=("planned",), weight=2) if known(facts, "planned") else None


def missing(facts: Facts) -> Finding | None:
    if not known(facts, "signals_missing"):
        return None
    return Finding(slot="today.missing", facts=("signals_missing",), weight=2)


def goal(facts: Facts) -> Finding | None:
    left = value(facts, "goal_in")
    if left is None:
        return None
    slot = "today.goal.now" if left < 1 else "today.goal.tomorrow" if left < 2 else "today.goal"
    return Finding(slot=slot, facts=("goal_in", "goal_day"), weight=1)


def suggestions(facts: Facts, slot: str) -> tuple[Suggestion, ...]:
    advice = Suggestion(slot=f"today.advice.{slot}{care(facts, slot)}", when="when.today", facts=("verdict",))
    if (value(facts, "sleep_debt") or 0.0) < DEBT_MIN:
        return (advice,)
    return advice, Suggestion(slot="recovery.advice.sleep", when="when.tonight", facts=("sleep_debt",))


def care(facts: Facts, slot: str) -> str:
    """Return the end of a slot for advice that is more careful than the verdict alone would be."""
    if slot == EASY and known(facts, "days_away"):
        return ".again"
    if slot == HARD:
        return ".again" if is_long_since_hard(facts) else ""
    days = value(facts, "days_since_hard")
    is_tired = (days is not None and days <= 1) or (value(facts, "tsb") or 0.0) < TIRED_FORM
    return ".spare" if slot == "free" and is_tired else ""


def confidence(facts: Facts) -> str:
    signals = sum(known(facts, key) for key in SIGNALS)
    if not signals or not known(facts, "tsb"):
        return "low"
    return "high" if signals == len(SIGNALS) and not known(facts, "signals_missing") else "medium"

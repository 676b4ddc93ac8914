"""Plans the text about recovery: sleep, HRV and resting heart rate in their own range, and whether they agree."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, value, word
from coach.scopes.facts import Facts
from coach.scopes.recovery.apart import AGREE, FEW, ONE, USUAL

TOGETHER = {USUAL: "usual", ONE: "one", AGREE: "agree", FEW: "few"}
REGULAR_MIN = 45.0  # of bedtimes around their middle
WORTH_MIN = 60.0  # of sleep debt from which it is worth an evening
SIGNALS = ("hrv_position", "rhr_state", "debt")
SHORT = ("hrv_nights_short", "rhr_days_short", "nights_short")


def plan(facts: Facts) -> Plan:
    together = TOGETHER[word(facts, "agreement")]
    return Plan(
        headline=f"recovery.headline.{together}",
        summary=(f"recovery.{level(facts)}", f"recovery.together.{together}"),
        findings=findings(facts),
        suggestions=suggestions(facts, together),
        confidence=confidence(facts, together),
        reasons=("few_nights",) if known_any(facts, SHORT) else (),
        missing=facts.missing,
    )


def known_any(facts: Facts, keys: tuple[str, ...]) -> bool:
    return any(known(facts, key) for key in keys)


def level(facts: Facts) -> str:
    """Choose what the summary begins with: the week's sleep, else the newest night, else HRV, else the pulse."""
    if known(facts, "asleep_mean"):
        return "slept"
    if known(facts, "asleep_last"):
        return "last"
    return "variability" if known(facts, "hrv_7d") else "pulse" if known(facts, "rhr_7d") else "early"


def findings(facts: Facts) -> tuple[Finding, ...]:
    found = (hrv(facts), resting(facts), sleep(facts), rhythm(facts), stages(facts))
    return tuple(finding for finding in found if finding is not None)[:4]


def hrv(facts: Facts) -> Finding | None:
    position = word(facts, "hrv_position")
    if position and known(facts, "hrv_7d"):
        keys = ("hrv_7d", "hrv_kind", "hrv_position", "hrv_low", "hrv_high")
        return Finding(slot=f"recovery.hrv.{position}", facts=keys, weight=2 if position == "within" else 3)
    if known(facts, "hrv_nights_short"):
        return Finding(slot="recovery.hrv.short", facts=("hrv_nights_short", "hrv_kind"), weight=1)
    return None


def resting(facts: Facts) -> Finding | None:
    if known(facts, "rhr_7d", "rhr_delta", "rhr_state"):
        raised = word(facts, "rhr_state") == "raised"
        return Finding(
            slot="recovery.rhr.raised" if raised else "recovery.rhr.usual",
            facts=("rhr_7d", "rhr_delta", "rhr_state"),
            direction="up" if raised else "flat",
            weight=3 if raised else 1,
        )
    if known(facts, "rhr_days_short"):
        return Finding(slot="recovery.rhr.short", facts=("rhr_days_short",), weight=1)
    return None


def sleep(facts: Facts) -> Finding | None:
    debt = value(facts, "debt")
    if debt is not None:
        slot = "recovery.debt.some" if debt >= WORTH_MIN else "recovery.debt.little"
        return Finding(slot=slot, facts=("debt", "need", "nights"), weight=2 if debt >= WORTH_MIN else 1)
    if known(facts, "nights_short", "asleep_last"):
        return Finding(slot="recovery.nights.short", facts=("nights_short", "nights"), weight=1)
    return None


def rhythm(facts: Facts) -> Finding | None:
    spread = value(facts, "bedtime_sd")
    if spread is None:
        return None
    slot = "recovery.rhythm.steady" if spread <= REGULAR_MIN else "recovery.rhythm.loose"
    return Finding(slot=slot, facts=("bedtime_sd",), weight=1)


def stages(facts: Facts) -> Finding | None:
    if not known(facts, "deep", "rem", "sleep_from"):
        return None
    return Finding(slot="recovery.stages", facts=("deep", "rem", "sleep_from"), weight=1)


def suggestions(facts: Facts, together: str) -> tuple[Suggestion, ...]:
    advice = Suggestion(slot=f"recovery.advice.{together}", when="when.today", facts=("agreement",))
    if (value(facts, "debt") or 0.0) < WORTH_MIN:
        return (advice,)
    return advice, Suggestion(slot="recovery.advice.sleep", when="when.tonight", facts=("debt",))


def confidence(facts: Facts, together: str) -> str:
    if together == "few":
        return "low"
    return "high" if all(known(facts, key) for key in SIGNALS) else "medium"

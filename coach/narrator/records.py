"""Plans the text about records: what is new and what it beat, the standing bests with their days, and what they say."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, value
from coach.scopes.facts import Facts

STANDING = (
    "best_power_1200",
    "best_power_300",
    "best_time_10000",
    "best_time_5000",
    "best_time_21097",
    "best_time_1000",
    "best_time_40000",
    "best_time_20000",
    "best_time_400",
    "best_time_100",
    "best_power_60",
    "best_power_5",
)
PREDICTED = ("predicted_10000", "predicted_21097", "predicted_5000", "predicted_42195")


def plan(facts: Facts) -> Plan:
    return Plan(
        headline=f"records.headline.{newest_is(facts)}",
        summary=(beaten(facts), f"records.count.{count(facts)}"),
        findings=findings(facts),
        suggestions=(Suggestion(slot="records.advice", when="when.next_session", facts=("newest_best_what",)),),
        confidence="medium" if known(facts, "newest_best_before") else "low",
        reasons=() if known(facts, "newest_best_before") else ("nothing_to_compare_with",),
        missing=facts.missing,
    )


def newest_is(facts: Facts) -> str:
    """Return "new" only for what took an older value's place of late; the first of its kind is no new one."""
    if not value(facts, "newest_gain"):
        return "old" if known(facts, "newest_best_before") else "first"
    return "new" if value(facts, "new_count") else "old"


def count(facts: Facts) -> str:
    if value(facts, "new_count"):
        return "new"
    return "none" if known(facts, "newest_best_before") else "first"


def beaten(facts: Facts) -> str:
    if not known(facts, "newest_best_before", "newest_gain"):
        return "records.newest.first"
    return "records.newest.beat" if value(facts, "newest_gain") else "records.newest.even"


def findings(facts: Facts) -> tuple[Finding, ...]:
    found = [*standing(facts), critical(facts), endurance(facts), foretold(facts)]
    return tuple(finding for finding in found if finding is not None)[:4] or (newest(),)


def newest() -> Finding:
    return Finding(slot="records.only", facts=("newest_best_what", "newest_best", "newest_best_on"), weight=1)


def standing(facts: Facts) -> list[Finding]:
    """Name one best or two, each with its day."""
    there = [key for key in STANDING if known(facts, key, f"{key}_what", f"{key}_on")]
    return [Finding(slot=f"records.{key}", facts=(key, f"{key}_what", f"{key}_on"), weight=2) for key in there[:2]]


def critical(facts: Facts) -> Finding | None:
    if not known(facts, "cp", "w_prime"):
        return None
    return Finding(slot="records.critical", facts=("cp", "w_prime", "cp_points"), weight=2)


def endurance(facts: Facts) -> Finding | None:
    if not known(facts, "vdot"):
        return None
    return Finding(slot="records.vdot", facts=("vdot", "vdot_from", "vdot_from_on"), weight=2)


def foretold(facts: Facts) -> Finding | None:
    key = next((key for key in PREDICTED if known(facts, key)), None)
    return Finding(slot=f"records.{key}", facts=(key, f"{key}_from"), weight=1) if key else None

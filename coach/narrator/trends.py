"""Plans the text about trends: what moves beyond its interval first, then what is noise, and never why."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import value, word
from coach.scopes.facts import Facts

SLOPE = "_slope"
DIRECTIONS = {"rising": "up", "falling": "down"}
MOST_CLEAR = 3
MOST_NOISE = 2  # where nothing is clear; beside what is, the rest is worth a sentence
AMOUNTS = ("fitness", "_volume")  # of training, where the others are of what an effort costs


def plan(facts: Facts) -> Plan:
    some = (value(facts, "clear_count") or 0.0) > 0
    first = next(iter(clear(facts)), "")
    return Plan(
        headline=f"trends.{first}.headline" if first else "trends.headline.none",
        summary=("trends.range", f"trends.sum.{'some' if some else 'none'}"),
        findings=findings(facts),
        suggestions=(suggestion(facts, first),),
        confidence="high" if few(facts) == 0 else "medium" if some else "low",
        reasons=("few_points",) if few(facts) else (),
        missing=facts.missing,
    )


def lines(facts: Facts) -> list[str]:
    return [fact.key.removesuffix(SLOPE) for fact in facts.facts if fact.key.endswith(SLOPE)]


def few(facts: Facts) -> int:
    """Count the lines that rest on fewer than a dozen points."""
    return sum(word(facts, f"{line}_n").startswith("6 ") for line in lines(facts))


def clear(facts: Facts) -> list[str]:
    """Return the lines that move beyond their noise, the surest first."""
    return sorted((line for line in lines(facts) if is_clear(facts, line)), key=lambda line: -strength(facts, line))


def findings(facts: Facts) -> tuple[Finding, ...]:
    moving = clear(facts)[:MOST_CLEAR]
    noise = [line for line in lines(facts) if not is_clear(facts, line)]
    return tuple(finding(facts, line) for line in (*moving, *noise[: 1 if moving else MOST_NOISE]))


def suggestion(facts: Facts, first: str) -> Suggestion:
    return Suggestion(slot=f"trends.advice.{advice(facts, first)}", when="when.this_week", facts=("window",))


def advice(facts: Facts, first: str) -> str:
    """Choose by the surest line: what there is of training can be changed, what an effort costs is looked at again."""
    if not first:
        return "none"
    return direction(facts, first) if first.endswith(AMOUNTS) else "effort"


def direction(facts: Facts, line: str) -> str:
    return DIRECTIONS.get(word(facts, f"{line}_trend"), "flat")


def is_clear(facts: Facts, line: str) -> bool:
    return word(facts, f"{line}_trend") in DIRECTIONS


def strength(facts: Facts, line: str) -> float:
    """Return how many times its interval a line moves."""
    margin = value(facts, f"{line}_margin") or 0.0
    return abs(value(facts, f"{line}{SLOPE}") or 0.0) / margin if margin else 0.0


def finding(facts: Facts, line: str) -> Finding:
    going = direction(facts, line)
    keys = (f"{line}{SLOPE}", f"{line}_margin", f"{line}_n")
    if going == "flat":
        return Finding(slot=f"trends.{line}.noise", facts=keys, weight=1)
    ends = (f"{line}_start", f"{line}_end")
    return Finding(slot=f"trends.{line}.{going}", facts=(*keys, *ends), direction=going, weight=3)

"""Plans the text about weight: the trend and how sure its change is; never an order to eat, never praise for speed."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, trend, value, word
from coach.scopes.facts import Facts

SHOWN = 0.005  # kg a week that round to more than nothing
NEAR = 0.5  # kg from the goal that are as good as there


def plan(facts: Facts) -> Plan:
    going = change(facts)
    return Plan(
        headline=f"body.headline.{going}",
        summary=("body.level", f"body.sure.{going}"),
        findings=tuple(filter(None, (moving(facts, going), fast(facts), goal(facts), power(facts), last(facts))))[:4],
        suggestions=suggestions(facts, going),
        confidence="low" if going == "short" else "high" if going in {"up", "down"} else "medium",
        reasons=("few_weigh_ins",) if going == "short" else ("interval_holds_zero",) if going == "open" else (),
        missing=facts.missing,
    )


def change(facts: Facts) -> str:
    """Return which way weight moves, "open" where that cannot be told from none, "short" with too few weigh-ins."""
    slope = value(facts, "slope")
    if slope is None:
        return "short"
    return trend(slope, least=SHOWN).replace("flat", "open") if word(facts, "slope_is") == "clear" else "open"


def moving(facts: Facts, going: str) -> Finding:
    if going == "short":
        return Finding(slot="body.change.short", facts=("weigh_ins", "weigh_ins_short"), weight=2)
    keys = ("slope", "slope_low", "slope_high", "weigh_ins")
    return Finding(slot=f"body.change.{going}", facts=keys, direction="flat" if going == "open" else going, weight=3)


def fast(facts: Facts) -> Finding | None:
    if not known(facts, "fast", "slope_share"):
        return None
    return Finding(slot="body.fast", facts=("slope_share", "fast"), weight=2)


def goal(facts: Facts) -> Finding | None:
    gap = value(facts, "goal_gap")
    if gap is None:
        return None
    slot = "body.goal.near" if abs(gap) <= NEAR else "body.goal.far"
    return Finding(slot=slot, facts=("goal", "goal_gap"), weight=2)


def power(facts: Facts) -> Finding | None:
    if not known(facts, "w_per_kg", "ftp", "ftp_is"):
        return None
    slot = "body.power.estimated" if word(facts, "ftp_is") == "estimated" else "body.power.entered"
    return Finding(slot=slot, facts=("w_per_kg", "ftp", "ftp_is"), weight=1)


def last(facts: Facts) -> Finding:
    return Finding(slot="body.last", facts=("last_raw", "last_day"), weight=1)


def suggestions(facts: Facts, going: str) -> tuple[Suggestion, ...]:
    if going == "short":
        return (Suggestion(slot="body.advice.short", when="when.this_week", facts=("weigh_ins_short",)),)
    slot = "body.advice.fast" if known(facts, "fast") else "body.advice.steady"
    return (Suggestion(slot=slot, when="when.this_week", facts=("slope",)),)

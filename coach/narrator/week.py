"""Plans the text about a week: the main change, what to keep, and what next week asks for."""

from coach.narrator.plan import Finding, Plan, Suggestion
from coach.narrator.readings import known, trend, value
from coach.scopes.facts import Facts

WORTH_SAYING = 10.0  # percent of change
LARGE = 30.0
TIME_APART = 20.0  # percentage points between the change of time and that of load
LONGER = 15.0  # percent of change in time
ALL_EASY = 99.5  # rounds to all
MOSTLY_EASY = 75.0
MUCH_MODERATE = 35.0
MUCH_HARD = 20.0
ALIKE = 2.0
GUESSED = 25.0
OFTEN = 4


def plan(facts: Facts) -> Plan:
    going = change(facts)
    running = known(facts, "days_counted")
    return Plan(
        headline=f"week.headline.{going}",
        summary=(totals(facts, running=running), compared(going, running=running)),
        findings=findings(facts, going)[:4],
        suggestions=(keep(facts, going), following(facts, going, running=running)),
        confidence=confidence(facts),
        reasons=reasons(facts),
        missing=facts.missing,
    )


def change(facts: Facts) -> str:
    """Return which way load went against the usual, "new" where nothing is usual yet."""
    found = value(facts, "load_change")
    return "new" if found is None else trend(found, least=WORTH_SAYING)


def totals(facts: Facts, *, running: bool) -> str:
    number = "one" if value(facts, "sessions") == 1 else "many"
    return f"week.totals.{'running' if running else 'whole'}.{number}"


def compared(going: str, *, running: bool) -> str:
    if going == "new":
        return "week.compared.new"
    return f"week.compared.{'running' if running else 'whole'}"


def findings(facts: Facts, going: str) -> tuple[Finding, ...]:
    """Return what there is to say, the weightiest first."""
    about = (time_apart, split, alike, guess, longest, mix)
    found = [
        finding
        for finding in (load_change(going), how(facts, going), *(find(facts) for find in about))
        if finding is not None
    ]
    there = [finding for finding in found if finding is not None]
    if not there:
        there = [Finding(slot="week.days", facts=("active_days", "timer"), weight=1)]
    return tuple(sorted(there, key=lambda finding: -finding.weight))


def load_change(going: str) -> Finding | None:
    if going == "new":
        return None
    facts = ("load", "load_usual", "load_change")
    return Finding(slot=f"week.change.{going}", facts=facts, direction=going, weight=3)


def how(facts: Facts, going: str) -> Finding | None:
    """Say what the change is made of: more or fewer sessions, or longer or shorter ones."""
    if going not in {"up", "down"}:
        return None
    sessions, usual = value(facts, "sessions"), value(facts, "sessions_usual")
    if sessions is None or usual is None:
        return None
    if trend(sessions - usual, least=1) == going:
        keys = ("sessions", "sessions_usual", "load_change")
        return Finding(slot=f"week.how.often.{going}", facts=keys, direction=going, weight=3)
    if trend(value(facts, "timer_change") or 0.0, least=LONGER) == going:
        keys = ("sessions", "sessions_usual", "timer_change")
        return Finding(slot=f"week.how.long.{going}", facts=keys, direction=going, weight=3)
    return None


def time_apart(facts: Facts) -> Finding | None:
    """Say when load and time went apart: the sessions were of another intensity than usual."""
    load, time = value(facts, "load_change"), value(facts, "timer_change")
    if load is None or time is None or abs(load - time) < TIME_APART:
        return None
    slot = "week.apart.dense" if load > time else "week.apart.light"
    return Finding(slot=slot, facts=("load_change", "timer_change"), weight=2)


def split(facts: Facts) -> Finding | None:
    shares = ("easy_share", "moderate_share", "hard_share")
    if not known(facts, *shares):
        return None
    slot = "week.split.all" if (value(facts, "easy_share") or 0.0) >= ALL_EASY else f"week.split.{intensity(facts)}"
    return Finding(slot=slot, facts=shares, weight=2)


def intensity(facts: Facts) -> str:
    if (value(facts, "hard_share") or 0.0) >= MUCH_HARD:
        return "hard"
    if (value(facts, "moderate_share") or 0.0) >= MUCH_MODERATE:
        return "moderate"
    return "easy" if (value(facts, "easy_share") or 0.0) >= MOSTLY_EASY else "mixed"


def longest(facts: Facts) -> Finding | None:
    if (value(facts, "sessions") or 0) < 2:
        return None
    return Finding(slot="week.longest", facts=("longest", "longest_sport", "longest_day"), weight=1)


def mix(facts: Facts) -> Finding | None:
    if not known(facts, "main_sport", "main_sport_share"):
        return None
    return Finding(slot="week.mix", facts=("main_sport", "main_sport_share"), weight=1)


def alike(facts: Facts) -> Finding | None:
    if (value(facts, "monotony") or 0.0) < ALIKE or not known(facts, "strain"):
        return None
    return Finding(slot="week.alike", facts=("monotony", "strain"), weight=2)


def guess(facts: Facts) -> Finding | None:
    if (value(facts, "estimate_share") or 0.0) < GUESSED:
        return None
    return Finding(slot="week.guess", facts=("estimate_share",), weight=2)


def keep(facts: Facts, going: str) -> Suggestion:
    """Choose what is worth keeping: easy time, a steady rhythm, or simply the habit."""
    if known(facts, "easy_share") and intensity(facts) == "easy":
        return Suggestion(slot="week.keep.easy", when="when.next_week", facts=("easy_share",))
    if (value(facts, "active_days") or 0) >= OFTEN:
        return Suggestion(slot="week.keep.often", when="when.next_week", facts=("active_days",))
    if going == "flat":
        return Suggestion(slot="week.keep.level", when="when.next_week", facts=("load_change",))
    return Suggestion(slot="week.keep.habit", when="when.next_week", facts=("sessions",))


def following(facts: Facts, going: str, *, running: bool) -> Suggestion:
    """Choose what next week asks for; days that are left are never a debt."""
    big = abs(value(facts, "load_change") or 0.0) >= LARGE
    if going == "new":
        return Suggestion(slot="week.next.new", when="when.next_week")
    if going == "down" and big:
        slot = "week.next.down.running" if running else "week.next.down"
        return Suggestion(slot=slot, when="when.this_week" if running else "when.next_week", facts=("load_usual",))
    if going == "up" and big:
        slot = "week.next.up.running" if running else "week.next.up"
        return Suggestion(slot=slot, when="when.this_week" if running else "when.next_week", facts=("load_usual",))
    if known(facts, "easy_share") and (much := intensity(facts)) in {"hard", "moderate"}:
        return Suggestion(slot=f"week.next.easier.{much}", when="when.next_week", facts=("easy_share",))
    return Suggestion(slot="week.next.same", when="when.next_week", facts=("load",))


def confidence(facts: Facts) -> str:
    if not known(facts, "load_change"):
        return "low"
    guessed = (value(facts, "estimate_share") or 0.0) >= GUESSED
    return "medium" if guessed or known(facts, "days_counted") else "high"


def reasons(facts: Facts) -> tuple[str, ...]:
    found = {
        "few_weeks_to_compare": not known(facts, "load_change"),
        "load_partly_estimated": (value(facts, "estimate_share") or 0.0) >= GUESSED,
        "week_not_over": known(facts, "days_counted"),
    }
    return tuple(name for name, holds in found.items() if holds)

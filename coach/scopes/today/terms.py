"""What the facts of today mean, and the rule by which the verdict is found."""

from coach.scopes.basics import COACH, DAYS_TO, MEASURED, OF_PLAN, SUM_OF_YESTERDAY
from coach.scopes.load.hard import RULE as HARD_RULE
from coach.scopes.load.terms import TERMS as LOAD
from coach.scopes.recovery.apart import RULE as APART_RULE
from coach.scopes.recovery.terms import TERMS as RECOVERY
from coach.scopes.terms import Term, with_chinese
from coach.scopes.today import chinese
from coach.scopes.today.verdict import RULE

OF_LOAD = {term.key: term for term in LOAD}
OF_NIGHTS = {term.key: term for term in RECOVERY}
PLAN = "What you planned; nothing of it counts as done before a recording of it is here."

ENGLISH = (
    Term(
        key="verdict",
        label="Today",
        kind="word",
        meaning="What today is good for, found by a fixed rule from form, recovery and your plan. You decide.",
        convention=f"{RULE} {APART_RULE} {HARD_RULE}",
        source="Rule of this coach",
    ),
    OF_LOAD["tsb"],
    OF_NIGHTS["hrv_7d"],
    Term(
        key="sleep_last",
        label="Last night",
        kind="span",
        unit="min",
        meaning="How long you slept last night. A single night never decides the day.",
        convention="The night that ended today.",
        source=MEASURED,
    ),
    Term(
        key="planned",
        label="Planned for today",
        kind="word",
        meaning="What you mean to do today, by sport and duration.",
        convention=PLAN,
        source=OF_PLAN,
    ),
    Term(
        key="planned_load",
        label="Planned load",
        kind="points",
        meaning="The load you planned for today. It is not part of fitness, fatigue or form.",
        convention=PLAN,
        source=OF_PLAN,
    ),
    OF_LOAD["ctl"],
    OF_LOAD["atl"],
    Term(
        key="load_yesterday",
        label="Load yesterday",
        kind="points",
        meaning="The load of everything you recorded yesterday; 100 points are an hour at threshold.",
        convention=SUM_OF_YESTERDAY,
        source=COACH,
    ),
    Term(
        key="days_since_hard",
        label="Days since a hard day",
        kind="count",
        meaning="How many days ago the last hard session was.",
        convention=HARD_RULE,
        source="Rule of this coach",
    ),
    OF_LOAD["days_away"],
    OF_NIGHTS["hrv_kind"],
    OF_NIGHTS["hrv_position"],
    OF_NIGHTS["rhr_delta"],
    OF_NIGHTS["rhr_state"],
    Term(
        key="sleep_debt",
        label="Sleep debt, 7 nights",
        kind="span",
        unit="min",
        meaning="How much sleep the last week lacks against your need, which you set in your settings.",
        convention=OF_NIGHTS["debt"].convention,
        source=OF_NIGHTS["debt"].source,
        good="down",
    ),
    Term(
        key="signals_missing",
        label="Not here today",
        kind="word",
        meaning="What the verdict had to do without. It comes with the next upload of your device.",
    ),
    Term(
        key="because",
        label="What decides",
        kind="word",
        meaning="The facts that made the rule say what it says.",
        convention=RULE,
    ),
    Term(
        key="goal_in",
        label="Days to your goal",
        kind="count",
        meaning="How many days are left until your next goal.",
        convention=DAYS_TO,
        source=OF_PLAN,
    ),
    Term(
        key="goal_day",
        label="Your next goal",
        kind="day",
        meaning="The day of the next race or goal that you entered.",
        source=OF_PLAN,
    ),
    Term(key="today", label="Today is", kind="day", meaning="The day this was computed for."),
)

TERMS = with_chinese(ENGLISH, chinese.TERMS)

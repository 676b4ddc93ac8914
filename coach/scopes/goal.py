"""The goal that lies ahead, as facts and as a line of words; nothing of it is done before a recording of it is here."""

from datetime import date
from functools import partial
from typing import Any

from coach import display
from coach.display import Style
from coach.models import Athlete, Goal
from coach.scopes.sports import CHINESE, word_of
from coach.scopes.terms import Term, Value, Words

ENTERED = "As you entered it with your goal."
SOURCE = "Your plan"
han = partial(Words, convention="按你填写的目标。", source="你的计划")

TERMS = (
    Term(
        key="goal_sport",
        label="Sport of your goal",
        kind="word",
        meaning="What your next goal is in. Nothing of it counts as done.",
        convention=ENTERED,
        source=SOURCE,
        chinese=han(label="目标项目", meaning="下一个目标是什么运动，尚未完成，不计入任何数据。", values=CHINESE),
    ),
    Term(
        key="goal_distance",
        label="Distance of your goal",
        kind="distance",
        unit="m",
        meaning="How far your next goal is. Nothing of it counts as done.",
        convention=ENTERED,
        source=SOURCE,
        chinese=han(label="目标距离", meaning="下一个目标有多远，尚未完成，不计入任何数据。"),
    ),
    Term(
        key="goal_target",
        label="Time you aim for",
        kind="duration",
        unit="s",
        meaning="The time in which you want to reach it. It is a wish, not a prediction.",
        convention=ENTERED,
        source=SOURCE,
        chinese=han(label="目标时间", meaning="你希望用多少时间完成，是愿望，不是预测。"),
    ),
)
# A week says in whole weeks how far it is, so that its text does not change from day to day.
OF_WEEK = (
    Term(
        key="goal_on",
        label="Next goal on",
        kind="day",
        meaning="The day of the next race or goal that you entered.",
        convention=ENTERED,
        source=SOURCE,
        chinese=han(label="下一个目标的日期", meaning="你填写的下一场比赛或下一个目标的日期。"),
    ),
    Term(
        key="goal_weeks",
        label="Weeks to your goal",
        kind="count",
        unit="weeks",
        meaning="How many weeks after this one your goal is; 0 when it lies in this week.",
        convention="Whole weeks from the first day of this week to the first day of the week of your goal.",
        source=SOURCE,
        chinese=Words(
            label="距目标的周数",
            meaning="目标在本周之后第几周；在本周之内为 0。",
            convention="从本周第一天到目标所在周第一天的整周数。",
            source="你的计划",
        ),
    ),
    *TERMS,
)


def next_goal(athlete: Athlete, first: date, last: date | None = None) -> Goal | None:
    """Return the first goal from a day on, up to another day where one is given; one query."""
    goals = Goal.objects.filter(athlete=athlete, day__gte=first)
    return (goals.filter(day__lte=last) if last else goals).first()


def values_of(goal: Goal | None) -> dict[str, Value]:
    """Return what is a fact of a goal; its name is the athlete's own word and stays on the page."""
    if goal is None:
        return {}
    sport = word_of(goal.sport) if goal.sport else None
    known = {"goal_sport": sport, "goal_distance": goal.distance_m, "goal_target": goal.target_s}
    return {key: value for key, value in known.items() if value is not None}


def of_week(goal: Goal | None, *, first: date) -> dict[str, Value]:
    if goal is None:
        return {}
    weeks = (goal.day - first).days // 7
    return {"goal_on": goal.day.isoformat(), "goal_weeks": float(weeks), **values_of(goal)}


def listed(goal: Goal, *, today: date, style: Style) -> dict[str, Any]:
    """Return the goal as plain data for a page."""
    return {
        "name": goal.name,
        "sport": goal.sport,
        "day": display.day(goal.day, style=style),
        "days": (goal.day - today).days,
        "aim": aim(goal, style=style),
    }


def aim(goal: Goal, *, style: Style) -> str:
    """Return 42.2 km in 3:30:00, or what of it was said."""
    far = "" if goal.distance_m is None else display.show("distance", goal.distance_m, style=style)
    fast = "" if goal.target_s is None else display.show("duration", goal.target_s, style=style)
    if not fast:
        return far
    if style.chinese:
        return f"{far}，用时 {fast}" if far else f"用时 {fast}"
    return f"{far} in {fast}".strip()

"""What is planned for today and what it is all for; nothing of it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.models import Athlete, Goal, Planned
from coach.scopes import goal as goals
from coach.scopes.terms import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    sessions: Sequence[Planned]
    goal: Goal | None
    today: date

    @property
    def days_to_goal(self) -> int:
        return (self.goal.day - self.today).days if self.goal else 0


def ahead_of(athlete: Athlete) -> Ahead:
    """Read today's plan and the next goal; two queries."""
    today = athlete.today()
    return Ahead(
        sessions=list(Planned.objects.filter(athlete=athlete, day=today)),
        goal=goals.next_goal(athlete, today),
        today=today,
    )


def values_of(ahead: Ahead) -> dict[str, Value]:
    """Return what a text may say: sports, sums, days. Titles and names are the athlete's words and stay on the page."""
    values: dict[str, Value] = {}
    if ahead.sessions:
        values["planned"] = ", ".join(session_words(session) for session in ahead.sessions)
        loads = [session.load for session in ahead.sessions if session.load is not None]
        values |= {"planned_load": sum(loads)} if loads else {}
    if ahead.goal:
        values |= {"goal_in": float(ahead.days_to_goal), "goal_day": ahead.goal.day.isoformat()}
    return values | goals.values_of(ahead.goal)


def session_words(session: Planned) -> str:
    word = session.sport.replace("_", " ") or "a session"
    return f"{display.hours(session.duration_s)} of {word}" if session.duration_s and session.sport else word


def listed(ahead: Ahead, *, style: Style) -> dict[str, Any]:
    """Return the plan as plain data for the page."""
    return {
        "sessions": [
            {
                "title": session.title,
                "sport": session.sport,
                "note": session.note,
                "time": display.show("hours", session.duration_s, style=style) if session.duration_s else "",
                "load": display.number(session.load) if session.load is not None else "",
            }
            for session in ahead.sessions
        ],
        "goal": goals.listed(ahead.goal, today=ahead.today, style=style) if ahead.goal else None,
    }

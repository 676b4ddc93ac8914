"""Scopes turn rows into facts: one question each, answered before any text is written."""

from coach.models import Athlete
from coach.scopes import registry
from coach.scopes.activity import facts as _activity
from coach.scopes.after import subjects_after
from coach.scopes.body import facts as _body
from coach.scopes.facts import Fact, Facts
from coach.scopes.load import facts as _load
from coach.scopes.records import facts as _records
from coach.scopes.recovery import facts as _recovery
from coach.scopes.registry import Scope, UnknownScope, UnknownSubject, named, scopes
from coach.scopes.today import facts as _today
from coach.scopes.trends import facts as _trends
from coach.scopes.week import facts as _week

__all__ = [
    "ORDER",
    "Fact",
    "Facts",
    "Scope",
    "UnknownScope",
    "UnknownSubject",
    "facts_for",
    "named",
    "question",
    "scopes",
    "subjects_after",
]

# In which order texts are written when many are due: what is read in the morning first.
ORDER = ("today", "activity", "week", "load", "recovery", "trends", "records", "body")
REGISTERED = (_activity, _body, _load, _records, _recovery, _today, _trends, _week)  # importing registers them


def facts_for(scope: str, athlete: Athlete, subject: str) -> Facts:
    """Compute the facts of a scope; raises UnknownScope or UnknownSubject."""
    return registry.named(scope).compute(athlete, subject)


def question(scope: str) -> str:
    """Return the question that a scope answers."""
    return registry.named(scope).question

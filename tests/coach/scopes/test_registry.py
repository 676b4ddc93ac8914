"""Every scope states its question, what a text must answer, and facts that explain themselves."""

from datetime import timedelta

import pytest

from coach import display, scopes
from coach.models import Athlete
from coach.scopes.activity.terms import TERMS as ACTIVITY
from coach.scopes.body.terms import TERMS as BODY
from coach.scopes.goal import OF_WEEK as GOAL
from coach.scopes.load.terms import TERMS as LOAD
from coach.scopes.records.terms import TERMS as RECORDS
from coach.scopes.recovery.terms import TERMS as RECOVERY
from coach.scopes.terms import Term
from coach.scopes.today.terms import TERMS as DAY
from coach.scopes.trends.terms import TERMS as TRENDS
from coach.scopes.week.terms import TERMS as WEEK
from coach.scopes.week.terms import of_sport
from tests.coach.scopes.rows import TODAY, activity

ALL = (*GOAL, *ACTIVITY, *BODY, *LOAD, *RECOVERY, *DAY, *WEEK, *of_sport("running"), *RECORDS, *TRENDS)
OF_THE_DAY = [("today", "current"), ("recovery", "current"), ("body", "current")]


def test_the_scopes_of_this_version() -> None:
    assert set(scopes.scopes()) == set(scopes.ORDER)
    for scope in scopes.scopes().values():
        assert scope.question.endswith("?")
        assert scope.answers
        assert scopes.question(scope.name) == scope.question


def test_an_unknown_scope_is_named_with_those_there_are(ana: Athlete) -> None:
    with pytest.raises(scopes.UnknownScope, match="activity, body, load"):
        scopes.facts_for("sleep", ana, "current")


@pytest.mark.parametrize("terms", [ACTIVITY, BODY, LOAD, RECOVERY, DAY, WEEK, RECORDS, TRENDS])
def test_keys_are_used_once(terms: tuple[Term, ...]) -> None:
    keys = [term.key for term in terms]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("term", ALL, ids=lambda term: term.key)
def test_every_fact_explains_itself_and_can_be_shown(term: Term) -> None:
    assert term.label
    assert term.meaning.endswith(".")
    assert term.kind in {*display.KINDS, *display.DAYS, "word"}
    assert term.good in {"", "up", "down"}


def test_an_import_touches_its_newest_activities_weeks_and_load(ana: Athlete) -> None:
    rows = [activity(ana, TODAY - timedelta(days=days)) for days in (3, 20, 10, 40, 50)]
    assert scopes.subjects_after(ana, rows) == [
        *OF_THE_DAY,
        ("activity", str(rows[0].pk)),
        ("week", "2026-W48"),
        ("load", "current"),
        ("trends", "90d"),
        ("records", "running"),
        ("activity", str(rows[2].pk)),
        ("activity", str(rows[1].pk)),
    ]


def test_an_old_import_touches_its_week_and_this_one(ana: Athlete) -> None:
    row = activity(ana, TODAY - timedelta(days=70))
    assert scopes.subjects_after(ana, [row]) == [
        *OF_THE_DAY,
        ("activity", str(row.pk)),
        ("week", "2026-W38"),
        ("week", "2026-W48"),
        ("load", "current"),
        ("trends", "90d"),
        ("records", "running"),
    ]
    assert scopes.subjects_after(ana, []) == OF_THE_DAY  # nights and weights alone change those

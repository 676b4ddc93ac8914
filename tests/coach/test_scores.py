"""How well a model keeps to the facts: counted up, equal to what plain SQL counts from the insights, shown to staff."""

import json
import random

import pytest
from django.db import connection
from django.urls import reverse

from coach import insights, writing
from coach.gateway import client, prompt
from coach.gateway.completion import Completion
from coach.models import Insight, WriterScore
from tests import factories
from tests.coach import stories
from tests.coach.gateway.adversary import attack, plain, sound
from tests.coach.gateway.rendered import stored

pytestmark = pytest.mark.django_db
FROM_INSIGHTS = """
SELECT asked,
       count(*) FILTER (WHERE writer LIKE 'model/%%') AS written,
       count(*) FILTER (WHERE writer LIKE 'model/%%' AND (checked->>'repaired')::bool) AS repaired,
       count(*) FILTER (WHERE writer NOT LIKE 'model/%%') AS fell_back,
       sum((checked->>'findings')::int) AS findings,
       sum((checked->>'dropped')::int) AS dropped
FROM coach_insight WHERE asked <> '' GROUP BY asked ORDER BY asked
"""
RULES = """
SELECT asked, rule.key, sum(rule.value::int)
FROM coach_insight, jsonb_each_text(checked->'rules') AS rule WHERE asked <> '' GROUP BY 1, 2
"""


def rows(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


@pytest.fixture
def written(settings, monkeypatch):
    """Have two models write sixty insights, of good and of hostile answers."""
    settings.BUDGET = {"calls": 10**6, "tokens": 10**9}
    athlete = factories.athlete()
    facts = stories.load()
    chance = random.Random(3)
    answers = []

    def answer(*_args, **_more):
        answers.append(attack(len(answers) + 40_000) if chance.random() < 0.6 else None)
        said = answers[-1].raw if answers[-1] else plain(sound("en", chance), chance)
        return Completion(content=[said], finish="stop")

    monkeypatch.setattr(client, "complete", answer)
    for number in range(60):
        settings.GATEWAY = {"url": "http://127.0.0.1:9/v1", "key": "", "model": f"m{number % 2}", "idle_seconds": 5}
        stored(athlete, facts, fingerprint=f"{number}")
    return athlete


def test_the_counters_are_what_plain_sql_counts_from_the_insights(written):
    counted = [
        (f"model/{row.model}/{row.prompt_version}", row.written, row.repaired, row.fell_back, row.findings, row.dropped)
        for row in WriterScore.objects.order_by("model")
    ]
    assert counted == rows(FROM_INSIGHTS)
    assert [line[0] for line in counted] == [f"model/m{n}/{prompt.VERSION}" for n in (0, 1)]
    assert all(min(line[1:]) > 0 for line in counted)
    assert {
        (f"model/{row.model}/{row.prompt_version}", rule, count)
        for row in WriterScore.objects.all()
        for rule, count in row.rules.items()
    } == set(rows(RULES))


def test_what_no_model_was_asked_for_is_counted_for_none(settings):
    athlete = factories.athlete()
    stored(athlete, stories.load(), fingerprint="x")
    assert not WriterScore.objects.exists()
    assert Insight.objects.get().checked == {}


def test_staff_read_them_in_one_list_whose_queries_do_not_grow(written, client, django_assert_max_num_queries):
    client.force_login(factories.staff())
    with django_assert_max_num_queries(12):
        body = client.get(reverse("admin:coach_writerscore_changelist")).content.decode()
    row = WriterScore.objects.get(model="m1")
    assert "m1" in body
    assert f"{row.fell_back} (" in body
    assert all(f"{rule} {count}" in body for rule, count in row.rules.items())


def test_the_list_looks_at_no_insight(written, client):
    """A million of them cost it nothing: its only table has a row a model and version."""
    client.force_login(factories.staff())
    with connection.execute_wrapper(without_insights):
        assert client.get(reverse("admin:coach_writerscore_changelist")).status_code == 200


def without_insights(execute, sql, params, many, context):
    assert "coach_insight" not in sql
    return execute(sql, params, many, context)


def test_a_text_of_a_dropped_finding_tells_which_rule_it_broke(written):
    broken = [row for row in Insight.objects.exclude(dropped=[]) if row.writer.startswith("model/")]
    assert broken
    assert all(each["check"] and each["where"] for row in broken for each in row.dropped)
    assert all(json.dumps(row.checked) for row in broken)


def test_the_fingerprint_of_an_athlete_without_model_is_the_narrators(settings):
    settings.GATEWAY = {"url": "http://127.0.0.1:9/v1", "key": "", "model": "m", "idle_seconds": 5}
    athlete = factories.athlete()
    facts = stories.load()
    asking = insights.fingerprint(athlete, facts)
    writing.use_model(athlete, False)
    assert insights.fingerprint(athlete, facts) != asking
    assert insights.fingerprint(athlete, facts) == insights.fingerprint(athlete, facts, seated=False)

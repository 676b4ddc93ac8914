"""Stored cases, written anew by one or two sides, behind everybody who waits."""

import json

import pytest

from coach import cases, comparing, evaluating, panels, scopes, writing
from coach.evaluating import Side
from coach.models import Evaluation, EvaluationText, Insight, Spending
from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Item, Job
from tests.coach import stories, stories_of_days
from tests.coach.evaluating.made import BOTH, evaluated, made, rows
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)


# Facts as they are kept


@pytest.mark.parametrize(
    "facts", [*stories.loads(), *stories.activities(), *stories_of_days.recoveries()], ids=lambda each: each.scope
)
def test_facts_come_back_from_where_they_are_kept_with_all_that_checks_and_prompts_read(facts):
    from coach.gateway import as_sent
    from coach.gateway.rules.trends import is_record, trends

    kept = json.loads(json.dumps(cases.kept(facts)))
    again = cases.restored(kept, scope=facts.scope, subject=facts.subject)
    if again is None:
        assert not facts.facts
        return
    for fact, other in zip(facts.facts, again.facts, strict=True):
        assert (trends(fact), is_record(fact), fact.display, fact.passing) == (
            trends(other), is_record(other), other.display, other.passing,
        )  # fmt: skip
    if not facts.notes and set(facts.missing) == {fact.key for fact in facts.facts if fact.value is None}:
        assert as_sent(again, language="en") == as_sent(facts, language="en")


# Writing


def test_each_side_writes_about_each_case_once_behind_everybody(ana, stored):
    before = len(stored.log())
    evaluation = made()
    job = Job.objects.get(kind="evaluate")
    assert (job.pool, job.lane, job.band, job.priority) == ("gateway", "", 1, evaluating.LAST)
    testing.run_due()
    assert Job.objects.get(kind="evaluate").status == "succeeded"
    assert len(stored.log()) - before == 6
    assert EvaluationText.objects.filter(writer="model/big/2", side=0).count() == 3
    assert EvaluationText.objects.filter(writer="model/trial/1", side=1).count() == 3
    assert Insight.objects.count() == 3
    assert Item.objects.filter(job=job.pk, status="ok").count() == 3
    assert not evaluating.retry(evaluation, by="staff")


def test_it_costs_no_athlete_anything(ana, stored):
    spent = list(Spending.objects.values_list("calls", "tokens"))
    evaluated()
    assert list(Spending.objects.values_list("calls", "tokens")) == spent


def test_the_prompt_of_a_version_is_the_one_that_is_sent(ana, stored, monkeypatch):
    from coach.gateway import client
    from coach.gateway.completion import Completion

    asked = []

    def answer(run, messages, **more):
        asked.append((messages[0]["content"][-30:], more["model"]))
        return Completion(content=["{}"], finish="stop")

    monkeypatch.setattr(client, "complete", answer)
    evaluated()
    assert {model for _text, model in asked} == {"big", "trial"}
    from coach.gateway.prompt import instructions

    assert {text for text, _model in asked} == {instructions("insight", version)[-30:] for version in (1, 2)}


@pytest.mark.parametrize("sides", [[Side(prompt=2)], BOTH], ids=["between two cases", "between two sides"])
def test_a_screen_goes_first_at_the_next_call(start_worker, ana, configured, sides):
    with TrialGateway(delay_s=0.6) as upstream:
        env = configured(upstream)
        facts = scopes.facts_for("load", ana, "current")
        for number in range(4):
            Insight.objects.create(
                athlete=ana, scope="load", subject="current", fingerprint=str(number), writer="builtin/1",
                language="en", text={}, facts=cases.kept(facts),
            )  # fmt: skip
        made(sides)
        start_worker(env=env)
        until(lambda: len(upstream.log()) == 3, seconds=60)  # of two sides it is the first one about the second case
        today = scopes.facts_for("today", ana, "current")
        panels.panel(ana, today, ana.user)
        until(lambda: panels.panel(ana, today, ana.user).state == "written", seconds=60)
        screen = str(api.ticket("insight", ana.owner, "today/current").id)
        assert [call["job"] for call in upstream.log()].index(screen) == 3
        until(lambda: Job.objects.get(kind="evaluate").status == "succeeded", seconds=60)
        assert len(upstream.log()) == 4 * len(sides) + 1


def test_what_is_written_stays_when_a_call_comes_to_nothing(ana, stored):
    stored.script([{"do": "status", "status": 400, "body": '{"error": {"message": "no"}}'}])
    evaluation = evaluated()
    assert Job.objects.get(kind="evaluate").status == "partial"
    assert EvaluationText.objects.exclude(error="").count() == 1
    assert comparing.columns(evaluation)[0].failed == 1
    calls = len(stored.log())
    assert evaluating.retry(evaluation, by="staff")
    testing.run_due()
    assert EvaluationText.objects.filter(error="").count() == 6
    assert len(stored.log()) == calls + 1


def test_nobody_who_let_no_model_write_is_a_case(ana, stored):
    evaluation = made()
    writing.use_model(ana, False)
    calls = len(stored.log())
    testing.run_due()
    assert len(stored.log()) == calls
    assert not EvaluationText.objects.filter(case__evaluation=evaluation).exists()
    with pytest.raises(evaluating.Refused, match="let no model write"):
        made()


def test_an_insight_of_an_old_version_is_left_out(ana, stored):
    Insight.objects.filter(scope="load").update(facts={"ctl": {"label": "Fitness", "display": "63"}})
    assert evaluating.make("x", rows(), BOTH, by="staff").left_out == 1


def test_without_a_service_nothing_is_made(ana, stored, settings):
    settings.GATEWAY = {**settings.GATEWAY, "url": ""}
    with pytest.raises(evaluating.Refused, match="no writing service"):
        made()
    assert not Evaluation.objects.exists()

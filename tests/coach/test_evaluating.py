"""Evaluations: stored cases, one or two sides, real calls behind everybody, figures and blind judging."""

import csv
import io
import json

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from coach import cases, comparing, evaluating, insights, scopes, writing
from coach.evaluating import Side
from coach.models import Evaluation, EvaluationText, EvaluationVerdict, Insight, Opinion, Spending
from coach.scopes.calendar import week_of
from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Item, Job
from tests import factories
from tests.coach import stories, stories_of_days
from tests.coach.views.rows import signed_in
from tests.jobs.admin.conftest import create
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)
BOTH = [Side(prompt=2, model="big"), Side(prompt=1)]
FALSE = '{"headline": "You flew 42 km", "summary": "42", "findings": [{"text": "42", "facts": ["ctl"]}]}'


@pytest.fixture(autouse=True)
def _no_collected_files(settings):
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]


@pytest.fixture
def ana():
    owner = factories.athlete()
    factories.season(owner)
    return owner


@pytest.fixture
def gateway(settings):
    with TrialGateway() as upstream:
        settings.GATEWAY = {**settings.GATEWAY, "url": upstream.url, "key": "", "model": "trial"}
        settings.JOBS = {**settings.JOBS, "POOLS": {"gateway": {"capacity": 1, "gap": 0}}}
        yield upstream


@pytest.fixture
def stored(ana, gateway):
    """Three insights as the service keeps them, written by the trial gateway."""
    week = week_of(ana.today(), starts_on=ana.week_starts_on)
    for scope, subject in (("load", "current"), ("today", "current"), ("week", week)):
        insights.panel(ana, scopes.facts_for(scope, ana, subject), ana.user)
    testing.run_due()
    assert Insight.objects.filter(writer="model/trial/2").count() == 3
    return gateway


def rows():
    return Insight.objects.select_related("athlete").order_by("-pk")


def made(sides=BOTH):
    return evaluating.make("Prompts", rows(), sides, by="staff")[0]


def evaluated(sides=BOTH):
    evaluation = made(sides)
    testing.run_due()
    return evaluation


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
    assert {model for _text, model in asked} == {"big", ""}
    from coach.gateway.prompt import instructions

    assert {text for text, _model in asked} == {instructions("insight", version)[-30:] for version in (1, 2)}


def test_a_screen_goes_first_between_two_cases(start_worker, ana, settings):
    with TrialGateway(delay_s=0.6) as upstream:
        settings.GATEWAY = {**settings.GATEWAY, "url": upstream.url, "key": "", "model": "trial"}
        facts = scopes.facts_for("load", ana, "current")
        for number in range(4):
            Insight.objects.create(
                athlete=ana, scope="load", subject="current", fingerprint=str(number), writer="builtin/1",
                language="en", text={}, facts=cases.kept(facts),
            )  # fmt: skip
        made([Side(prompt=2)])
        start_worker(env={"COACH_GATEWAY_URL": upstream.url, "COACH_GATEWAY_MODEL": "trial", "COACH_GATEWAY_KEY": ""})
        until(lambda: len(upstream.log()) == 2)
        today = scopes.facts_for("today", ana, "current")
        insights.panel(ana, today, ana.user)
        until(lambda: insights.panel(ana, today, ana.user).state == "written", seconds=60)
        screen = str(api.ticket("insight", ana.owner, "today/current").id)
        assert [call["job"] for call in upstream.log()].index(screen) == 2
        until(lambda: Job.objects.get(kind="evaluate").status == "succeeded", seconds=60)
        assert len(upstream.log()) == 5


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
    _evaluation, left_out = evaluating.make("x", rows(), BOTH, by="staff")
    assert left_out == 1


def test_without_a_service_nothing_is_made(ana, stored, settings):
    settings.GATEWAY = {**settings.GATEWAY, "url": ""}
    with pytest.raises(evaluating.Refused, match="no writing service"):
        made()
    assert not Evaluation.objects.exists()


# Counting


def test_the_figures_are_those_of_the_texts(ana, stored):
    evaluation = made()
    stored.script([{"do": "answer", "times": 2, "text": FALSE}])  # the first text and its repair
    testing.run_due()
    one, other = comparing.columns(evaluation)
    texts = EvaluationText.objects.filter(side=0)
    assert (one.texts, one.sound, one.fell_back, one.failed) == (3, 2, 1, 0)
    assert (other.texts, other.sound, other.fell_back) == (3, 3, 0)
    assert one.answers == 4 == sum(text.checked["answers"] for text in texts)
    assert one.tokens == sum(text.checked["tokens"] for text in texts) > 3 * 500
    assert dict(one.rules)["numeral"] == sum(text.checked["rules"].get("numeral", 0) for text in texts)
    assert one.seconds is not None
    assert one.slowest_s is not None
    assert 0 < one.seconds <= one.slowest_s
    assert one.length
    assert one.length > 50


def test_a_model_that_says_the_same_each_time_is_told_from_one_that_does_not(ana, stored):
    evaluation = evaluated([Side(prompt=2)])
    before = comparing.columns(evaluation)[0].repetition_pct
    first = EvaluationText.objects.first()
    EvaluationText.objects.update(text=first.text)
    assert comparing.columns(evaluation)[0].repetition_pct == 100
    assert before is not None
    assert before < 100


# Judging


def test_judging_hides_the_sides_and_counts_for_the_right_one(ana, stored):
    evaluation = evaluated()
    for number, text in enumerate(EvaluationText.objects.order_by("pk")):
        text.text = {**text.text, "headline": f"side {text.side} of {number}"}
        text.save()
    seen, sides = [], set()
    while pair := comparing.next_pair(evaluation, judge="staff"):
        seen.append(pair.case.pk)
        liked = comparing.LEFT if pair.left[0].startswith("side 1") else comparing.RIGHT
        sides.add(pair.left[0][:6])
        comparing.judge(pair.case, judge="staff", choice=liked)
    assert len(seen) == len(set(seen)) == 3
    assert [column.preferred for column in comparing.columns(evaluation)] == [0, 3]
    comparing.judge(evaluation.cases.first(), judge="other", choice=comparing.NEITHER)
    assert EvaluationVerdict.objects.get(judge="other").better is None


def test_sides_are_drawn_for_each_case_and_judge_and_stay(ana, stored):
    evaluation = evaluated()
    turned = [comparing.is_turned(case, f"judge {n}") for case in evaluation.cases.all() for n in range(20)]
    assert 10 < sum(turned) < 50
    assert turned == [comparing.is_turned(case, f"judge {n}") for case in evaluation.cases.all() for n in range(20)]


def test_what_the_narrator_had_to_write_is_judged_by_nobody(ana, stored):
    evaluation = made()
    stored.script([{"do": "answer", "times": 2, "text": FALSE}])
    testing.run_due()
    pair = comparing.next_pair(evaluation, judge="staff")
    assert pair is not None
    assert pair.total == 2


def test_what_athletes_thought_of_texts_stands_beside_the_figures_and_chooses_cases(ana, stored, as_staff):
    load = Insight.objects.get(scope="load")
    Opinion.objects.create(insight=load, good=False, note="I was ill, not lazy")
    Opinion.objects.create(insight=Insight.objects.get(scope="today"), good=True)
    as_staff.post(page("add"), {"title": "Disliked", "opinion": "bad", "newest": 5, "first_prompt": 2})
    evaluation = Evaluation.objects.get()
    assert [case.insight for case in evaluation.cases.all()] == [load]
    testing.run_due()
    column = comparing.columns(evaluation)[0]
    assert (column.helped, column.not_right) == (1, 1)
    assert comparing.rows(evaluation)[0]["athlete"] == "not right"
    assert "I was ill, not lazy" in as_staff.get(page("change", evaluation.pk)).content.decode()


# In the console


@pytest.fixture
def as_staff():
    return signed_in(factories.staff())


def page(name, *args):
    return reverse(f"admin:coach_evaluation_{name}", args=args)


def test_staff_choose_insights_in_their_list_and_compare_two_prompts(ana, stored, as_staff):
    ids = list(Insight.objects.values_list("pk", flat=True)[:2])
    chosen = as_staff.post(
        reverse("admin:coach_insight_changelist"), {"action": "evaluate", "_selected_action": ids}, follow=True
    )
    assert "2 chosen insights" in chosen.content.decode()
    form = {"title": "Old or new", "insights": ",".join(map(str, ids)), "first_prompt": 2, "second_prompt": 1}
    response = as_staff.post(page("add"), form, follow=True)
    evaluation = Evaluation.objects.get()
    assert response.redirect_chain[-1][0] == page("change", evaluation.pk)
    assert evaluation.cases.count() == 2
    testing.run_due()
    shown = as_staff.get(page("change", evaluation.pk)).content.decode()
    for said in ("prompt 2", "prompt 1", "succeeded", "Judge blindly", "2 of 2 cases"):
        assert said in shown
    assert LogEntry.objects.get(object_id=str(evaluation.pk)).change_message.startswith("Put 2 cases in line")


def test_or_the_newest_of_a_scope(ana, stored, as_staff):
    form = {"title": "Load", "scope": "load", "newest": 5, "first_prompt": 2}
    as_staff.post(page("add"), form)
    assert [case.facts["scope"] for case in Evaluation.objects.get().cases.all()] == ["load"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"second_prompt": 2}, "Both sides are the same."),
        ({"second_model": "x"}, "Say with which prompt."),
        ({"first_prompt": 99}, "not one of the available choices"),
        ({"newest": 1000}, "less than or equal to 100"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_sentence(ana, stored, as_staff, wrong, said):
    form = {"title": "x", "newest": 5, "first_prompt": 2, **wrong}
    assert said in as_staff.post(page("add"), form).content.decode()
    assert not Evaluation.objects.exists()


def test_the_page_of_judging_names_no_side_and_takes_a_choice(ana, stored, as_staff):
    evaluation = evaluated()
    shown = as_staff.get(page("judge", evaluation.pk)).content.decode()
    assert "0 of 3 judged" in shown
    for secret in ("model/", "prompt 1", "prompt 2", "trial", "big"):
        assert secret not in shown.replace("Prompts", "")
    case = comparing.next_pair(evaluation, judge="staff").case
    as_staff.post(page("judge", evaluation.pk), {"case": case.pk, "choice": "left"})
    assert "1 of 3 judged" in as_staff.get(page("judge", evaluation.pk)).content.decode()
    assert as_staff.post(page("judge", evaluation.pk), {"case": case.pk, "choice": "both"}).status_code == 404
    other = evaluating.make("Other", rows(), BOTH, by="staff")[0]
    assert as_staff.post(page("judge", other.pk), {"case": case.pk, "choice": "left"}).status_code == 404


def test_results_are_taken_along_as_csv_and_json(ana, stored, as_staff):
    evaluation = evaluated()
    EvaluationText.objects.filter(side=0).update(writer="=1+1")
    table = list(csv.DictReader(io.StringIO(as_staff.get(page("export", evaluation.pk, "csv")).content.decode())))
    plain = json.loads(as_staff.get(page("export", evaluation.pk, "json")).content)
    assert len(table) == len(plain) == 6
    assert {row["writer"] for row in table if row["side"] == "1"} == {"'=1+1"}
    assert [row["tokens"] for row in plain] == [int(row["tokens"]) for row in table]
    assert as_staff.get(page("export", evaluation.pk, "xml")).status_code == 404


def test_stopping_is_for_who_may(ana, stored):
    evaluation = made()
    viewer = signed_in(create("viewer"))
    for response in (
        viewer.post(page("operate", evaluation.pk, "stop")),
        viewer.post(page("add"), {"title": "x", "newest": 5, "first_prompt": 2}),
        viewer.get(page("judge", evaluation.pk)),
        viewer.get(page("export", evaluation.pk, "csv")),
        viewer.post(reverse("admin:coach_insight_again", args=[Insight.objects.first().pk])),
    ):
        assert response.status_code == 403
    shown = viewer.get(page("change", evaluation.pk)).content.decode()
    assert "Judge blindly" not in shown
    assert "Prompts" in shown
    user = create("ed")
    user.user_permissions.add(Permission.objects.get(codename="run_evaluation"))
    assert signed_in(user).post(page("operate", evaluation.pk, "stop")).status_code == 302
    assert Job.objects.get(kind="evaluate").status == "cancelled"
    assert LogEntry.objects.get(user=user).change_message == "Stopped; what is written stays."
    signed_in(user).post(page("operate", evaluation.pk, "retry"))
    testing.run_due()
    assert EvaluationText.objects.count() == 6


# The page of an insight


def test_an_insight_shows_prompt_cost_versions_and_violations(ana, stored, as_staff):
    row = Insight.objects.get(scope="load")
    Insight.objects.filter(pk=row.pk).update(
        dropped=[{"check": "numeral", "where": "findings[1]", "text": "42", "said": "You flew 42 km"}]
    )
    shown = as_staff.get(reverse("admin:coach_insight_change", args=[row.pk])).content.decode()
    for said in ("numeral", "findings[1]", "You flew 42 km", "1 answer from model/trial/2", "tokens in",
                 "You write short insights", "In no evaluation so far."):  # fmt: skip
        assert said in shown
    evaluated()
    assert "Prompts" in as_staff.get(reverse("admin:coach_insight_change", args=[row.pk])).content.decode()


def test_written_again_it_is_a_new_version_that_readers_see(ana, stored, as_staff):
    row = Insight.objects.get(scope="load")
    calls = len(stored.log())
    as_staff.post(reverse("admin:coach_insight_again", args=[row.pk]))
    testing.run_due()
    assert len(stored.log()) == calls + 1
    newest = Insight.objects.filter(scope="load").latest("pk")
    assert newest.pk != row.pk
    assert newest.fingerprint == row.fingerprint
    panel = insights.panel(ana, scopes.facts_for("load", ana, "current"), ana.user)
    assert panel.insight == newest
    shown = as_staff.get(reverse("admin:coach_insight_change", args=[newest.pk])).content.decode()
    assert reverse("admin:coach_insight_change", args=[row.pk]) in shown
    assert "the same facts" in shown
    assert LogEntry.objects.get(object_id=str(row.pk)).change_message == "Had it written again."


def test_the_list_finds_by_model_and_by_what_came_of_it(ana, stored, as_staff):
    address = reverse("admin:coach_insight_changelist")
    assert as_staff.get(address, {"asked": "model/trial/2"}).context["cl"].result_count == 3
    assert as_staff.get(address, {"asked": "model/other/2"}).context["cl"].result_count == 0
    Insight.objects.filter(scope="load").update(writer="builtin/1")
    assert as_staff.get(address, {"came": "fell_back"}).context["cl"].result_count == 1
    assert as_staff.get(address, {"came": "dropped"}).context["cl"].result_count == 0

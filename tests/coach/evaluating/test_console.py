"""Evaluations and insights in the console: chosen, compared, judged, taken along, by who may."""

import csv
import io
import json

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from coach import comparing, evaluating, panels, scopes
from coach.models import Evaluation, EvaluationText, Insight, Opinion
from jobs import testing
from jobs.models import Job
from tests.coach.evaluating.made import BOTH, evaluated, made, page, rows
from tests.coach.views.rows import signed_in
from tests.jobs.admin.conftest import create

pytestmark = pytest.mark.django_db(transaction=True)


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
    panel = panels.panel(ana, scopes.facts_for("load", ana, "current"), ana.user)
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

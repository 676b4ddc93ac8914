"""Evaluations among everything that goes wrong: services, staff who click twice, and rows that vanish."""

import signal
import threading

import pytest
from django.db import connections

from coach import comparing, evaluating
from coach.evaluating import Side
from coach.models import Evaluation, EvaluationText, EvaluationVerdict, Insight, Opinion
from coach.trial import TrialGateway
from jobs import testing
from jobs.models import Item, Job, Pool, Seat
from tests.coach.evaluating.made import BOTH, evaluated, made, page, rows
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)
UNKNOWN = '{"error": {"message": "The model `big` does not exist", "code": "model_not_found"}}'


def job():
    return Job.objects.get(kind="evaluate")


# The service


def test_a_side_that_failed_before_an_attempt_ended_is_asked_again_in_the_next(ana, stored):
    made()
    stored.script([{"do": "eof", "times": 2}])
    testing.run_due()
    assert (job().status, job().attempts) == ("scheduled", 1)
    Seat.objects.update(free_at="2020-01-01T00:00Z")  # not a minute of lingering in a test
    testing.drain()
    assert job().status == "succeeded"
    assert EvaluationText.objects.filter(error="").count() == 6


def test_a_model_that_the_service_does_not_know_fails_its_side_and_closes_nothing(ana, stored):
    evaluation = made([Side(prompt=2, model="bgi"), Side(prompt=2)])
    calls = len(stored.log())
    stored.script([{"do": "status", "status": 404, "body": UNKNOWN}])
    testing.run_due()
    assert Pool.objects.get(name="gateway").closed_at is None
    assert job().status == "partial"
    one, other = comparing.columns(evaluation)
    assert (one.failed, other.sound) == (3, 3)
    assert len(stored.log()) - calls == 4  # it was asked for once
    assert "no such address or model" in EvaluationText.objects.filter(side=0).first().error


def test_a_service_that_forbids_everybody_closes_the_pool_all_the_same(ana, stored):
    made([Side(prompt=2)])
    stored.script([{"do": "status", "status": 401, "body": "{}"}])
    testing.run_due()
    assert Pool.objects.get(name="gateway").closed_at
    assert job().status == "scheduled"
    assert not EvaluationText.objects.exists()


def test_without_a_service_it_fails_and_goes_on_when_there_is_one(ana, stored, settings):
    evaluation = made()
    there = settings.GATEWAY
    settings.GATEWAY = {**there, "url": ""}
    testing.run_due()
    assert not EvaluationText.objects.exists()
    assert job().status == "failed"
    settings.GATEWAY = there
    assert evaluating.retry(evaluation, by="staff")
    testing.run_due()
    assert EvaluationText.objects.filter(error="").count() == 6


def test_it_asks_the_model_that_was_set_when_it_was_made(ana, stored, settings):
    made([Side(prompt=2), Side(prompt=1)])
    settings.GATEWAY = {**settings.GATEWAY, "model": "another"}
    testing.run_due()
    assert set(EvaluationText.objects.values_list("writer", flat=True)) == {"model/trial/2", "model/trial/1"}


def test_the_model_of_the_settings_and_its_name_are_one_side(ana, stored):
    with pytest.raises(evaluating.Refused, match="same"):
        made([Side(prompt=2), Side(prompt=2, model="trial")])


@pytest.mark.parametrize("answer", ["nul", "xss", "big_body", "error_page", "bad_utf8", "duplicate_keys", "no_choices"])
def test_nothing_that_a_service_sends_gets_through(ana, stored, as_staff, answer):
    evaluation = made([Side(prompt=2)])
    stored.script([{"do": answer, "times": -1}])
    testing.run_due()
    for text in EvaluationText.objects.all():
        said = str(text.text)
        assert "<" not in said
        assert "javascript" not in said
        assert "\x00" not in said
        assert "\u202e" not in said
    shown = as_staff.get(page("change", evaluation.pk)).content.decode()
    assert "<script>alert" not in shown
    assert as_staff.get(page("export", evaluation.pk, "csv")).status_code == 200


# Killed, frozen


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_is_lost_costs_the_call_under_way_and_nothing_else(start_worker, ana, stored, configured, how):
    with TrialGateway(delay_s=1) as upstream:
        env = {**configured(upstream), "AI_JOB_CLAIM_TIMEOUT": "8"}
        made()
        first = start_worker(env=env)
        until(lambda: EvaluationText.objects.count() == 3, seconds=60)  # in the middle of the second case
        until(lambda: len(upstream.log()) == 4, seconds=60)
        first.signal(how)
        kept = {text.pk: text.created_at for text in EvaluationText.objects.all()}
        start_worker(env=env)
        until(lambda: job().status == "succeeded", seconds=90)
        assert EvaluationText.objects.filter(error="").count() == 6
        assert Item.objects.filter(job=job().pk, status="ok").count() == 3
        assert {text.pk: text.created_at for text in EvaluationText.objects.filter(pk__in=kept)} == kept
        assert len(upstream.log()) <= 7  # the one that was under way, again


# Staff


def test_asked_for_twice_it_is_one(ana, stored):
    barrier, got = threading.Barrier(2), []

    def make(by):
        barrier.wait()
        got.append(evaluating.make("Twice", rows(), BOTH, by=by)[0].pk)
        connections.close_all()

    threads = [threading.Thread(target=make, args=(by,)) for by in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(got)) == Evaluation.objects.count() == Job.objects.filter(kind="evaluate").count() == 1
    testing.run_due()
    assert made().pk not in got  # over, it may be made anew


def test_a_case_that_nobody_can_compare_is_not_judged(ana, stored, as_staff):
    evaluation = evaluated([Side(prompt=2)])
    response = as_staff.post(page("judge", evaluation.pk), {"case": evaluation.cases.first().pk, "choice": "left"})
    assert response.status_code == 404
    assert not EvaluationVerdict.objects.exists()


def test_what_athletes_wrote_is_taken_along(ana, stored, as_staff):
    Opinion.objects.create(insight=Insight.objects.get(scope="load"), good=False, note="=I was <script>ill")
    evaluation = evaluated([Side(prompt=2)])
    assert "=I was <script>ill" in [row["note"] for row in comparing.rows(evaluation)]
    assert "=I was &lt;script&gt;ill" in as_staff.get(page("change", evaluation.pk)).content.decode()
    assert ",'=I was <script>ill," in as_staff.get(page("export", evaluation.pk, "csv")).content.decode()


# Rows that vanish while they are written about


@pytest.mark.parametrize("what", ["case", "athlete", "evaluation"])
def test_what_is_gone_when_the_answer_comes_costs_no_attempt(start_worker, ana, stored, configured, what):
    with TrialGateway(delay_s=1) as upstream:
        env = configured(upstream)
        evaluation = made([Side(prompt=2)])
        start_worker(env=env)
        until(lambda: len(upstream.log()) == 2, seconds=60)
        second = evaluation.cases.get(position=2)
        gone = {"case": second, "athlete": ana.user, "evaluation": evaluation}[what]
        gone.delete()
        until(lambda: job().status not in ("running", "ready"), seconds=30)
        assert (job().status, job().attempts, job().error) == ("succeeded", 0, "")
        assert len(upstream.log()) == (3 if what == "case" else 2)

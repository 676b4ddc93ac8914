"""What people do to a job, promote, stop and retry, and what a product does, supersede."""

import pytest

from jobs import api
from jobs.models import Audit, Item, Job
from tests.jobs.rows import end, enqueue, row, started, status, take, try_claim

pytestmark = pytest.mark.usefixtures("queue")


def audited():
    return list(Audit.objects.order_by("id").values_list("actor", "action", "target"))


# promote


def test_a_promoted_job_goes_before_all_others_without_an_end():
    first, second = enqueue("1", "2")
    assert api.promote(second.id, by="staff") is True
    assert (row(second).band, row(second).promoted) == (0, "staff")
    assert [take().id, take().id] == [second.id, first.id]


def test_promoted_jobs_go_in_the_order_of_their_promotion():
    tickets = enqueue("1", "2", "3")
    for ticket in reversed(tickets):
        api.promote(ticket.id, by="staff")
    assert [take().id for _ in tickets] == [ticket.id for ticket in reversed(tickets)]


def test_a_watched_job_that_staff_promote_keeps_its_place_and_stays_there():
    ticket = api.enqueue("plain", "ana", "1", watch="7")
    turn = row(ticket).turn
    assert api.promote(ticket.id, by="staff") is True
    assert (row(ticket).promoted, row(ticket).turn) == ("staff", turn)


@pytest.mark.parametrize("state", ["promoted", "running", "finished", "missing"])
def test_what_cannot_be_promoted_says_so(state):
    ticket = enqueue("1")[0]
    if state == "promoted":
        api.promote(ticket.id, by="staff")
    else:
        job = take()
        if state == "finished":
            end(job)
    number = 0 if state == "missing" else ticket.id
    assert api.promote(number, by="staff") is False
    assert len(audited()) == (state == "promoted")


def test_a_promotion_is_on_record():
    ticket = enqueue("1")[0]
    api.promote(ticket.id, by="staff")
    assert audited() == [("staff", "job.promote", f"job {ticket.id}")]


# stop


@pytest.mark.parametrize("kind", ["plain", "lined", "pooled"])
def test_a_queued_job_is_cancelled_at_once(kind):
    ticket = enqueue("1", kind=kind)[0]
    assert api.stop(ticket.id, by="ana") == "cancelled"
    assert (row(ticket).status, row(ticket).stop_by) == ("cancelled", "ana")
    assert try_claim() is None


def test_a_scheduled_job_is_cancelled_at_once():
    job = started()
    end(job, "retry", after_s=60)
    assert api.stop(job.id, by="ana") == "cancelled"
    assert (row(job).run_at, row(job).error) == (None, "")


def test_a_stop_cancels_what_is_open_of_a_queued_job():
    ticket = enqueue("1", kind="items", items=["a", "b"])[0]
    Item.objects.filter(key="a").update(status="ok")
    api.stop(ticket.id, by="ana")
    assert list(Item.objects.order_by("key").values_list("status", flat=True)) == ["ok", "cancelled"]


def test_a_running_job_is_asked_to_stop_and_the_wish_names_its_attempt():
    job = started()
    assert api.stop(job.id, by="ana") == "stopping"
    assert (row(job).status, row(job).stop_token, row(job).stop_by) == ("running", job.token, "ana")


def test_a_stop_is_over_with_the_attempt_it_named():
    job = started()
    end(job, "drained")
    job = take()
    api.stop(job.id, by="ana")
    end(job, "stopped")
    api.retry(job.id, by="ana")
    take()
    assert (row(job).stop_token, row(job).stop_by) == (None, "")


@pytest.mark.parametrize("state", ["finished", "missing"])
def test_what_has_ended_is_over(state):
    job = started()
    end(job)
    assert api.stop(job.id if state == "finished" else 0, by="ana") == "over"
    assert audited() == []


@pytest.mark.parametrize("state", ["queued", "running"])
def test_a_stop_is_on_record(state):
    ticket = enqueue("1")[0]
    if state == "running":
        take()
    api.stop(ticket.id, by="ana")
    assert audited() == [("ana", "job.stop", f"job {ticket.id}")]


def test_a_name_that_is_too_long_is_cut():
    api.stop(enqueue("1")[0].id, by="x" * 300)
    assert Audit.objects.get().actor == "x" * 150


# retry


@pytest.mark.parametrize("outcome", ["rejected", "stopped", "succeeded"])
def test_a_finished_job_is_queued_anew(outcome):
    job = started()
    end(job, outcome, error="" if outcome != "rejected" else "No.")
    assert api.retry(job.id, by="ana") is True
    now = row(job)
    assert (now.status, now.ended_at, now.started_at, now.error, now.error_kind) == ("ready", None, None, "", "")
    assert take().id == job.id


def test_a_retry_starts_its_counters_and_its_turn_anew(tune):
    tune(MAX_ATTEMPTS=1)
    job = started()
    Job.objects.update(crashes=2, downs=5, band=0, promoted="staff")
    end(job, "retry")
    later = enqueue("2")[0]
    api.retry(job.id, by="ana")
    now = row(job)
    assert (now.attempts, now.crashes, now.downs, now.band, now.promoted) == (0, 0, 0, 1, "")
    assert [take().id, take().id] == [later.id, job.id]


def test_a_retry_does_again_what_did_not_succeed():
    job = started("items", items=[f"{state}" for state in Item.State.values])
    for item in Item.objects.all():
        Item.objects.filter(pk=item.pk).update(status=item.key, error="x" if item.key == "failed" else "")
    end(job, "rejected")
    api.retry(job.id, by="ana")
    kept = dict(Item.objects.exclude(status="pending").values_list("key", "status"))
    assert kept == {"ok": "ok", "skipped": "skipped"}
    assert not Item.objects.exclude(error="").exists()


def test_only_the_newest_of_an_identity_is_retried():
    old = started(fingerprint="f1")
    end(old, "rejected")
    end(started(fingerprint="f2"), "rejected")
    assert api.retry(old.id, by="ana") is False
    assert status(old) == "failed"


@pytest.mark.parametrize("state", ["queued", "running", "missing"])
def test_what_has_not_ended_is_not_retried(state):
    ticket = enqueue("1")[0]
    if state == "running":
        take()
    assert api.retry(0 if state == "missing" else ticket.id, by="ana") is False
    assert audited() == []


def test_a_retry_is_on_record():
    job = started()
    end(job, "rejected")
    api.retry(job.id, by="ana")
    assert audited() == [("ana", "job.retry", f"job {job.id}")]


# supersede


def test_superseding_cancels_the_owners_queued_jobs_of_the_kind_but_one():
    kept, other, scheduled = enqueue("keep", "other", "scheduled")
    Job.objects.filter(pk=scheduled.id).update(status="scheduled", run_at="2040-01-01T00:00Z")
    elsewhere = [api.enqueue("plain", "ben", "other"), api.enqueue("items", "ana", "other")]
    assert api.supersede("plain", "ana", keep="keep") == 2
    assert [status(other), status(scheduled)] == ["cancelled"] * 2
    assert [status(job) for job in (kept, *elsewhere)] == ["ready"] * 3
    assert row(other).stop_by == "superseded by keep"


def test_superseding_leaves_a_running_job_alone():
    job = started("plain", "other")
    assert api.supersede("plain", "ana", keep="keep") == 0
    assert row(job).stop_token is None


def test_superseding_does_not_stop_a_job_that_starts_meanwhile(monkeypatch):
    from jobs.transitions import control

    enqueue("other")
    cancel = control._supersede

    def late(job, **names):
        take()
        return cancel(job, **names)

    monkeypatch.setattr(control, "_supersede", late)
    assert api.supersede("plain", "ana", keep="keep") == 0
    assert row(Job.objects.get()).stop_token is None

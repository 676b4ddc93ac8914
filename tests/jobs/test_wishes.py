"""A wish for another fingerprint, noted while the job is active, at every way in which its run can end."""

import pytest

from jobs import api
from jobs.models import Item, Job
from jobs.worker.run import Run
from tests.jobs.rows import end, row, started

pytestmark = pytest.mark.usefixtures("queue")


def running_with_a_wish(kind="plain", **options):
    """Return a running job of fingerprint f1 while somebody wishes f2."""
    job = started(kind, fingerprint="f1", **options)
    api.enqueue(kind, "ana", "1", fingerprint="f2")
    assert row(job).wanted_fingerprint == "f2"
    return job


@pytest.mark.parametrize(
    ("outcome", "how"),
    [("succeeded", {}), ("rejected", {"error": "No."}), ("retry", {"error": "No."}), ("timeout", {})],
)
def test_a_final_ending_queues_the_row_again_for_the_wish(tune, outcome, how):
    tune(MAX_ATTEMPTS=1)
    job = running_with_a_wish()
    assert end(job, outcome, **how).status == "ready"
    now = row(job)
    assert (now.fingerprint, now.wanted_fingerprint, now.error, now.attempts) == ("f2", "", "", 0)
    assert now.ended_at is None


def test_a_crash_loop_queues_the_row_again_for_the_wish(tune):
    tune(CRASHES=0)
    job = running_with_a_wish()
    end(job, "crashed")
    assert (row(job).status, row(job).fingerprint, row(job).crashes) == ("ready", "f2", 0)


def test_queued_anew_the_turn_starts_anew():
    job = running_with_a_wish()
    before = row(job)
    end(job)
    assert row(job).vturn > before.vturn
    assert row(job).turn > before.turn


@pytest.mark.parametrize(
    ("outcome", "how"), [("retry", {"after_s": 500}), ("snoozed", {"after_s": 500}), ("down", {"hard": False})]
)
def test_an_ending_that_reschedules_folds_the_wish_in_and_keeps_time_and_counters(outcome, how):
    job = running_with_a_wish("pooled")
    turn = row(job).turn
    end(job, outcome, **how)
    now = row(job)
    assert (now.status, now.fingerprint, now.wanted_fingerprint, now.turn) == ("scheduled", "f2", "", turn)
    assert now.run_at is not None
    assert now.attempts + now.downs == (0 if outcome == "snoozed" else 1)


@pytest.mark.parametrize("outcome", ["drained", "crashed"])
def test_an_interruption_folds_the_wish_in(outcome):
    job = running_with_a_wish()
    end(job, outcome)
    assert (row(job).status, row(job).fingerprint, row(job).wanted_fingerprint) == ("ready", "f2", "")


def test_a_stop_makes_the_wish_the_fingerprint_and_queues_nothing():
    job = running_with_a_wish()
    api.stop(job.id, by="ana")
    end(job, "stopped")
    assert (row(job).status, row(job).fingerprint) == ("cancelled", "f2")
    assert api.enqueue("plain", "ana", "1", fingerprint="f2").id == job.id
    assert Job.objects.active().count() == 0


def test_a_save_of_the_wished_fingerprint_grants_it():
    job = running_with_a_wish()
    with Run(job).save(fingerprint="f2"):
        pass
    assert (row(job).fingerprint, row(job).wanted_fingerprint) == ("f2", "")
    assert end(job).status == "succeeded"


def test_a_save_of_another_fingerprint_leaves_the_wish():
    job = running_with_a_wish()
    with Run(job).save(fingerprint="f3"):
        pass
    assert (row(job).fingerprint, row(job).wanted_fingerprint) == ("f3", "f2")


def test_a_watched_job_that_is_queued_anew_stays_first():
    job = started("plain", fingerprint="f1", watch="7")
    api.enqueue("plain", "ana", "1", fingerprint="f2")
    end(job)
    assert (row(job).band, row(job).promoted) == (0, "watch")


def test_all_items_are_done_again_for_another_fingerprint():
    job = running_with_a_wish("items", items=["a", "b"])
    Item.objects.filter(job=job.id).update(status="ok")
    end(job, "succeeded")
    assert set(Item.objects.filter(job=job.id).values_list("status", flat=True)) == {"pending"}

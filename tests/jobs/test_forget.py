"""Everything of an owner who is gone is deleted, and nothing that somebody queued meanwhile."""

import threading

import pytest
from django.db import connection

from jobs import api
from jobs.models import Attempt, Job, Payload
from jobs.transitions import control, forget
from tests.jobs.rows import end, enqueue, started, status
from tests.jobs.sessions import somebody_waits
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")


def of_an_unknown_kind(ticket):
    """As if another release had enqueued it."""
    Job.objects.filter(pk=ticket.id).update(kind="a_kind_of_tomorrow")
    return ticket


def test_what_has_ended_is_deleted_of_all_kinds_and_of_nobody_else():
    end(started())
    control.stop(of_an_unknown_kind(enqueue("2")[0]).id, by="ana")
    others = api.enqueue("plain", "ben", "1")
    assert forget.forget("ana") == 2
    assert list(Job.objects.values_list("pk", flat=True)) == [others.id]
    assert list(Payload.objects.values_list("job", flat=True)) == [others.id]
    assert not Attempt.objects.exists()


def test_active_jobs_are_asked_to_stop_whatever_their_kind():
    running, unknown, queued = started(), of_an_unknown_kind(enqueue("2")[0]), enqueue("3")[0]
    others = api.enqueue("plain", "ben", "1")
    assert forget.stop_all("ana", by="ana") == 1
    assert [status(job) for job in (running, unknown, queued, others)] == ["running", "cancelled", "cancelled", "ready"]
    end(running)
    assert forget.stop_all("ana", by="ana") == 0


def test_a_job_that_is_retried_at_that_moment_is_kept():
    job = started()
    end(job)
    gone = []

    def forgetting():
        gone.append(forget.forget("ana"))
        connection.close()

    thread = threading.Thread(target=forgetting)
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE jobs_job SET status = 'ready', ended_at = NULL WHERE id = %s", [job.id])
        thread.start()
        until(somebody_waits, what="it waits for the row")
        cursor.execute("COMMIT")
    thread.join(10)
    assert (gone, status(job)) == ([0], "ready")

"""Whatever a handler raises or returns, its job ends with a clear, cut, clean reason: through real workers."""

import pytest

from jobs import api, sql, testing
from jobs.models import Attempt, Item, Job, Pool, Progress
from tests.kinds.handlers import RAISED, RETURNED
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)

ENDS = {name for name in RAISED if not name.startswith(("a snooze", "down", "misconfigured"))}
WAITS = set(RAISED) - ENDS

WITHIN_A_YEAR = "SELECT 1 FROM jobs_job WHERE id = %(id)s AND run_at < clock_timestamp() + interval '400 days'"


def clean(text, most):
    return (
        len(text) <= most and text.isprintable() and not {"sk-0123456789abcdef", "abc.DEF-123456"} & set(text.split())
    )


def test_whatever_is_raised_or_returned_ends_its_job_and_no_process(start_worker):
    worker = start_worker(slots=2)
    ends = {name: api.enqueue("hostile", "ana", name).id for name in (*sorted(ENDS), *RETURNED)}
    for name, job in ends.items():
        found = testing.wait(job, seconds=30)
        assert found.status == "failed", name
        assert found.error, name
        assert clean(found.error, 500), name
        assert len(found.error_kind) <= 64
    assert {Job.objects.get(pk=ends[name]).error_kind for name in RETURNED} == {"result"}
    for attempt in Attempt.objects.all():
        assert clean(attempt.error, 2000)
    assert Attempt.objects.count() == len(ends)
    for words in ("slot.died", "Traceback", "sk-0123456789", "It broke."):
        assert words not in worker.log, words


def test_whatever_a_job_waits_for_is_a_time_and_no_process_ends(start_worker):
    worker = start_worker(slots=2)
    waits = {name: api.enqueue("hostile", "ana", name, args={"pool": "wide"}).id for name in sorted(WAITS)}
    for name, job in waits.items():
        sql.run("UPDATE jobs_pool SET closed_until = NULL, admit = NULL")
        until(lambda job=job: Attempt.objects.filter(job=job).exists(), what=name)
        row = Job.objects.get(pk=job)
        assert row.status in ("scheduled", "failed"), (name, row.status)
        assert clean(row.error, 500), name
        assert row.attempts == 0, name
        if row.status == "scheduled":
            assert sql.row(WITHIN_A_YEAR, id=job), name
        api.stop(job, by="test")
    assert clean(Pool.objects.get(pk="wide").closed_reason, 500)
    for words in ("slot.died", "Traceback", "sk-0123456789"):
        assert words not in worker.log, words


def test_whatever_is_said_of_an_item_ends_its_job(start_worker):
    worker = start_worker(slots=2)
    told = api.enqueue("hostile_items", "ana", "1", items=["a page", "a NUL"])
    assert testing.wait(told.id, seconds=20).status == "failed"
    assert all(clean(item.error, 500) for item in Item.objects.filter(job=told.id))
    assert clean(Progress.objects.get(job=told.id).note, 200)
    for number, name in enumerate(RETURNED):
        job = api.enqueue("hostile_items", "ana", f"r{number}", items=[name]).id
        found = testing.wait(job, seconds=20)
        assert (found.status, found.error_kind) == ("failed", "rejected"), name
        assert found.error.startswith("The result of an item"), name
    for words in ("slot.died", "Traceback", "sk-0123456789"):
        assert words not in worker.log, words

"""What the schema itself guarantees, whoever writes to it: each test tries to break it with plain SQL."""

import uuid

import pytest
from django.db import IntegrityError, connection

from jobs import api, sql
from jobs.models import Item, Job, Lane, Pool, Seat
from tests.jobs.rows import end, started

pytestmark = pytest.mark.usefixtures("queue")

COPY = (
    "INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,"
    " promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error, {columns})"
    " SELECT kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,"
    " promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error, {values}"
    " FROM jobs_job WHERE id = %s"
)


def refused(statement, *values, by):
    with pytest.raises(IntegrityError, match=by), connection.cursor() as cursor:
        cursor.execute(statement, values)


def change(job, assignment, *values, by):
    refused(f"UPDATE jobs_job SET {assignment} WHERE id = %s", *values, job.id, by=by)  # noqa: S608


@pytest.mark.parametrize("status", ["scheduled", "waiting", "ready"])
def test_an_identity_has_one_active_job(status):
    job = api.enqueue("plain", "ana", "1")
    Job.objects.filter(pk=job.id).update(status=status, run_at="2030-01-01T00:00Z", lane="lane:1")
    refused(COPY.format(columns="run_at", values="run_at"), job.id, by="jobs_job_one_active")


def test_a_running_job_keeps_its_identity_to_itself():
    job = started()
    columns = "worker, slot, token, started_at, deadline"
    refused(COPY.format(columns=columns, values=columns), job.id, by="jobs_job_one_active")


def test_a_finished_job_frees_its_identity():
    job = started()
    end(job)
    with connection.cursor() as cursor:
        cursor.execute(COPY.format(columns="ended_at", values="ended_at"), [job.id])
    assert Job.objects.count() == 2


@pytest.mark.parametrize("state", ["ready", "running"])
def test_a_lane_has_one_ready_or_running_job(state):
    first = api.enqueue("lined", "ana", "1")
    second = api.enqueue("lined", "ana", "2")
    if state == "running":
        started("lined", "1")
    assert (Job.objects.get(pk=first.id).status, Job.objects.get(pk=second.id).status) == (state, "waiting")
    change(second, "status = 'ready'", by="jobs_job_one_a_lane")


def test_jobs_without_a_lane_do_not_exclude_one_another():
    api.enqueue("plain", "ana", "1")
    api.enqueue("plain", "ana", "2")
    assert Job.objects.filter(status="ready").count() == 2


def test_a_seat_serves_one_job():
    first, second = started("pooled", "1", args={"pool": "wide"}), started("pooled", "2", args={"pool": "wide"})
    seat = Job.objects.get(pk=first.id).seat
    change(second, "seat = %s", seat, by="jobs_job_one_a_seat")


def test_a_job_has_one_seat():
    job = started("pooled", args={"pool": "wide"})
    refused(
        "UPDATE jobs_seat SET job = %s, token = %s WHERE job IS NULL AND pool = 'wide'",
        job.id,
        uuid.uuid4(),
        by="jobs_seat_one_a_job",
    )


@pytest.mark.parametrize("column", ["job", "token"])
def test_a_seat_has_both_a_job_and_a_token_or_neither(column):
    started("pooled")
    refused(
        f"UPDATE jobs_seat SET {column} = NULL WHERE job IS NOT NULL",  # noqa: S608
        by="jobs_seat_job_and_token",
    )


def test_a_running_job_of_a_pool_has_a_seat():
    change(started("pooled"), "seat = NULL", by="jobs_job_seat_while_running")


def test_a_running_job_without_a_pool_has_no_seat():
    change(started("plain"), "seat = 1", by="jobs_job_seat_while_running")


@pytest.mark.parametrize("state", ["queued", "finished"])
def test_a_job_that_does_not_run_has_no_seat(state):
    job = started("pooled") if state == "finished" else api.enqueue("pooled", "ana", "1")
    if state == "finished":
        end(job)
    change(job, "seat = 1", by="jobs_job_seat_while_running")


@pytest.mark.parametrize("column", ["worker", "slot", "token", "started_at", "deadline"])
def test_a_running_job_names_who_runs_it_and_until_when(column):
    change(started(), f"{column} = NULL", by="jobs_job_running_whole")


@pytest.mark.parametrize("column", ["worker", "slot", "token", "deadline"])
def test_a_job_that_does_not_run_names_nobody(column):
    job = started()
    value = Job.objects.values_list(column, flat=True).get(pk=job.id)
    end(job)
    change(job, f"{column} = %s", value, by="jobs_job_running_whole")


def test_a_finished_job_has_an_end():
    job = started()
    end(job)
    change(job, "ended_at = NULL", by="jobs_job_finished_has_end")


def test_an_active_job_has_no_end():
    change(started(), "ended_at = now()", by="jobs_job_finished_has_end")


def test_a_scheduled_job_has_its_time():
    change(api.enqueue("plain", "ana", "1"), "status = 'scheduled'", by="jobs_job_scheduled_has_time")


def test_only_a_job_with_a_lane_waits():
    change(api.enqueue("plain", "ana", "1"), "status = 'waiting'", by="jobs_job_waits_in_a_lane")


@pytest.mark.parametrize("assignment", ["status = 'done'", "status = ''"])
def test_a_status_is_one_of_nine(assignment):
    job = started()
    end(job)
    change(job, assignment, by="jobs_job_")


def test_a_band_is_0_or_1():
    change(api.enqueue("plain", "ana", "1"), "band = 2", by="jobs_job_band")


def test_an_item_is_listed_once():
    job = api.enqueue("items", "ana", "1", items=["a"])
    with pytest.raises(IntegrityError, match="jobs_item_once"):
        Item.objects.create(job=job.id, key="a", position=2)


def test_an_item_has_a_known_status():
    job = api.enqueue("items", "ana", "1", items=["a"])
    refused("UPDATE jobs_item SET status = 'lost' WHERE job = %s", job.id, by="jobs_item_status")


def test_a_hold_has_both_a_token_and_an_end():
    with pytest.raises(IntegrityError, match="jobs_lane_hold_whole"):
        Lane.objects.create(key="lane:1", held_token=uuid.uuid4())


def test_a_lane_has_a_name():
    with pytest.raises(IntegrityError, match="jobs_lane_named"):
        Lane.objects.create(key="")


def test_a_pool_has_a_name():
    with pytest.raises(IntegrityError, match="jobs_pool_named"):
        Pool.objects.create(name="")


@pytest.mark.parametrize(
    ("assignment", "by"), [("gap = '-1 s'", "jobs_pool_gap"), ("capacity = -1", "jobs_pool_capacity_check")]
)
def test_neither_gap_nor_capacity_is_negative(assignment, by):
    refused(f"UPDATE jobs_pool SET {assignment}", by=by)  # noqa: S608


@pytest.mark.parametrize("column", ["kind", "owner", "subject", "lane", "pool", "fingerprint"])
def test_a_text_key_is_never_null(column):
    change(api.enqueue("plain", "ana", "1"), f"{column} = NULL", by="null value")


CHECKED_KEYS = "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text ~ '^jobs_'"


def test_no_row_of_the_queue_refers_to_another_by_a_key_that_the_database_checks():
    """Each check would lock the other row for as long as the caller's transaction lives."""
    assert sql.rows(CHECKED_KEYS) == []


def test_every_seat_of_the_declared_pools_is_a_row():
    assert Seat.objects.filter(pool="gateway").count() == 1
    assert Seat.objects.filter(pool="wide").count() == 3

"""The self-audit: each rule is broken by hand, found, and mended."""

import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from jobs import api
from jobs.models import Idle, Item, Job, Lane, Seat, Watch
from jobs.transitions import invariants, workers
from tests.jobs.rows import WORKER, enqueue, row, started

pytestmark = pytest.mark.usefixtures("queue")


def sql(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.fixture(autouse=True)
def served(queue):
    """A worker that serves everything and has just beaten."""
    kinds = ["plain", "pooled", "lined", "both", "items", "calls"]
    workers.register(WORKER, host="here", pid=1, slots=1, pools=["gateway", "wide"], kinds=kinds, version="test")


def broken():
    return {violation.rule.name for violation in invariants.violations()}


def mended():
    left = invariants.repair(invariants.violations(), by="test")
    return {violation.rule.name for violation in left}


def seatless():
    job = started("pooled")
    sql("DELETE FROM jobs_seat WHERE job = %s", job.id)
    sql("INSERT INTO jobs_seat (pool, free_at, why) VALUES ('gateway', now(), '')")


def orphaned():
    job = started("pooled")
    sql("UPDATE jobs_seat SET token = %s WHERE job = %s", uuid.uuid4(), job.id)


def miscounted():
    sql("DELETE FROM jobs_seat WHERE pool = 'wide' AND id = (SELECT min(id) FROM jobs_seat WHERE pool = 'wide')")


def unrescued():
    started("plain")
    sql("UPDATE jobs_worker SET heartbeat_at = now() - interval '1 hour'")
    sql("UPDATE jobs_job SET started_at = now() - interval '1 hour'")


def overdue():
    started("plain")
    sql("UPDATE jobs_job SET deadline = now() - interval '1 hour'")


def misplaced():
    enqueue("1", kind="lined")
    sql("UPDATE jobs_job SET status = 'waiting'")


def first_though_paused():
    enqueue("1", kind="lined")
    Lane.objects.update(paused=True)


def undue():
    enqueue("1")
    sql("UPDATE jobs_job SET status = 'scheduled', run_at = now() - interval '1 hour'")


def unwatched():
    api.enqueue("plain", "ana", "1", watch="7")
    Watch.objects.all().delete()


def stale_call():
    sql(
        "INSERT INTO jobs_call (job, token, pool, streamed, started_at, call_until, spoke) "
        "VALUES (77, %s, 'gateway', true, now(), now(), false)",
        uuid.uuid4(),
    )


def stale_item():
    api.enqueue("items", "ana", "1", items=["a"])
    Item.objects.update(status="running")


def stale_idle():
    Idle.objects.create(worker=uuid.uuid4(), slot=1)


def unserved():
    enqueue("1", kind="sleeps")


CASES = {
    "running-job-has-its-seat": seatless,
    "taken-seat-has-its-job": orphaned,
    "seats-are-the-capacity": miscounted,
    "silent-worker-is-rescued": unrescued,
    "time-out-ends-a-job": overdue,
    "lane-has-its-head": misplaced,
    "due-job-is-in-line": undue,
    "watched-job-is-watched": unwatched,
    "call-has-its-job": stale_call,
    "running-item-has-its-job": stale_item,
    "sleeping-slot-has-its-worker": stale_idle,
    "ready-job-is-served": unserved,
}


def test_every_rule_has_a_case():
    assert {rule.name for rule in invariants.RULES} == set(CASES)


def test_a_sound_system_breaks_no_rule():
    started("pooled")
    enqueue("1", kind="lined")
    api.enqueue("plain", "ben", "1", watch="7")
    assert broken() == set()


@pytest.mark.parametrize("name", list(CASES))
def test_a_broken_rule_is_found_and_mended(name):
    CASES[name]()
    assert name in broken()
    rule = next(rule for rule in invariants.RULES if rule.name == name)
    assert (name in mended()) is (rule.mend is None)


def test_the_head_of_a_paused_lane_steps_back():
    first_though_paused()
    assert "lane-has-its-head" in broken()
    assert "lane-has-its-head" not in mended()
    assert Job.objects.get().status == "waiting"


def test_a_freed_orphan_lingers_as_long_as_a_call_may_last():
    orphaned()
    mended()
    seat = Seat.objects.get(pool="gateway")
    assert (seat.job, seat.why) == (None, "lingering")
    assert (seat.free_at - row(Job.objects.get().pk).created_at).total_seconds() > 1000


def test_the_command_tells_and_fails_until_it_is_mended():
    miscounted()
    out = StringIO()
    with pytest.raises(CommandError, match="1 rule is broken"):
        call_command("jobs", "audit", stdout=out)
    assert "another number of seats" in out.getvalue()
    call_command("jobs", "audit", "--repair", stdout=out)
    call_command("jobs", "audit", stdout=out)
    assert f"All {len(invariants.RULES)} rules hold." in out.getvalue()

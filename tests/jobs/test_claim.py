"""The claim: the best job first, only what is served, and never one seat too many."""

import json
import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from jobs import api, sql
from jobs.models import Job, Seat
from jobs.transitions import calls, claim, pools
from jobs.transitions.claim import Claimed, Contended
from tests.jobs.rows import WORKER, end, row, serving, started, take, try_claim
from tests.jobs.sessions import aside, together

pytestmark = pytest.mark.usefixtures("queue")


def enqueue(*subjects, kind="plain", **options):
    return [api.enqueue(kind, "ana", subject, **options) for subject in subjects]


# order


def test_the_best_is_the_first_by_band_then_turn_then_id():
    first, second, third, fourth = enqueue("1", "2", "3", "4")
    moment = row(first).turn
    Job.objects.update(turn=moment)
    Job.objects.filter(pk=second.id).update(turn=moment - timedelta(seconds=1))
    Job.objects.filter(pk=fourth.id).update(band=0, turn=moment + timedelta(hours=1))
    assert [take().id for _ in range(4)] == [fourth.id, second.id, first.id, third.id]


def test_the_best_is_found_over_kinds_and_pools():
    later_one, pooled, wide = enqueue("1")[0], enqueue("2", kind="pooled")[0], None
    wide = enqueue("3", kind="pooled", args={"pool": "wide"})[0]
    now = row(pooled).turn
    for turn, ticket in enumerate((wide, later_one, pooled)):
        Job.objects.filter(pk=ticket.id).update(turn=now + timedelta(seconds=turn))
    assert [take().id for _ in range(3)] == [wide.id, later_one.id, pooled.id]


def test_a_claim_says_all_that_a_run_needs():
    ticket = api.enqueue("pooled", "ana", "1", fingerprint="f1", args={"pool": "wide", "n": 1})
    job = take("pooled", slot=7)
    assert (job.id, job.owner, job.fingerprint, job.pool, job.args["n"]) == (ticket.id, "ana", "f1", "wide", 1)
    now = row(job)
    assert (now.status, now.worker, now.slot, now.token) == ("running", WORKER, 7, job.token)
    assert (now.deadline - now.started_at) == pytest.approx(timedelta(seconds=600), abs=timedelta(seconds=1))
    assert (Seat.objects.get(pk=now.seat).job, Seat.objects.get(pk=now.seat).token) == (job.id, job.token)


# what is left alone


def test_a_kind_that_is_not_served_is_left_alone():
    enqueue("1", kind="pooled")
    second = enqueue("2")[0]
    assert take("plain").id == second.id
    assert try_claim("plain") is None


def test_a_pool_that_is_not_served_is_left_alone():
    enqueue("1", kind="pooled", args={"pool": "wide"})
    assert try_claim(pools=("gateway",)) is None


def test_a_process_may_leave_jobs_without_a_pool_alone():
    enqueue("1")
    second = enqueue("2", kind="pooled")[0]
    assert take(poolless=False).id == second.id
    assert try_claim(poolless=False) is None


@pytest.mark.parametrize("state", ["scheduled", "waiting"])
def test_only_a_ready_job_is_claimed(state):
    ticket = enqueue("1", kind="lined")[0]
    Job.objects.filter(pk=ticket.id).update(status=state, run_at="2020-01-01T00:00Z")
    assert try_claim() is None


def test_a_paused_pool_gives_nothing():
    enqueue("1", kind="pooled")
    pools.change("gateway", by="staff", paused=True)
    assert try_claim() is None
    pools.change("gateway", by="staff", paused=False)
    take("pooled")


def test_a_closed_pool_gives_nothing_and_its_job_is_untouched():
    ticket = enqueue("1", kind="pooled")[0]
    pools.down("gateway", job=1, started_at=row(ticket).created_at, reason="", hard=True)
    assert try_claim() is None
    assert (row(ticket).status, row(ticket).attempts) == ("ready", 0)


def test_a_job_of_a_full_pool_does_not_hide_a_later_one_of_another():
    enqueue("1", "2", kind="pooled")
    other = enqueue("3", kind="plain")[0]
    take("pooled")
    assert take().id == other.id


# seats


def test_a_pool_runs_as_many_as_it_has_seats():
    enqueue("1", "2", "3", "4", kind="pooled", args={"pool": "wide"})
    assert len({row(take()).seat for _ in range(3)}) == 3
    assert try_claim() is None


def test_a_seat_that_rests_is_not_claimed():
    pools.change("gateway", by="staff", gap_s=60)
    job = started("pooled", "1")
    enqueue("2", kind="pooled")
    calls.begin(job.id, job.token, timeout_s=5, streamed=True)
    calls.over(job.id, job.token)
    end(job)
    assert try_claim() is None


def test_seats_above_a_shrunken_capacity_are_not_claimed():
    """Numbered seats admitted 4 at a capacity of 2 after a shrink."""
    enqueue("1", "2", "3", "4", kind="pooled", args={"pool": "wide"})
    first, _second, third = take(), take(), take()
    pools.change("wide", by="staff", capacity=1)
    end(first)
    assert try_claim() is None
    end(third)
    assert try_claim() is None
    assert Job.objects.running().count() == 1


def test_a_resting_seat_above_the_capacity_keeps_the_others_from_being_claimed_until_it_is_gone():
    enqueue("1", "2", kind="pooled", args={"pool": "wide"})
    Seat.objects.filter(pk=Seat.objects.filter(pool="wide").first().pk).update(free_at="2040-01-01T00:00Z")
    pools.change("wide", by="staff", capacity=0)
    pools.change("wide", by="staff", capacity=1)
    assert try_claim() is None  # the resting one is the only seat left
    Seat.objects.filter(pool="wide").update(free_at="2020-01-01T00:00Z")
    take()
    assert try_claim() is None


def test_a_grown_pool_runs_more_at_once():
    enqueue("1", "2", "3", kind="pooled")
    take()
    assert try_claim() is None
    pools.change("gateway", by="staff", capacity=3)
    assert isinstance(take(), Claimed)
    take()


def test_grown_back_before_the_spare_seats_were_gone_it_has_no_seat_too_many():
    enqueue(*"12345", kind="pooled", args={"pool": "wide"})
    for _ in range(3):
        take()
    pools.change("wide", by="staff", capacity=1)
    pools.change("wide", by="staff", capacity=3)
    assert Seat.objects.filter(pool="wide").count() == 3
    assert try_claim() is None


# others that claim at the same time


def test_a_job_that_another_claimer_has_locked_is_contended_not_nothing():
    enqueue("1")
    with sql.short_transaction():
        take()
        assert aside(try_claim) == Contended(pool="")


def test_a_seat_that_another_claimer_has_locked_is_contended_too():
    enqueue("1", "2", kind="pooled")
    with sql.short_transaction():
        take()
        assert aside(try_claim) == Contended(pool="gateway")


def test_a_claimer_takes_the_next_job_of_the_kind_when_the_first_is_locked():
    first, second = enqueue("1", "2")
    with sql.short_transaction():
        assert take().id == first.id
        assert aside(take).id == second.id


class Log:
    """What is in flight, by a count of its own that no row decides."""

    def __init__(self):
        self.now = self.most = self.most_rows = self.done = 0
        self.guard = threading.Lock()

    def begin(self):
        with self.guard:
            self.now += 1
            self.most = max(self.most, self.now)
        rows = Job.objects.running().filter(pool="wide").count()
        with self.guard:
            self.most_rows = max(self.most_rows, rows)

    def end(self):
        with self.guard:
            self.now -= 1
            self.done += 1


def work(log, slot, until):
    while log.done < until:
        job = try_claim("pooled", slot=slot)
        if isinstance(job, Claimed):
            log.begin()
            log.end()
            end(job)


def test_eight_claimers_never_take_a_third_job_of_two_seats():
    pools.change("wide", by="staff", capacity=2)
    enqueue(*map(str, range(80)), kind="pooled", args={"pool": "wide"})
    log = Log()
    together(*[partial(work, log, slot, 80) for slot in range(8)])
    assert (log.most, log.most_rows) == (2, 2)


def test_claimers_never_take_the_same_job_twice():
    enqueue(*map(str, range(60)))
    found = together(*[lambda slot=slot: [take(slot=slot).id for _ in range(5)] for slot in range(8)])
    ids = [number for taken in found for number in taken]
    assert len(set(ids)) == len(ids) == 40


def call_and_end(slot, spans, wanted):
    while len(spans) < wanted:
        job = try_claim("pooled", slot=slot)
        if isinstance(job, Claimed):
            calls.begin(job.id, job.token, timeout_s=5, streamed=True)
            calls.over(job.id, job.token)
            over = sql.row("SELECT over_at FROM jobs_call WHERE job = %(id)s", id=job.id)["over_at"]
            spans.append((row(job).started_at, over))
            end(job)


def test_claimers_keep_the_gap_after_the_end_of_each_call():
    pools.change("gateway", by="staff", gap_s=0.05)
    enqueue(*map(str, range(10)), kind="pooled")
    spans = []
    together(*[partial(call_and_end, slot, spans, 7) for slot in range(4)])
    spans.sort()
    gaps = [(after[0] - before[1]).total_seconds() for before, after in zip(spans, spans[1:], strict=False)]
    assert min(gaps) >= 0.05


# a pool that comes back


def recovering(admit, *, capacity=3):
    """Leave the pool `wide` as after an outage whose time is over."""
    pools.change("wide", by="staff", capacity=capacity)
    sql.run(
        "UPDATE jobs_pool SET admit = %(admit)s, closed_at = clock_timestamp() - interval '1 min',"
        " closed_until = clock_timestamp() - interval '1 s' WHERE name = 'wide'",
        admit=admit,
    )


def wide(count):
    return enqueue(*map(str, range(count)), kind="pooled", args={"pool": "wide"})


@pytest.mark.parametrize("admit", [1, 2])
def test_a_recovering_pool_admits_no_more_than_it_may(admit):
    recovering(admit)
    wide(5)
    for _ in range(admit):
        take()
    assert try_claim() is None


def test_a_recovering_pool_opens_step_by_step_as_calls_are_answered():
    recovering(1, capacity=3)
    wide(9)
    probe = take()
    assert try_claim() is None
    pools.answered("wide", started_at=row(probe).started_at)
    second = take()
    assert try_claim() is None
    pools.answered("wide", started_at=row(second).started_at)
    take()
    assert Job.objects.running().count() == 3


def test_of_many_claimers_one_sends_the_probe():
    for _ in range(12):
        recovering(1)
        wide(3)
        taken = together(*[try_claim] * 6)
        jobs = [job for job in taken if isinstance(job, Claimed)]
        assert len(jobs) == 1
        end(jobs[0])
        Job.objects.all().delete()


def test_a_job_from_before_the_closing_does_not_count_as_a_probe():
    wide(2)
    old = take()
    recovering(1)
    sql.run("UPDATE jobs_job SET started_at = started_at - interval '1 h' WHERE id = %(id)s", id=old.id)
    assert take().id != old.id


def test_endless_work_without_a_pool_does_not_keep_a_recovering_pool_from_its_probe():
    recovering(1)
    probe = wide(1)[0]
    enqueue("a", "b", "c")
    assert take().id == probe.id


def test_while_a_pool_admits_no_more_the_best_of_the_rest_is_taken():
    recovering(1)
    wide(2)
    other = enqueue("a")[0]
    assert take().pool == "wide"
    assert take().id == other.id


# what it touches


@pytest.fixture
def crowd():
    """20,000 ready jobs of a kind nobody serves, and 20,000 that wait in lanes."""
    sql.run(
        """
        INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                              promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
        SELECT CASE WHEN n %% 2 = 0 THEN 'unserved' ELSE 'both' END, n %% 100, n, '', '',
               CASE WHEN n %% 2 = 0 THEN '' ELSE 'lane:' || n %% 1000 END, 'gateway',
               CASE WHEN n %% 2 = 0 THEN 'ready' ELSE 'waiting' END, 10, 1, '',
               '2020-01-01T00:00Z', '2020-01-01T00:00Z', 0, 0, 0, '', '', '' FROM generate_series(1, 40000) n
        """
    )
    sql.run("ANALYZE jobs_job")
    yield
    sql.run("TRUNCATE jobs_job")


def explained(statement, **values):
    found = sql.row(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", **values)
    plan = found["QUERY PLAN"]
    return (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]


def indexes(plan):
    """Return the indexes by which the table of jobs is read, and how often it is scanned as a whole."""
    below = [name for part in plan.get("Plans", ()) for name in indexes(part)]
    if plan.get("Relation Name") != "jobs_job" or plan["Node Type"] == "ModifyTable":
        return below
    return [*below, plan.get("Index Name", plan["Node Type"])]


def test_a_claim_beside_a_crowd_goes_by_the_index_and_touches_few_pages(crowd):
    pooled, plain = enqueue("1", kind="pooled")[0], enqueue("2")[0]
    values = claim._values(WORKER, 1, serving())
    plan = explained(claim.CLAIM, **values)
    assert row(pooled).status == "running"
    assert set(indexes(plan)) <= {"jobs_job_ready", "jobs_job_pkey"}
    assert "jobs_job_ready" in indexes(plan)
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 250
    assert take().id == plain.id


def test_a_claim_of_nothing_beside_a_crowd_touches_few_pages(crowd):
    plan = explained(claim.CLAIM, **claim._values(WORKER, 1, serving()))
    assert set(indexes(plan)) <= {"jobs_job_ready", "jobs_job_pkey"}
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 150


# when to look again


@pytest.mark.parametrize(
    ("change", "seconds"),
    [
        ("UPDATE jobs_seat SET free_at = clock_timestamp() + interval '50 s'", 50),
        ("UPDATE jobs_pool SET closed_until = clock_timestamp() + interval '70 s'", 70),
    ],
)
def test_the_next_instant_is_when_a_seat_or_a_pool_is_free_again(change, seconds):
    enqueue("1", kind="pooled")
    sql.run(change)
    assert claim.next_instant_s(serving()) == pytest.approx(seconds, abs=2)


def test_the_next_instant_is_when_the_first_scheduled_job_is_due():
    ticket = enqueue("1")[0]
    sql.run(
        "UPDATE jobs_job SET status = 'scheduled', run_at = clock_timestamp() + interval '30 s' WHERE id = %(id)s",
        id=ticket.id,
    )
    assert claim.next_instant_s(serving()) == pytest.approx(30, abs=2)


def test_nothing_that_is_known_is_no_instant():
    assert claim.next_instant_s(serving()) is None


def test_a_claim_is_one_statement():
    enqueue("1", kind="pooled")
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as sent:
        take()
    assert len(sent) == 1

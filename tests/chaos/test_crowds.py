"""Many hands on the same jobs, one owner's flood, and what polling costs."""

import threading
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from jobs import api, sql
from jobs.models import Attempt, Job, Seat
from jobs.transitions import claim, control, lanes, sweep
from tests.chaos.sessions import deadlocks
from tests.jobs.rows import WORKER, end, enqueue, row, serving, take
from tests.processes import until

ACTIVE = ("scheduled", "waiting", "ready", "running")
BLOCKED = """
INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                      promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
SELECT 'pooled', 'o' || mod(n, 50), n::text, '', '', '', 'gateway', 'ready', 0, 1, '', clock_timestamp(),
       clock_timestamp(), 0, 0, 0, '', '', '' FROM generate_series(1, 100000) n
"""
IN_LANES = """
INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                      promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
SELECT 'both', 'o' || mod(n, 50), n::text, '', '', 'lane:' || mod(n, 100000), 'gateway',
       CASE WHEN n <= 100000 THEN 'ready' ELSE 'waiting' END, 0, 1, '', clock_timestamp(),
       clock_timestamp(), 0, 0, 0, '', '', '' FROM generate_series(1, 200000) n
"""


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_many_hands_deadlock_nowhere_and_lose_nothing(start_worker):
    before = deadlocks()
    tickets = [api.enqueue("plain", f"o{n % 7}", str(n)) for n in range(80)]
    tickets += [api.enqueue("lined", f"o{n % 7}", str(n), args={"lane": f"lane:{n % 6}"}) for n in range(80)]
    tickets += [api.enqueue("both", f"o{n % 7}", str(n), args={"lane": f"lane:{n % 6}"}) for n in range(40)]
    ids = [ticket.id for ticket in tickets]
    start_worker(slots=2)
    failed: list[BaseException] = []
    barrier = threading.Barrier(4)

    def hand(seed: int) -> None:
        chance = Random(seed)
        try:
            for _ in range(20):
                barrier.wait(30)
                act = chance.choice([control.stop, control.retry, control.promote])
                for job in chance.sample(ids, 40):
                    act(job, by="hand")
        except BaseException as error:
            failed.append(error)
            barrier.abort()
        finally:
            connection.close()

    hands = [threading.Thread(target=hand, args=(seed,)) for seed in range(4)]
    for each in hands:
        each.start()
    for each in hands:
        each.join(80)
    assert failed == []
    until(lambda: not Job.objects.filter(status__in=ACTIVE).exists(), seconds=90, what="every job ends")
    for job in ids:
        control.retry(job, by="test")
    until(lambda: Job.objects.filter(status="succeeded").count() == len(ids), seconds=40, what="every job succeeds")
    assert deadlocks() == before
    assert not Attempt.objects.exclude(outcome__in=["succeeded", "stopped"]).exists()
    assert not Seat.objects.filter(job__isnull=False).exists()


@pytest.mark.parametrize("kind", ["pooled", "plain"])
@pytest.mark.parametrize("days", [0, 1])
@pytest.mark.usefixtures("queue")
def test_a_flood_delays_nobody_else(kind, days):
    """Also when the flood is old, and work has been slower than its virtual time."""
    flood = [api.New(owner="big", subject=str(number)) for number in range(5000)]
    assert len(api.enqueue_many(kind, flood)) == 5000
    Job.objects.update(vturn=F("vturn") - timedelta(days=days), turn=F("turn") - timedelta(days=days))
    sql.run("UPDATE jobs_pool SET clock = clock - make_interval(days => %(days)s)", days=days)
    for _ in range(5):
        end(take(kind))
        sweep.thorough(["pooled", "plain"])
    small = {api.enqueue(kind, f"small{number}", "1").id for number in range(10)}
    started = []
    for _ in range(20):
        job = take(kind)
        started.append(job.id)
        end(job)
    assert small <= set(started), len(small & set(started))


@pytest.mark.usefixtures("queue")
@pytest.mark.full
def test_a_claim_is_one_statement_and_touches_few_pages_beside_a_crowd_of_blocked_jobs_and_lanes():
    served = serving()
    lanes.pause("lane:1", by="ana", paused=True)
    with CaptureQueriesContext(connection) as asked:
        for _ in range(1000):
            assert claim.claim(WORKER, 1, served) is None
    assert len(asked) == 1000
    sql.run("UPDATE jobs_pool SET paused = true WHERE name = 'gateway'")
    sql.run(BLOCKED)
    sql.run(IN_LANES)
    sql.run("ANALYZE jobs_job")
    assert claim.claim(WORKER, 1, served) is None  # the session reads anew what it knows of the table and its indexes
    assert touched(claim.CLAIM, **claim._values(WORKER, 1, served)) < 400
    open_ones = enqueue("1", "2")
    assert touched(claim.CLAIM, **claim._values(WORKER, 1, served)) < 400
    assert {row(job).status for job in open_ones} == {"ready", "running"}
    assert touched(claim.NEXT, pools=["gateway", "wide"]) < 100
    sql.run("UPDATE jobs_pool SET paused = false WHERE name = 'gateway'")
    sql.run("UPDATE jobs_seat SET free_at = clock_timestamp() + interval '1 h' WHERE pool = 'gateway'")
    assert touched(claim.CLAIM, **claim._values(WORKER, 2, served)) < 400  # the gap of its only seat


def touched(statement, **values):
    """Return how many pages of the database a statement reads, whatever it does."""
    plan = sql.json_of(sql.row("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + statement, **values)["QUERY PLAN"])
    print(plan[0]["Plan"]["Shared Hit Blocks"], plan[0]["Plan"]["Shared Read Blocks"])
    return plan[0]["Plan"]["Shared Hit Blocks"] + plan[0]["Plan"]["Shared Read Blocks"]

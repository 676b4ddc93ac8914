"""What the statements that run all the time cost: few of them, by their indexes, whatever else is in line."""

import json

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from jobs import api, sql
from jobs.models import Job
from jobs.registry import kind_of
from jobs.transitions import claim, finish, quick, sweep, workers
from jobs.transitions.enqueue import Wish
from jobs.transitions.enqueue import enqueue as enqueue_one
from jobs.transitions.outcomes import Attempted
from tests.jobs.rows import WORKER, end, enqueue, row, serving, take, try_claim

pytestmark = pytest.mark.usefixtures("queue")

# kind, first enqueue, idle poll, ending: a lane adds its place(), a pool the waking of who waits for its seat
PINNED = [("plain", 3, 1, 3), ("lined", 5, 1, 4), ("pooled", 3, 1, 4), ("both", 5, 1, 5)]


CROWD = """
INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                      promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
SELECT CASE WHEN n %% 2 = 0 THEN 'unserved' ELSE 'both' END, n %% 100, n, '', '',
       CASE WHEN n %% 2 = 0 THEN '' ELSE 'lane:' || n %% 1000 END, 'gateway',
       CASE WHEN n %% 2 = 0 THEN 'ready' ELSE 'waiting' END, 10, 1, '',
       '2020-01-01T00:00Z', '2020-01-01T00:00Z', 0, 0, 0, '', '', '' FROM generate_series(1, 40000) n
"""


@pytest.fixture
def crowd():
    """20,000 ready jobs of a kind nobody serves, and 20,000 that wait in lanes."""
    for table in ("jobs_job", "jobs_seat", "jobs_pool"):
        sql.run(f"VACUUM FULL {table}")  # what earlier tests left is no part of the cost
    sql.run(CROWD)
    sql.run("ANALYZE jobs_job")
    for kind in ("pooled", "plain"):  # making a plan reads the catalogue, once a session
        enqueue("planned", kind=kind)
        end(take(kind))
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


# What this transaction has read so far: whole scans of the table of jobs, and rows of it found by an index.
READ = """
SELECT seq_scan AS scans, seq_tup_read + idx_tup_fetch AS jobs FROM pg_stat_xact_user_tables WHERE relname = 'jobs_job'
"""


def cost(statement, **values):
    """Return the pages that the statement touches, inside its functions too, and the jobs that it reads."""
    with transaction.atomic():
        before = sql.row(READ)
        plan = explained(statement, **values)
        after = sql.row(READ)
    assert after["scans"] == before["scans"], "It read the whole table."
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], after["jobs"] - before["jobs"]


def test_a_claim_beside_a_crowd_goes_by_the_index_and_touches_few_pages(crowd):
    pooled, plain = enqueue("1", kind="pooled")[0], enqueue("2")[0]
    pages, jobs = cost(claim.CLAIM, **claim._values(WORKER, 1, serving()))
    assert row(pooled).status == "running"
    assert (pages < 400, jobs < 20) == (True, True), (pages, jobs)
    assert take().id == plain.id


def test_a_claim_of_nothing_beside_a_crowd_touches_few_pages(crowd):
    pages, jobs = cost(claim.CLAIM, **claim._values(WORKER, 1, serving()))
    assert (pages < 400, jobs < 20) == (True, True), (pages, jobs)


def test_an_ending_with_the_next_claim_beside_a_crowd_touches_few_pages(crowd):
    first, second = enqueue("1", "2")
    done = take("plain")
    values = claim._values(WORKER, 1, serving()) | {"done": done.id, "done_token": done.token, "done_result": "{}"}
    pages, jobs = cost(claim.CLAIM, **values)
    assert [row(ticket).status for ticket in (first, second)] == ["succeeded", "running"]
    assert (pages < 500, jobs < 25) == (True, True), (pages, jobs)


def test_a_plan_that_was_made_beside_nothing_serves_beside_a_crowd():
    """A session plans a claim once; by then the tables may have been empty, and nobody has counted them since."""
    sql.run("TRUNCATE jobs_job")
    sql.run("ANALYZE jobs_job")
    connection.close()
    for _ in range(8):
        assert try_claim() is None
    sql.run(CROWD)
    ticket = enqueue("1")[0]
    pages, jobs = cost(claim.CLAIM, **claim._values(WORKER, 1, serving()))
    sql.run("TRUNCATE jobs_job")
    assert ticket.id
    assert (pages < 400, jobs < 20) == (True, True), (pages, jobs)


def test_the_best_of_many_quick_ones_are_read_and_no_more(crowd):
    api.enqueue_many("quick", [api.New(owner="ana", subject=str(number)) for number in range(3000)])
    sql.run("UPDATE jobs_job SET pool = '' WHERE status = 'ready'")  # the crowd stands in the same line
    sql.run("ANALYZE jobs_job")
    quick.claim_more(WORKER, 1, serving(), most=1)
    values = claim.served_values(serving("quick", "quick_told"))
    asked = {"kinds": values["kinds"], "timeouts": values["timeouts"], "most": 100, "lasts": 1.0}
    pages, jobs = cost(quick.CLAIM, worker=WORKER, slot=1, **asked)
    assert Job.objects.running().count() == 101
    assert (pages < 8000, jobs < 800) == (True, True), (pages, jobs)


def read_by(act):
    """Return how many jobs it reads; never the whole table."""
    with transaction.atomic():
        before = sql.row(READ)
        act()
        after = sql.row(READ)
    assert after["scans"] == before["scans"], "It read the whole table."
    return after["jobs"] - before["jobs"]


def test_whatever_puts_a_job_in_line_beside_a_crowd_reads_few(crowd):
    """Its owner has hundreds in line, also at the other pool of a route."""
    sql.run("UPDATE jobs_job SET owner = 'ana', kind = 'routed' WHERE id %% 100 = 0")
    sql.run("UPDATE jobs_job SET pool = 'wide' WHERE id %% 200 = 0")
    sql.run("VACUUM ANALYZE jobs_job")
    wish = Wish(kind=kind_of("routed"), owner="ana", subject="first", args={}, watch="7")
    for _ in range(2):  # the first look and a poll
        assert read_by(lambda: enqueue_one(wish)) < 20
    assert read_by(lambda: api.enqueue_many("routed", [api.New(owner="ana", subject="many")])) < 20
    ended = enqueue("stopped")[0]
    api.stop(ended.id, by="ana")
    assert read_by(lambda: api.retry(ended.id, by="ana")) < 20


def test_looking_for_lanes_without_a_head_steps_from_lane_to_lane(crowd):
    asked = {"after": "", "most": 2000}
    assert len(sql.row(sweep.HEADLESS, **asked)["lanes"]) == 500
    plan = explained(sweep.HEADLESS, **asked)
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 8000  # job by job it was 100,000


def test_looking_for_the_next_instant_reads_no_crowd(crowd):
    plan = explained(claim.NEXT, pools=["gateway", "wide"])
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 100


def statements(act):
    """Return how many statements an act sends, the transaction's own not counted."""
    with CaptureQueriesContext(connection) as sent:
        act()
    own = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")
    return len([query for query in sent if not query["sql"].startswith(own)])


@pytest.mark.parametrize(("kind", "first", "poll", "ending"), PINNED)
def test_the_statements_of_a_jobs_life_are_pinned(kind, first, poll, ending):
    wish = Wish(kind=kind_of(kind), owner="ana", subject="1", args={}, fingerprint="f1")
    assert statements(lambda: enqueue_one(wish)) == first
    assert statements(lambda: enqueue_one(wish)) == poll
    assert statements(lambda: take()) == 1
    job = sql.row("SELECT id, token FROM jobs_job")
    assert statements(lambda: finish.end(job["id"], job["token"], Attempted(outcome="succeeded"))) == ending


def test_a_heartbeat_is_one_statement():
    assert statements(lambda: workers.beat(WORKER, draining=False)) == 1


def test_a_quick_claim_reads_the_arguments_of_its_own_jobs_only():
    """Beside so many that reading all of them at once looks cheap to the planner."""
    api.enqueue_many("quick", [api.New(owner="ana", subject=str(n)) for n in range(5)])
    sql.run("INSERT INTO jobs_payload (job, args) SELECT -n, '{}' FROM generate_series(1, 20000) n")
    sql.run("ANALYZE jobs_payload")
    served = serving("quick")
    plan = explained(
        quick.CLAIM, worker=WORKER, slot=1, kinds=list(served.kinds), timeouts=[60.0], most=100, lasts=quick.LASTS_S
    )
    assert readings(plan) == {("jobs_payload", "Index Scan")}
    assert Job.objects.filter(status="running").count() == 5


def readings(plan):
    """Return the tables that a plan reads, and how."""
    own = {(plan["Relation Name"], plan["Node Type"])} if "Relation Name" in plan else set()
    return own.union(*(readings(part) for part in plan.get("Plans", ())))

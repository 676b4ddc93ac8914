"""What the statements that run all the time cost: few of them, by their indexes, whatever else is in line."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs import sql
from jobs.registry import kind_of
from jobs.transitions import claim, finish, sweep, workers
from jobs.transitions.enqueue import Wish
from jobs.transitions.enqueue import enqueue as enqueue_one
from jobs.transitions.outcomes import Attempted
from tests.jobs.rows import WORKER, enqueue, row, serving, take

pytestmark = pytest.mark.usefixtures("queue")

# kind, first enqueue, idle poll, ending: a lane adds its place(), a pool the waking of who waits for its seat
PINNED = [("plain", 5, 1, 3), ("lined", 6, 1, 4), ("pooled", 5, 1, 4), ("both", 6, 1, 5)]


@pytest.fixture
def crowd():
    """20,000 ready jobs of a kind nobody serves, and 20,000 that wait in lanes."""
    for table in ("jobs_job", "jobs_seat", "jobs_pool"):
        sql.run(f"VACUUM FULL {table}")  # what earlier tests left is no part of the cost
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
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 400
    assert take().id == plain.id


def test_a_claim_of_nothing_beside_a_crowd_touches_few_pages(crowd):
    plan = explained(claim.CLAIM, **claim._values(WORKER, 1, serving()))
    assert set(indexes(plan)) <= {"jobs_job_ready", "jobs_job_pkey"}
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 400


def test_looking_for_lanes_without_a_head_steps_from_lane_to_lane(crowd):
    assert len(sql.rows(sweep.HEADLESS)) == 500
    plan = explained(sweep.HEADLESS)
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

"""What a claim costs: one statement that goes by its index, whatever else is in line."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs import sql
from jobs.transitions import claim
from tests.jobs.rows import WORKER, enqueue, row, serving, take

pytestmark = pytest.mark.usefixtures("queue")


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


def test_a_claim_is_one_statement():
    enqueue("1", kind="pooled")
    with CaptureQueriesContext(connection) as sent:
        take()
    assert len(sent) == 1

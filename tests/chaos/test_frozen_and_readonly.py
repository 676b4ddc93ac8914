"""Sessions of clients that froze in a transaction, and a database that a failover leaves read-only for a while."""

import os
import re
import signal

import pytest
from django.db import connection

from jobs import api, sql, testing
from jobs.models import Attempt, Chore, Job, Worker
from tests.chaos.sessions import MINE, end_sessions
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)

OPEN = f"SELECT 1 FROM pg_stat_activity WHERE {MINE} AND state = 'idle in transaction'"  # noqa: S608
REFUSED = re.compile(r"worker\.database_away job=\d+")
READ_ONLY = "ALTER DATABASE {} SET default_transaction_read_only = {}"


@pytest.fixture
def read_only():
    name = connection.ops.quote_name(connection.settings_dict["NAME"])

    def switch(state: str) -> None:
        sql.run(READ_ONLY.format(name, state))
        end_sessions()

    yield switch
    switch("off")


@pytest.mark.full
def test_a_save_frozen_beyond_its_bound_costs_no_attempt(start_worker, tmp_path):
    start_worker(env={"TEST_DOWN_SECONDS": "0.5"})
    ticket = api.enqueue("freezes", "ana", "1", args={"marker": str(tmp_path / "frozen")})
    until(lambda: (tmp_path / "frozen").exists(), what="the save is open")
    until(lambda: not sql.rows(OPEN), seconds=18, what="PostgreSQL ends it")
    os.kill(int((tmp_path / "frozen").read_text()), signal.SIGCONT)
    assert testing.wait(ticket.id, seconds=10).status == "succeeded"
    assert Job.objects.get(pk=ticket.id).attempts == 0


def test_a_database_that_is_read_only_for_a_while_ends_no_worker_and_loses_no_result(start_worker, read_only, tmp_path):
    worker = start_worker(slots=2)
    gate = tmp_path / "gate"
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 60, "gate": str(gate)})
    until(lambda: Job.objects.get(pk=ticket.id).status == "running")
    alive = Worker.objects.get().pk
    read_only("on")
    until(lambda: "database_away" in worker.log)
    gate.touch()
    until(lambda: REFUSED.search(worker.log), what="its result is refused")
    read_only("off")
    assert testing.wait(ticket.id, seconds=10).status == "succeeded"
    after = api.enqueue("plain", "ana", "2")
    assert testing.wait(after.id, seconds=5).status == "succeeded"
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"succeeded"}
    assert Worker.objects.get().pk == alive
    assert "Traceback" not in worker.log
    sweeps = Chore.objects.get(name="quick").due_at
    until(lambda: Chore.objects.get(name="quick").due_at > sweeps, seconds=5, what="somebody sweeps")

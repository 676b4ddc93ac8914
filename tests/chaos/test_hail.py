"""Short jobs under kills and lost sessions all the time, at whatever statement of claim, call and finish they hit."""

import os
import signal
import time
from contextlib import suppress
from random import Random

import pytest

from coach.trial import TrialGateway
from jobs import api
from jobs.models import Attempt, Job, Seat
from jobs.transitions import pools
from tests.chaos.sessions import deadlocks, end_sessions
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

SECONDS, JOBS = 20, 150
STATEMENTS = ("%jobs_claim(%", "%jobs_attempt%", "COMMIT%", "%jobs_call%", "LISTEN%", "%FOR UPDATE%")


def test_hail_on_claims_and_endings_loses_nothing(start_worker):
    chance, before = Random(7), deadlocks()
    with TrialGateway(permits=20) as gateway:
        pools.change("gateway", by="hail", capacity=2)
        args = {"url": gateway.url, "timeout": 1, "streamed": False}
        ids = [api.enqueue("calls", f"o{n % 5}", str(n), args=args).id for n in range(JOBS)]
        ids += [api.enqueue("plain", f"o{n % 5}", str(n)).id for n in range(JOBS)]
        worker = start_worker(slots=4, env={"TEST_DOWN_SECONDS": "0.5"})
        killed = cut = 0
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            cut += end_sessions(chance.choice(STATEMENTS))
            if chance.random() < 0.3 and (slots := worker.slot_pids()):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(slots), signal.SIGKILL)
                    killed += 1
            time.sleep(chance.uniform(0.02, 0.15))
        until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=90, what="every job ends")
        print("killed", killed, "cut", cut, "calls", len(gateway.log()))
        assert gateway.stats()["max_in_flight"] <= 2
    for job in Job.objects.filter(pk__in=ids):
        endings = list(Attempt.objects.filter(job=job.pk).values_list("outcome", flat=True))
        assert endings.count("succeeded") == (job.status == "succeeded"), (job.pk, endings)
        assert job.status == "succeeded" or job.error_kind == "crash_loop", (job.pk, job.status, job.error_kind)
        assert job.attempts == 0, endings
    assert not Seat.objects.filter(job__isnull=False).exists()
    assert deadlocks() == before
    assert "Traceback" not in worker.log

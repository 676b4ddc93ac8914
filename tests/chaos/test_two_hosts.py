"""Two hosts on one database, as network namespaces: one is cut off in the middle of a call and comes back."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from django.db import connection

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Job, Worker
from tests.chaos.proxy import CutProxy
from tests.jobs.test_upstream import in_flight
from tests.processes import until

HERE, THERE = "10.77.0.1", "10.77.0.2"  # on a cable of our own that leads nowhere else
HOST, CABLE = "coach-far", "coach-near"


def ip(*words: str) -> bool:
    return subprocess.run(["ip", *words], capture_output=True, check=False).returncode == 0


def permitted() -> bool:
    """Say whether this machine lets us make a network namespace."""
    if os.getuid() != 0 or not shutil.which("ip"):
        return False
    return ip("netns", "add", "coach-probe") and ip("netns", "del", "coach-probe")


pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.full,
    pytest.mark.skipif(not permitted(), reason="Making network namespaces is not permitted here (root and iproute2)."),
]


@pytest.fixture
def far_host() -> Iterator[str]:
    """A second host, on a cable to this one."""
    ip("netns", "del", HOST)
    made = [
        ip("netns", "add", HOST),
        ip("link", "add", CABLE, "type", "veth", "peer", "name", "coach-eth", "netns", HOST),
        ip("addr", "add", f"{HERE}/24", "dev", CABLE),
        ip("link", "set", CABLE, "up"),
        ip("-n", HOST, "addr", "add", f"{THERE}/24", "dev", "coach-eth"),
        ip("-n", HOST, "link", "set", "coach-eth", "up"),
        ip("-n", HOST, "link", "set", "lo", "up"),
    ]
    assert all(made)
    yield HOST
    ip("link", "del", CABLE)
    ip("netns", "del", HOST)


def test_a_host_that_is_cut_off_writes_nothing_and_overruns_nothing(start_worker, far_host):
    held = connection.settings_dict
    database = CutProxy(held["HOST"], int(held["PORT"]), listen_on=HERE)
    with TrialGateway(delay_s=6) as gateway:
        upstream = CutProxy("127.0.0.1", int(gateway.url.split(":")[2].split("/")[0]), listen_on=HERE)
        url = f"http://{HERE}:{upstream.port}/v1"
        address = f"postgresql://{held['USER']}:{held['PASSWORD']}@{HERE}:{database.port}/{held['NAME']}"
        start_worker(host=far_host, env={"DATABASE_URL": address})
        until(lambda: Worker.objects.exists(), what="the far host works")
        first_life = Worker.objects.get().pk
        ticket = api.enqueue("calls", "ana", "1", args={"url": url, "timeout": 12, "streamed": False})
        until(lambda: gateway.log(), what="its call arrives")
        ip("link", "set", CABLE, "down")
        near = start_worker()
        until(lambda: "job.rescued" in near.log, seconds=30, what="the near host takes over")
        ip("link", "set", CABLE, "up")
        assert testing.wait(ticket.id, seconds=60).status == "succeeded"
        assert in_flight([{**call, "ended": call["ended"] or call["started"] + 6} for call in gateway.log()]) == 1
        until(
            lambda: Worker.objects.filter(draining=False).exclude(pk=first_life).count() == 2,
            seconds=40,
            what="the far host begins a new life",
        )
        upstream.close()
    database.close()
    assert Attempt.objects.filter(job=ticket.id, outcome="succeeded").count() == 1
    assert Job.objects.get(pk=ticket.id).crashes == 1

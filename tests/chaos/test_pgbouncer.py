"""Workers behind PgBouncer in transaction mode: no session, so no notification, but nothing else changes."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator

import pytest
from django.db import connection

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Job
from tests.jobs.test_upstream import gaps, in_flight
from tests.processes import until

BOUNCER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.full,
    pytest.mark.skipif(not os.path.exists(BOUNCER), reason="pgbouncer is not installed (apt-get install pgbouncer)."),
]

CONFIG = """
[databases]
* = host={host} port={port} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
auth_type = any
pool_mode = transaction
default_pool_size = 5
ignore_startup_parameters = extra_float_digits,options
pidfile = {folder}/pid
unix_socket_dir =
"""


@pytest.fixture
def bouncer(tmp_path) -> Iterator[str]:
    """Yield the address of the test's database through a PgBouncer of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = free.getsockname()[1]
    held = connection.settings_dict
    config = tmp_path / "pgbouncer.ini"
    config.write_text(
        CONFIG.format(
            host=held["HOST"], port=held["PORT"], user=held["USER"], password=held["PASSWORD"], own=own, folder=tmp_path
        )
    )
    command = [BOUNCER, "-q", str(config)]
    if os.getuid() == 0:  # it refuses to run as root
        nobody = pwd.getpwnam("nobody")
        for path in (tmp_path, config):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
        for parent in tmp_path.parents:
            if parent.stat().st_uid == 0 and str(parent).startswith("/tmp/pytest"):
                parent.chmod(0o711)
        command += ["-u", "nobody"]
    process = subprocess.Popen(command)
    try:
        until(lambda: answers(own), seconds=10, what="PgBouncer listens")
        yield f"postgresql://{held['USER']}@127.0.0.1:{own}/{held['NAME']}"
    finally:
        process.terminate()
        process.wait(10)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_queue_works_without_sessions(start_worker, bouncer):
    with TrialGateway(delay_s=0.05) as gateway:
        tickets = [
            api.enqueue("calls", f"o{number % 3}", str(number), args={"url": gateway.url}) for number in range(10)
        ]
        tickets += [api.enqueue("lined", "ana", str(number)) for number in range(10)]
        start_worker(slots=2, env={"DATABASE_URL": bouncer})
        start_worker(slots=2, env={"DATABASE_URL": bouncer})
        for ticket in tickets:
            assert testing.wait(ticket.id, seconds=60).status == "succeeded"
        assert in_flight(gateway.log()) == 1
        assert min(gaps(gateway.log())) >= 0
    assert not Job.objects.filter(attempts__gt=0).exists()


def test_a_stop_arrives_with_the_next_heartbeat(start_worker, bouncer):
    start_worker(env={"DATABASE_URL": bouncer})
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 60})
    until(lambda: Job.objects.get(pk=ticket.id).status == "running")
    api.stop(ticket.id, by="ana")
    assert testing.wait(ticket.id, seconds=10).status == "cancelled"

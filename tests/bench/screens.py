"""Keeps 500 screens open beside four workers: `python -m tests.bench.screens` (about four minutes).

It needs locust: `pip install -r tests/bench/requirements.txt`. A hundred athletes have five screens open each. Every
screen enqueues its insight when it is opened and then polls as its page says, against gunicorn as it is deployed, while
four workers write at a trial gateway with four seats. The requirements, on a quiet machine of two cores that has the
clients on it too: p95 of a poll under 100 ms, no error, and no more sessions of the database than the processes need.
"""

from gevent import monkey

monkey.patch_all()

import argparse  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from contextlib import ExitStack  # noqa: E402
from html import unescape  # noqa: E402
from typing import Any  # noqa: E402

import django  # noqa: E402
import gevent  # noqa: E402

SCREENS = ("/today/", "/week/", "/load/", "/trends/", "/records/")
WORKERS, SEATS = 4, 4
MOST_MS = 100
OPENED_A_SECOND = 10
POLLED = re.compile(r'data-poll hx-get="([^"]*/insight/[^"]*)" hx-trigger="every (\d+)ms')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--athletes", type=int, default=100, help="each has five screens open (default 100)")
    parser.add_argument("--seconds", type=int, default=90, help="how long all of them stay open (default 90)")
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    import logging

    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    logging.getLogger("jobs").setLevel(logging.WARNING)
    made = setup_databases(0, interactive=False, aliases=["default"])
    try:
        met = measure(options.athletes, options.seconds)
    finally:
        connection.close()
        teardown_databases(made, 0)
    sys.exit(0 if met else 1)


def cookies(athletes: int) -> list[str]:
    """Make the athletes and return a session of each."""
    from tests import factories
    from tests.coach.views.rows import signed_in

    found = []
    for number in range(athletes):
        owner = factories.athlete(f"athlete{number}")
        factories.season(owner, days=42)
        found.append(signed_in(owner.user).cookies["sessionid"].value)
    return found


def measure(athletes: int, seconds: int) -> bool:
    from django.db import connection

    from coach.trial import TrialGateway
    from jobs.transitions import pools
    from tests.processes import ROOT, Worker, environment, until

    with ExitStack() as stack:
        gateway = stack.enter_context(TrialGateway(delay_s=4))
        sessions = cookies(athletes)
        pools.change("gateway", capacity=SEATS, gap_s=0, by="bench")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        env = environment(
            COACH_GATEWAY_URL=gateway.url,
            COACH_BIND=f"127.0.0.1:{port}",
            COACH_HOSTS="127.0.0.1",
            COACH_LOG_LEVEL="WARNING",
        )
        command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "coach.wsgi"]
        web = subprocess.Popen(command, cwd=ROOT, env=env)
        stack.callback(lambda: (web.send_signal(signal.SIGTERM), web.wait(40)))
        for _ in range(WORKERS):
            worker = Worker(env=env)
            stack.callback(worker.end)
        until(lambda: answers(port), seconds=30, what="gunicorn answers")
        connection.close()
        return load(port, sessions, seconds)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def load(port: int, sessions: list[str], seconds: int) -> bool:
    """Open every screen and let it poll; print what locust counted and return whether the requirements hold."""
    from locust import HttpUser, task
    from locust.env import Environment

    todo = [(session, screen) for session in sessions for screen in SCREENS]
    screens = iter(todo)

    class Screen(HttpUser):
        host = f"http://127.0.0.1:{port}"

        def on_start(self) -> None:
            session, self.path = next(screens)
            self.client.trust_env = False
            self.client.cookies.set("sessionid", session)
            self.waits = self.open()

        def open(self) -> tuple[str, float] | None:
            return self.next_poll(self.client.get(self.path, name="open"))

        def next_poll(self, response: Any) -> tuple[str, float] | None:
            found = POLLED.search(response.text)
            return (unescape(found[1]), int(found[2]) / 1000) if found else None

        @task
        def poll(self) -> None:
            """As htmx does; a screen whose text is there is opened anew after a while, as by somebody who reads."""
            if self.waits is None:
                gevent.sleep(20)
                self.waits = self.open()
                return
            address, after_s = self.waits
            gevent.sleep(after_s)
            self.waits = self.next_poll(self.client.get(address, name="poll", headers={"HX-Request": "true"}))

    environment = Environment(user_classes=[Screen])
    runner = environment.create_local_runner()
    runner.start(len(todo), spawn_rate=OPENED_A_SECOND)
    while runner.user_count < len(todo):
        gevent.sleep(1)
    print(f"{len(todo)} screens are open", flush=True)
    environment.stats.reset_all()
    sessions_seen, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        sessions_seen = max(sessions_seen, database_sessions())
        gevent.sleep(1)
    polls, total = environment.stats.get("poll", "GET"), environment.stats.total
    p95, errors = polls.get_response_time_percentile(0.95), total.num_failures
    p50, rate = polls.median_response_time, polls.num_requests / seconds
    runner.quit()
    web = int(os.environ.get("COACH_WEB_WORKERS", 2)) * int(os.environ.get("COACH_WEB_THREADS", 4))
    bound = web + WORKERS * 4  # each worker: its supervisor, beat, sweeper and slot
    print(f"polls: {polls.num_requests}, {rate:.0f} a second, p50 {p50:.0f} ms, p95 {p95:.0f} ms; errors: {errors}")
    print(f"sessions of the database: at most {sessions_seen} of {bound}")
    for error in environment.stats.errors.values():
        print(f"  {error.occurrences} times {error.error}")
    met = p95 < MOST_MS and not errors and sessions_seen <= bound and polls.num_requests > 0
    print("the requirements are met" if met else "over the requirements")
    return bool(met)


def database_sessions() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()

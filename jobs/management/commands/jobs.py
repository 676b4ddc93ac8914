"""What staff do to jobs and pools, from a shell."""

import getpass
import socket
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jobs.conf import conf
from jobs.console import health, machine, operate, shell, tuning
from jobs.console.workers import all_workers
from jobs.models import Job, Pool, Status
from jobs.models.job import QUEUED
from jobs.transitions import invariants


class Command(BaseCommand):
    help = "Look at jobs and pools; promote, stop and retry jobs; pause and resume pools."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs: Any = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        listing = verbs.add_parser("list", help="list jobs: queued ones in their order, others newest first")
        listing.add_argument("--state", choices=["queued", *Status.values], help="only jobs in this state")
        listing.add_argument("--kind", help="only jobs of this kind")
        listing.add_argument("--owner", help="only jobs of this owner")
        listing.add_argument("--limit", type=int, default=50, help="at most this many (default 50)")
        showing = verbs.add_parser("show", help="show one job, its attempts and its items")
        showing.add_argument("id", type=int, help="the job's id")
        for verb, what in (
            ("promote", "put jobs before all others"),
            ("stop", "stop jobs"),
            ("retry", "put jobs in line again"),
            ("retry_items", "put jobs in line again of which an item failed"),
            ("run_now", "start jobs past the gap of their pool, never past its capacity"),
        ):
            _ids(verbs.add_parser(verb, help=what))
        urgent = verbs.add_parser("priority", help="change the priority of jobs in line; lower goes first")
        urgent.add_argument("priority", type=int, choices=operate.PRIORITIES, metavar="0-100")
        _ids(urgent)
        pooled = verbs.add_parser("pools", help="show the pools with their seats")
        pooled.add_argument("--reset", action="store_true", help="take capacity and gap from the settings again")
        verbs.add_parser("workers", help="show the workers: whether they are heard from, and what they serve")
        auditing = verbs.add_parser("audit", help="check every rule of the queue on the live system")
        auditing.add_argument("--repair", action="store_true", help="mend what can be mended")
        verbs.add_parser(
            "alive", help="fail unless a worker of this host keeps its lease, for a container's health check"
        )
        for verb, what in (("pause", "start no new job of a pool, or of a lane"), ("resume", "start them again")):
            switched = verbs.add_parser(verb, help=what).add_mutually_exclusive_group(required=True)
            switched.add_argument("pool", nargs="?", help="the pool's name")
            switched.add_argument("--lane", help="the lane's name instead, as `show` says it")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        acts: dict[str, Callable[..., None]] = {
            "list": self.list_jobs,
            "show": self.show,
            "pools": self.pools,
            "workers": self.workers,
            "audit": self.audit,
            "alive": self.alive,
            "pause": self.switch,
            "resume": self.switch,
            **dict.fromkeys(operate.VERBS, self.operate),
        }
        acts[verb](verb=verb, **options)

    def list_jobs(self, *, state: str | None, kind: str | None, owner: str | None, limit: int, **options: Any) -> None:
        found = Job.objects.all()
        if state:
            found = found.filter(status__in=QUEUED if state == "queued" else [state])
        if kind:
            found = found.filter(kind=kind)
        if owner is not None:
            found = found.filter(owner=owner)
        order = ("band", "turn", "id") if state in ("queued", *QUEUED) else ("-id",)
        jobs = list(found.order_by(*order)[: max(limit, 0)])
        for line in shell.table(jobs):
            self.stdout.write(line)

    def show(self, *, id: int, **options: Any) -> None:  # noqa: A002  (the argument's name)
        job = Job.objects.filter(pk=id).first()
        if job is None:
            raise CommandError(f"There is no job {id}.")
        for line in shell.described(job):
            self.stdout.write(line)

    def alive(self, **options: Any) -> None:
        host = socket.gethostname()
        if not health.alive_on(host):
            raise CommandError(f"No worker of {host} keeps its lease.")
        self.stdout.write(f"A worker of {host} keeps its lease.")

    def operate(self, *, verb: str, ids: Any, priority: int = operate.USUAL, **options: Any) -> None:
        """Move what can be moved; the command fails when nothing did."""
        report = operate.VERBS[verb](ids, by=by(), priority=priority)
        if not report.total_moved:
            raise CommandError(report.sentence)
        self.stdout.write(report.sentence)

    def audit(self, *, repair: bool, **options: Any) -> None:
        """Tell what is broken; the command fails while something is."""
        found = invariants.violations()
        for line in health.told(found):
            self.stdout.write(line)
        left = invariants.repair(found, by=by()) if repair and found else found
        if repair and found:
            self.stdout.write("After the repair:")
            for line in health.told(left):
                self.stdout.write(line)
        if left:
            raise CommandError(f"{len(left)} rule{'s are' if len(left) > 1 else ' is'} broken.")

    def pools(self, *, reset: bool, **options: Any) -> None:
        for name in conf().POOLS if reset else ():
            self.stdout.write(tuning.reset(name, by=by()))
        for pool in machine.whole().pools:
            for line in shell.pool(pool):
                self.stdout.write(line)

    def workers(self, **options: Any) -> None:
        for line in shell.workers(all_workers()):
            self.stdout.write(line)

    def switch(self, *, verb: str, pool: str | None, lane: str | None, **options: Any) -> None:
        if lane is not None:
            report = operate.pause_lanes([lane], by=by(), paused=verb == "pause")
            if not report.total_moved:
                raise CommandError(f"{lane}: {report.sentence}")
            self.stdout.write(f"{lane}: {report.sentence}")
        else:
            self.switch_pool(str(pool), paused=verb == "pause")

    def switch_pool(self, name: str, *, paused: bool) -> None:
        row = Pool.objects.filter(pk=name).first()
        if row is None:
            known = ", ".join(Pool.objects.order_by("name").values_list("name", flat=True)) or "none"
            raise CommandError(f"No pool is called {name!r}; known: {known}.")
        if row.paused == paused:
            raise CommandError(f"{name} is paused already." if paused else f"{name} is not paused.")
        self.stdout.write(tuning.change(name, by=by(), paused=paused))


def _ids(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", type=int, metavar="ID", help="ids of jobs")


def by() -> str:
    """Return the name for the audit: the account of the shell."""
    try:
        return f"shell:{getpass.getuser()}"
    except (KeyError, OSError):  # an account without a name, as in some containers
        return "shell"

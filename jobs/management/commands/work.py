"""Runs jobs until told to stop."""

import sys
from typing import Any

from django.apps import apps
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError, CommandParser

from jobs.conf import conf
from jobs.registry import KINDS
from jobs.transitions.claim import Served
from jobs.worker import supervisor


class Command(BaseCommand):
    requires_system_checks = [Tags.compatibility]
    help = "Run jobs: a supervisor and its slots, with django-q2's clock as a child."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--slots", type=int, default=2, help="jobs at once on this machine (default 2)")
        parser.add_argument("--kinds", help="serve only these kinds, separated by commas")
        parser.add_argument(
            "--pools", help="serve only these pools, separated by commas; '-' means jobs without a pool"
        )
        parser.add_argument("--grace", type=float, help="seconds that running jobs get after SIGTERM")
        parser.add_argument("--recycle-jobs", type=int, default=1000, help="replace a slot after so many jobs")
        parser.add_argument("--recycle-mb", type=int, default=0, help="replace a slot above so many megabytes")
        parser.add_argument("--drain", action="store_true", help="leave when nothing is left to claim")
        parser.add_argument("--no-clock", action="store_true", help="keep no time: another service runs qcluster")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["slots"] < 1:
            raise CommandError("--slots must be at least 1.")
        chosen = supervisor.Options(
            slots=options["slots"],
            served=served(options["kinds"], options["pools"]),
            grace_s=conf().DRAIN_GRACE_SECONDS if options["grace"] is None else options["grace"],
            until_empty=options["drain"],
            most_jobs=options["recycle_jobs"],
            most_mb=options["recycle_mb"],
            clock=apps.is_installed("django_q") and not options["no_clock"] and not options["drain"],
        )
        if not conf().ENABLED:
            raise CommandError("The queue is switched off (AI_JOBS=0): nothing is run.")
        sys.exit(supervisor.run(chosen))


def served(kinds: str | None, pools: str | None) -> Served:
    """Return what the options ask for; a name nobody knows is a mistake, not an empty wish."""
    chosen = _chosen("kind", kinds, list(KINDS))
    wanted = _chosen("pool", pools, [*conf().POOLS, "-"])
    return Served(
        kinds={name: KINDS[name].timeout_s for name in chosen},
        pools=[name for name in wanted if name != "-"],
        poolless="-" in wanted,
    )


def _chosen(what: str, asked: str | None, known: list[str]) -> list[str]:
    if asked is None:
        return known
    names = [name.strip() for name in asked.split(",") if name.strip()]
    unknown = sorted(set(names) - set(known))
    if unknown or not names:
        raise CommandError(f"No {what} is called {', '.join(unknown) or asked!r}; known: {', '.join(sorted(known))}.")
    return names

"""The self-audit as lines of text, for the command; whether a host's worker lives."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db.models.functions import Now

from jobs.conf import conf
from jobs.models import Worker
from jobs.transitions.invariants import RULES, Violation

SHOWN = 10


def told(found: Sequence[Violation]) -> Iterator[str]:
    """Yield a line a broken rule, with what breaks it."""
    for violation in found:
        things = ", ".join(violation.things[:SHOWN])
        more = f" and {len(violation.things) - SHOWN} more" if len(violation.things) > SHOWN else ""
        yield f"{violation.rule.name}: {violation.rule.sentence}"
        yield f"    {things}{more}"
    if not found:
        yield f"All {len(RULES)} rules hold."


def alive_on(host: str) -> bool:
    """Tell whether a worker that registered from this host keeps its lease."""
    since = Now() - timedelta(seconds=conf().SELF_KILL_SECONDS)
    return Worker.objects.filter(host=host, heartbeat_at__gte=since).exists()

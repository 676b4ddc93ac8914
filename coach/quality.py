"""Profiles a source: one check an item, each leaving one finding that says what is odd and where."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coach import together
from coach.formats.recording import Pause
from coach.metrics.quality import LOOKS, Oddity
from coach.models import Finding, Provenance, Source
from coach.streams import unpack
from coach.together import Found, detail
from jobs import api

KIND = "profile"
MOST_DETAILS = 200
EVERY = 20  # recordings between two looks at whether to stop
Severity = Finding.Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    title: str
    severity: Severity  # when something was found
    good: str  # the sentence when nothing was


CHECKS: dict[str, Check] = {
    "gaps": Check(title="Gaps", severity=Severity.NOTE, good="No recording has gaps while the timer was on."),
    "clock_jumps": Check(title="Clock", severity=Severity.BAD, good="No clock jumps."),
    "spikes": Check(title="Spikes", severity=Severity.NOTE, good="No value jumps further than a body or a hill can."),
    "dropouts": Check(title="Sensors", severity=Severity.NOTE, good="Every sensor that was there kept measuring."),
    "implausible": Check(title="Implausible values", severity=Severity.NOTE, good="Every value is plausible."),
    "doubled": Check(title="Doubled", severity=Severity.BAD, good="Nothing is there twice."),
    "coverage": Check(title="Coverage by month", severity=Severity.NOTE, good="No month is empty."),
}


# Asking


def ask(source: Source, *, priority: int = api.INTERACTIVE) -> api.Ticket:
    """Have the source checked, unless it was since its rows last changed."""
    return api.enqueue(
        KIND,
        source.athlete.owner,
        str(source.pk),
        fingerprint=state(source),
        priority=priority,
        args={"source": source.pk},
        items=list(CHECKS),
    )


def state(source: Source) -> str:
    """Name the rows that a profile is about: it changes with every import, join, split and undo."""
    rows = Provenance.objects.filter(file__run__source=source).order_by("pk").values_list("pk", "activity")
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()


def ticket(source: Source) -> api.Ticket | None:
    return api.ticket(KIND, source.athlete.owner, str(source.pk))


# Checking, in the worker


def profile(run: api.Run) -> None:
    """Do each check that is still open. Streams are unpacked once for all of them."""
    source = Source.objects.select_related("athlete").filter(pk=run.args["source"]).first()
    if source is None:
        raise api.Reject("The source is no longer there.")
    seen: dict[str, Found] = {}
    for item in run.items():
        if item.key in LOOKS and not seen:
            seen = _look(run, source)
        found = seen[item.key] if item.key in seen else together.CHECKS[item.key](source)
        with run.save(fingerprint=state(source)):
            _write(source, item.key, found)
            item.ok()


def _write(source: Source, name: str, found: Found) -> None:
    check = CHECKS[name]
    Finding.objects.update_or_create(
        source=source,
        check_name=name,
        defaults={
            "severity": check.severity if found.count else Severity.GOOD,
            "sentence": (found.sentence if found.count else check.good)[:500],
            "count": found.count,
            "details": found.details[:MOST_DETAILS],
        },
    )


def _look(run: api.Run, source: Source) -> dict[str, Found]:
    """Look at the samples of every recording, newest first, with every look."""
    details: dict[str, list[dict[str, Any]]] = {name: [] for name in LOOKS}
    counts: dict[str, int] = dict.fromkeys(LOOKS, 0)
    total = _recordings(source).count()
    for number, origin in enumerate(_recordings(source).iterator(chunk_size=50), start=1):
        if number % EVERY == 0:
            run.check()
        for name, oddity in _oddities(origin):
            counts[name] += oddity.count
            details[name].append(detail(origin.activity, oddity.sentence))
        run.progress(number, total, "recordings looked at")
    return {
        name: Found(count=counts[name], sentence=_of_all(len(details[name]), total), details=details[name])
        for name in LOOKS
    }


def _recordings(source: Source) -> Any:
    rows = Provenance.objects.filter(file__run__source=source, activity__isnull=False, streams__samples__gt=0)
    return rows.select_related("activity", "streams").order_by("-started_at", "-pk")


def _oddities(origin: Provenance) -> Iterator[tuple[str, Oddity]]:
    activity = origin.activity
    streams = unpack(bytes(origin.streams.packed))
    pauses = (
        [Pause(start_s=one["start_s"], duration_s=one["duration_s"]) for one in activity.pauses] if activity else []
    )
    for name, look in LOOKS.items():
        if oddity := look(streams, pauses):
            yield name, oddity


def _of_all(count: int, total: int) -> str:
    return f"{count} of {total} {'recordings' if total != 1 else 'recording'}."

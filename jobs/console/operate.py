"""Promote, stop and retry on many jobs: one transition a row, and a report of what moved and why the rest did not."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from jobs import ticket
from jobs.console import words
from jobs.models import Job, Lane, Status
from jobs.transitions import audit, control, lanes

MOST = 1000  # rows of one request; the rest is left for the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How many moved by what became of them, and how many did not by the reason."""

    moved: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def total_moved(self) -> int:
        return self.moved.total()

    @property
    def sentence(self) -> str:
        """Return "2 promoted. Not moved: 1 running already."."""
        said = [f"{words.listed(dict(sorted(self.moved.items())))}." if self.moved else "Nothing moved."]
        if self.refused:
            said.append(f"Not moved: {words.listed(dict(sorted(self.refused.items())))}.")
        return " ".join(said)


def promote(jobs: Iterable[int], *, by: str) -> Report:
    return _each(jobs, by=by, act=_promote)


def stop(jobs: Iterable[int], *, by: str) -> Report:
    return _each(jobs, by=by, act=_stop)


def retry(jobs: Iterable[int], *, by: str) -> Report:
    return _each(jobs, by=by, act=_retry)


VERBS: dict[str, Callable[..., Report]] = {"promote": promote, "stop": stop, "retry": retry}


def _each[Key](keys: Iterable[Key], *, by: str, act: Callable[[Key, str], tuple[bool, str]]) -> Report:
    """Act on each; `act` returns whether it moved, and what became of it or why not."""
    report = Report()
    for key in keys:
        moved, said = act(key, by)
        (report.moved if moved else report.refused)[said] += 1
    return report


def _promote(job: int, by: str) -> tuple[bool, str]:
    if control.promote(job, by=by):
        return True, "promoted"
    found = _status(job)
    if found in ticket.QUEUED:
        return False, "promoted already"
    return False, {"": "gone", Status.RUNNING: "running already"}.get(found, "over")


def _stop(job: int, by: str) -> tuple[bool, str]:
    match control.stop(job, by=by):
        case "cancelled":
            return True, "stopped"
        case "stopping":
            return True, "running and asked to stop"
        case _:
            return False, "over" if _status(job) else "gone"


def _retry(job: int, by: str) -> tuple[bool, str]:
    if control.retry(job, by=by):
        return True, "put in line again"
    found = _status(job)
    if found in ("", *ticket.QUEUED, Status.RUNNING):
        return False, {"": "gone", Status.RUNNING: "running already"}.get(found, "in line already")
    return False, "not the newest of its identity"


def _status(job: int) -> str:
    return Job.objects.filter(pk=job).values_list("status", flat=True).first() or ""


def pause_lanes(keys: Iterable[str], *, by: str, paused: bool) -> Report:
    return _each(keys, by=by, act=_pause if paused else _resume)


def _pause(lane: str, by: str) -> tuple[bool, str]:
    return _switch(lane, by, paused=True)


def _resume(lane: str, by: str) -> tuple[bool, str]:
    return _switch(lane, by, paused=False)


def _switch(lane: str, by: str, *, paused: bool) -> tuple[bool, str]:
    said = "paused" if paused else "resumed"
    if Lane.objects.filter(pk=lane, paused=paused).exists():
        return False, f"{said} already"
    lanes.pause(lane, paused=paused)
    audit.write(by, "lane.pause" if paused else "lane.resume", f"lane {lane}", old=not paused, new=paused)
    return True, said

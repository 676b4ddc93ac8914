"""Promote, stop and retry on many jobs: one transition a row, and a report of what moved and why the rest did not."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import batched

from jobs.console import words
from jobs.models import Job, Lane, Status
from jobs.models.job import ACTIVE, QUEUED
from jobs.transitions import audit, control, lanes

LOOKED_AT = 100  # rows whose state is read together, right before they are acted on
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """What is done to a job, and why one that was seen in some state is left alone."""

    act: Callable[[int, str], str]  # what became of it; "" when the transition refused it
    hopeless: Callable[[str, str], str]  # (status, promoted) -> why it cannot move; "" when the transition decides
    otherwise: str  # why the transition refused one that looked as if it could move


def operate(verb: Verb, jobs: Iterable[int], *, by: str) -> Report:
    """Act on each job that can move as it was seen; a transition costs several statements, a look one for a hundred."""
    report = Report()
    for some in batched(jobs, LOOKED_AT):
        seen = _seen(some)
        for job in some:
            why = _hopeless(verb, seen.get(job))
            said = "" if why else verb.act(job, by)
            if said:
                report.moved[said] += 1
            else:
                report.refused[why or _hopeless(verb, _seen([job]).get(job)) or verb.otherwise] += 1
    return report


def _seen(jobs: Sequence[int]) -> dict[int, tuple[str, str]]:
    return {
        pk: (status, why) for pk, status, why in Job.objects.filter(pk__in=jobs).values_list("pk", "status", "promoted")
    }


def _hopeless(verb: Verb, seen: tuple[str, str] | None) -> str:
    return verb.hopeless(*seen) if seen else "gone"


def _promote(job: int, by: str) -> str:
    return "promoted" if control.promote(job, by=by) else ""


def _unpromotable(status: str, promoted: str) -> str:
    if status in QUEUED:
        return "promoted already" if promoted == "staff" else ""
    return "running already" if status == Status.RUNNING else "over"


def _stop(job: int, by: str) -> str:
    return {"cancelled": "stopped", "stopping": "running and asked to stop"}.get(control.stop(job, by=by), "")


def _unstoppable(status: str, promoted: str) -> str:
    return "" if status in ACTIVE else "over"


def _retry(job: int, by: str) -> str:
    return "put in line again" if control.retry(job, by=by) else ""


def _unrepeatable(status: str, promoted: str) -> str:
    if status in QUEUED:
        return "in line already"
    return "running already" if status == Status.RUNNING else ""


promote = partial(operate, Verb(act=_promote, hopeless=_unpromotable, otherwise="promoted already"))
stop = partial(operate, Verb(act=_stop, hopeless=_unstoppable, otherwise="over"))
retry = partial(operate, Verb(act=_retry, hopeless=_unrepeatable, otherwise="not the newest of its identity"))
VERBS: dict[str, Callable[..., Report]] = {"promote": promote, "stop": stop, "retry": retry}


def pause_lanes(keys: Iterable[str], *, by: str, paused: bool) -> Report:
    report = Report()
    for key in keys:
        moved, said = _switch(key, by, paused=paused)
        (report.moved if moved else report.refused)[said] += 1
    return report


def _switch(lane: str, by: str, *, paused: bool) -> tuple[bool, str]:
    said = "paused" if paused else "resumed"
    if Lane.objects.filter(pk=lane, paused=paused).exists():
        return False, f"{said} already"
    lanes.pause(lane, paused=paused)
    audit.write(by, "lane.pause" if paused else "lane.resume", f"lane {lane}", old=not paused, new=paused)
    return True, said

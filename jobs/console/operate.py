"""Promote, stop and retry on many jobs: one transition a row, and a report of what moved and why the rest did not."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import batched

from jobs.console import words
from jobs.models import Job, Lane, Status
from jobs.models.job import ACTIVE, QUEUED
from jobs.transitions import control, lanes, urgency

LOOKED_AT = 100  # rows whose state is read together, right before they are acted on
MOST = 1000  # rows of one request; for more there is a job (jobs/handlers.py)
PRIORITIES = range(101)  # lower goes first
USUAL = 10


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

    def add(self, other: "Report") -> None:
        self.moved.update(other.moved)
        self.refused.update(other.refused)


type Act = Callable[[int, str, int], tuple[bool, str]]  # (job, by, priority) -> whether it moved, and what to say


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """What is done to a job, and why one that was seen in some state is left alone."""

    label: str
    act: Act  # "" is said when the transition refused it and does not know why
    hopeless: Callable[[str, str], str]  # (status, promoted) -> why it cannot move; "" when the transition decides
    otherwise: str  # why the transition refused one that looked as if it could move
    hurts: str = ""  # what to think of before it is done to many

    def __call__(self, jobs: Iterable[int], *, by: str, priority: int = USUAL) -> Report:
        return operate(self, jobs, by=by, priority=priority)


def operate(verb: Verb, jobs: Iterable[int], *, by: str, priority: int = USUAL) -> Report:
    """Act on each job that can move as it was seen; a transition costs several statements, a look one for a hundred."""
    report = Report()
    for some in batched(jobs, LOOKED_AT):
        seen = _seen(some)
        for job in some:
            why = _hopeless(verb, seen.get(job))
            moved, said = (False, why) if why else verb.act(job, by, priority)
            if moved:
                report.moved[said] += 1
            else:
                report.refused[said or _hopeless(verb, _seen([job]).get(job)) or verb.otherwise] += 1
    return report


def _seen(jobs: Sequence[int]) -> dict[int, tuple[str, str]]:
    return {
        pk: (status, why) for pk, status, why in Job.objects.filter(pk__in=jobs).values_list("pk", "status", "promoted")
    }


def _hopeless(verb: Verb, seen: tuple[str, str] | None) -> str:
    return verb.hopeless(*seen) if seen else "gone"


def _promote(job: int, by: str, priority: int) -> tuple[bool, str]:
    return (True, "promoted") if control.promote(job, by=by) else (False, "")


def _unpromotable(status: str, promoted: str) -> str:
    return _not_queued(status) or ("promoted already" if promoted in ("staff", "now") else "")


def _not_queued(status: str, promoted: str = "") -> str:
    if status in QUEUED:
        return ""
    return "running already" if status == Status.RUNNING else "over"


def _stop(job: int, by: str, priority: int) -> tuple[bool, str]:
    said = {"cancelled": "stopped", "stopping": "running and asked to stop"}.get(control.stop(job, by=by), "")
    return bool(said), said


def _unstoppable(status: str, promoted: str) -> str:
    return "" if status in ACTIVE else "over"


def _retry(job: int, by: str, priority: int) -> tuple[bool, str]:
    return (True, "put in line again") if control.retry(job, by=by) else (False, "")


def _retry_items(job: int, by: str, priority: int) -> tuple[bool, str]:
    again = control.retry(job, by=by, failed_items=True)
    return (True, "put in line again for what did not succeed") if again else (False, "")


def _unrepeatable(status: str, promoted: str) -> str:
    if status in QUEUED:
        return "in line already"
    return "running already" if status == Status.RUNNING else ""


RUN_NOW = {
    "now": (True, "put first, past the gap"),
    "first": (True, "put first; every seat is taken"),
    "lane": (False, "another of its lane is at work"),
    "paused": (False, "paused by staff or held by an edit"),
    "closed": (False, "its service is not answering"),
    "busy": (False, "its lane is being changed"),
    "over": (False, ""),
}


def _run_now(job: int, by: str, priority: int) -> tuple[bool, str]:
    return RUN_NOW[urgency.run_now(job, by=by)]


def _change_priority(job: int, by: str, priority: int) -> tuple[bool, str]:
    changed = urgency.change_priority(job, priority, by=by)
    return (True, f"given priority {priority}") if changed else (False, "")


promote = Verb(label="Promote", act=_promote, hopeless=_unpromotable, otherwise="promoted already")
stop = Verb(
    label="Stop",
    act=_stop,
    hopeless=_unstoppable,
    otherwise="over",
    hurts="What runs loses the work of this attempt; nothing asks for a stopped job again by itself.",
)
retry = Verb(label="Retry", act=_retry, hopeless=_unrepeatable, otherwise="not the newest of its identity")
retry_items = Verb(
    label="Retry failed items",
    act=_retry_items,
    hopeless=_unrepeatable,
    otherwise="without a failed item, or not the newest of its identity",
)
run_now = Verb(
    label="Run now",
    act=_run_now,
    hopeless=_not_queued,
    otherwise="over",
    hurts="Each takes a seat before its gap is over; others who use the same service feel that.",
)
change_priority = Verb(
    label="Change priority", act=_change_priority, hopeless=_not_queued, otherwise="of that priority already"
)
VERBS: dict[str, Verb] = {
    "promote": promote,
    "run_now": run_now,
    "stop": stop,
    "retry": retry,
    "retry_items": retry_items,
    "priority": change_priority,
}


def pause_lanes(keys: Iterable[str], *, by: str, paused: bool) -> Report:
    report = Report()
    for key in keys:
        moved, said = _switch(key, by, paused=paused)
        (report.moved if moved else report.refused)[said] += 1
    return report


def _switch(lane: str, by: str, *, paused: bool) -> tuple[bool, str]:
    said = "paused" if paused else "resumed"
    if not _is_lane(lane):
        return False, "no lane that anything ever used"
    moved = lanes.pause(lane, by=by, paused=paused)
    return moved, said if moved else f"{said} already"


def _is_lane(key: str) -> bool:
    """Tell whether there is such a lane: a misspelt one would be made by pausing it."""
    in_it = Job.objects.filter(lane=key, status__in=[Status.WAITING, Status.READY, Status.RUNNING])
    return Lane.objects.filter(pk=key).exists() or (key != "" and in_it.exists())

"""What the trial gateway's own log proves about the seats, calls and writes of workers under attack."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from jobs.models import Attempt, Item

CHANGING_S = 0.3  # a claim that began before a change of the capacity may end after it
SENDING_S = 1.0  # what was sent by a client that died may be read so much later


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A call as the upstream lived it, and the attempt that made it."""

    number: int
    job: str
    token: object
    claimed: float  # seconds since 1970, as all instants here
    left: float  # when the attempt ended, whoever ended it
    started: float
    ended: float  # when the upstream was done with it, also for a client that had died


class Caps:
    """Which capacity was in force from when."""

    def __init__(self, capacity: int) -> None:
        self._from: list[tuple[float, int]] = [(0.0, capacity)]

    def __len__(self) -> int:
        return len(self._from)

    def set(self, at: float, capacity: int) -> None:
        self._from.append((at, capacity))

    @property
    def last(self) -> int:
        return self._from[-1][1]

    def greatest(self, since: float, until_s: float) -> int:
        """Return the greatest capacity that was in force at some time between two instants."""
        later = [*[at for at, _ in self._from[1:]], float("inf")]
        return max(cap for (at, cap), end in zip(self._from, later, strict=True) if at <= until_s and end >= since)


def made(log: Iterable[dict[str, Any]]) -> list[Made]:
    """Return the calls with the attempt each belongs to: its job's last one that was claimed before."""
    known: dict[str, list[Attempt]] = {}
    for attempt in Attempt.objects.order_by("started_at"):
        known.setdefault(str(attempt.job), []).append(attempt)
    found = []
    for call in log:
        mine = [one for one in known[call["job"]] if one.started_at.timestamp() <= call["started"]][-1]
        found.append(
            Made(
                number=call["id"],
                job=call["job"],
                token=mine.token,
                claimed=mine.started_at.timestamp(),
                left=mine.ended_at.timestamp(),
                started=call["started"],
                ended=call["ended"],
            )
        )
    return found


def overruns(calls: Sequence[Made], caps: Caps, *, gap_s: float) -> list[tuple[str, int, int, int]]:
    """Return the calls that began, or that a seat was claimed for, while every seat was taken or rested.

    A call has its seat from its start, in truth from its claim, until the gap after its end up there. What was
    claimed under a greater capacity goes on undisturbed after a shrink.
    """
    found = []
    for call in calls:
        beside = [one for one in calls if one.started < call.started < one.ended + gap_s]
        allowed = caps.greatest(min(one.claimed for one in [call, *beside]) - CHANGING_S, call.started)
        if len(beside) + 1 > allowed:
            found.append(("began", call.number, len(beside) + 1, allowed))
        before = [one for one in calls if one.claimed < call.claimed < one.ended + gap_s]
        allowed = caps.greatest(call.claimed - CHANGING_S, call.claimed)
        if len(before) + 1 > allowed:
            found.append(("claimed", call.number, len(before) + 1, allowed))
    return found


def twice(calls: Iterable[Made]) -> list[tuple[Made, Made]]:
    """Return the pairs of calls that one attempt made."""
    return [(one, other) for one, other in combinations(calls, 2) if one.token == other.token]


def late(calls: Iterable[Made]) -> list[Made]:
    """Return the calls that were begun by who no longer had the job."""
    return [call for call in calls if call.started > call.left + SENDING_S]


def orphaned(calls: Iterable[Made]) -> list[Made]:
    """Return the calls that went on up there after the attempt that made them was over."""
    return [call for call in calls if call.left < call.ended]


def late_writes() -> list[tuple[int, object]]:
    """Return the items that were signed by who no longer had the job."""
    ends = {attempt.token.hex: (attempt.job, attempt.ended_at) for attempt in Attempt.objects.all()}
    found = []
    for item in Item.objects.filter(status="ok", result__has_key="token"):
        job, ended_at = ends[item.result["token"]]
        if job != item.job or item.ended_at > ended_at:
            found.append((item.pk, item.result["token"]))
    return found


def ended_otherwise(jobs: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the jobs that did not end exactly once: succeeded by one attempt, or given up after three deaths."""
    endings: dict[int, list[str]] = {}
    for job, outcome in Attempt.objects.values_list("job", "outcome"):
        endings.setdefault(job, []).append(outcome)
    found = []
    for row in jobs:
        mine = endings.get(row.pk, [])
        once = row.status == "succeeded" and mine.count("succeeded") == 1
        given_up = row.error_kind == "crash_loop" and mine.count("crashed") > 2 and "succeeded" not in mine
        if not (once or given_up):
            found.append((row.pk, row.status, row.error_kind, mine))
    return found

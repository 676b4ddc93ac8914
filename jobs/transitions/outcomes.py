"""The closed table of how an attempt can end and what becomes of its job. Pure: no statement is sent here."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from jobs import backoff
from jobs.conf import Conf
from jobs.registry import Kind

type Name = Literal[
    "succeeded",
    "retry",
    "rejected",
    "timeout",
    "down",
    "misconfigured",
    "snoozed",
    "stopped",
    "crashed",
    "drained",
    "yielded",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempted:
    """How the attempt went, whoever noticed it."""

    outcome: Name
    error: str = ""
    error_kind: str = ""
    after_s: float | None = None  # retry, snoozed, down: what the handler or the upstream asked for
    hard: bool = True  # down: closes the pool at once
    blames_pool: bool = True  # down: False when it was our own database that was away
    closes_after: int = 0  # retry: so many jobs in a row that end like this close the pool
    result: Any = None
    process_ended: bool = True  # False: a silent worker, whose call may still be open
    singly: bool = False  # it was in a batch whose process died, though not while it ran
    log: str = ""  # the lines that its code wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the job becomes. delay_s is counted from now, or from the reopening of the pool for a down."""

    status: str
    delay_s: float | None = None
    attempts: int = 0
    crashes: int = 0
    downs: int = 0
    anew: bool = False  # counters and turn start again
    singly: bool = False  # in no batch again
    fingerprint: str = ""
    error: str = ""
    error_kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What `on_end` is told, inside the ending transaction."""

    job: int
    kind: str
    owner: str
    subject: str
    fingerprint: str
    status: str  # what the job is now: queued again, or finished
    outcome: str
    error: str = ""
    error_kind: str = ""
    items: Mapping[str, int] = field(default_factory=dict)


LONGEST_S = 366 * 86_400.0


def wait_s(asked: Any) -> float | None:
    """Return the seconds that a handler or an upstream asked to wait as a wait there can be; None for no number."""
    try:
        seconds = float(asked)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_S)


BY_ITEMS = ("partial", "failed")  # what an attempt is kept as that returned, though not all of its items are well
FINAL = ("succeeded", "partial", "failed", "cancelled", "interrupted")


def as_meant(how: Attempted, job: Mapping[str, Any]) -> Attempted:
    """Return the attempt as what it was: one that was given up while somebody had asked to stop it, was stopped."""
    return replace(how, outcome="stopped") if how.outcome == "drained" and job["stop_token"] else how


def kept_as(how: Attempted, change: Change) -> tuple[str, str, str]:
    """Return the outcome, the kind of error and the error with which the attempt is written down."""
    if how.outcome == "succeeded" and change.status in BY_ITEMS:
        return change.status, change.error_kind, change.error
    return how.outcome, how.error_kind, how.error


def decide(job: Mapping[str, Any], how: Attempted, *, kind: Kind | None, conf: Conf, closed: bool = False) -> Change:
    """Return what becomes of the running job; `closed` says that a down closed its pool."""
    stopped = how.outcome == "stopped" or job["stop_token"] is not None
    change = _plain(job, how, kind=kind, conf=conf, closed=closed)
    if stopped and (change.status not in ("succeeded", "partial") or _wishes(job)):
        # Asked to stop while it ended by itself: neither a retry nor a wish may undo the stop.
        change = replace(change, status="cancelled", delay_s=None, error="", error_kind="")
    return _with_wish(job, change, stopped=stopped)


def _plain(job: Mapping[str, Any], how: Attempted, *, kind: Kind | None, conf: Conf, closed: bool) -> Change:
    plain = Change(
        status="queued", attempts=job["attempts"], crashes=job["crashes"], downs=job["downs"], singly=how.singly
    )
    said = replace(plain, error=how.error, error_kind=how.error_kind or how.outcome)
    match how.outcome:
        case "succeeded":
            return _by_items(job["items"], plain)
        case "stopped":
            return replace(plain, status="cancelled")
        case "rejected":
            return replace(said, status="failed")
        case "snoozed":
            return replace(plain, status="scheduled", delay_s=how.after_s or 0)
        case "drained" | "yielded":
            return plain
        case "crashed":
            return _crashed(said, kind=kind, most=conf.CRASHES if how.process_ended else conf.LOST_WORKERS)
        case "down" | "misconfigured":
            said = replace(said, downs=said.downs + 1)
            if closed or said.downs < 3:
                return replace(said, status="scheduled", delay_s=said.downs * conf.DOWN_SECONDS)
            return _spent(said, how, kind=kind, conf=conf)
        case "retry" | "timeout":
            return _spent(said, how, kind=kind, conf=conf)


def _by_items(items: Mapping[str, int], plain: Change) -> Change:
    good = items.get("ok", 0) + items.get("skipped", 0)
    total = sum(items.values())
    if good == total:
        return replace(plain, status="succeeded")
    status = "partial" if good or items.get("partial") else "failed"
    return replace(plain, status=status, error=f"{total - good} of {total} did not succeed.", error_kind="items")


def _spent(said: Change, how: Attempted, *, kind: Kind | None, conf: Conf) -> Change:
    said = replace(said, attempts=said.attempts + 1)
    if said.attempts >= (kind.most_attempts if kind else conf.MAX_ATTEMPTS):
        return replace(said, status="failed")
    steps = kind.steps if kind else conf.BACKOFF_SECONDS
    delay = how.after_s if how.after_s is not None else backoff.seconds(said.attempts, steps)
    return replace(said, status="scheduled", delay_s=delay)


def _crashed(said: Change, *, kind: Kind | None, most: int) -> Change:
    said = replace(said, crashes=said.crashes + 1, singly=True)
    if said.crashes > most:
        return replace(said, status="failed", error="Its process died each time it ran.", error_kind="crash_loop")
    return replace(said, status="interrupted") if kind and kind.on_interrupt == "park" else said


def _wishes(job: Mapping[str, Any]) -> bool:
    return job["wanted_fingerprint"] not in ("", job["fingerprint"])


def _with_wish(job: Mapping[str, Any], change: Change, *, stopped: bool) -> Change:
    """Fold a wish for another fingerprint into what becomes of the job."""
    own, wish = job["fingerprint"], job["wanted_fingerprint"]
    if not _wishes(job):
        return replace(change, fingerprint=own)
    if change.status in FINAL and not stopped:
        return Change(status="queued", anew=True, fingerprint=wish)
    return replace(change, fingerprint=wish)

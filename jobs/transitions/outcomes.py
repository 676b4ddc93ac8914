"""The closed table of how an attempt can end and what becomes of its job. Pure: no statement is sent here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    result: Any = None
    process_ended: bool = True  # False: a silent worker, whose call may still be open


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the job becomes. delay_s is counted from now, or from the reopening of the pool for a down."""

    status: str
    delay_s: float | None = None
    attempts: int = 0
    crashes: int = 0
    downs: int = 0
    anew: bool = False  # counters and turn start again
    fingerprint: str = ""
    wanted_fingerprint: str = ""
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


FINAL = ("succeeded", "partial", "failed", "cancelled", "interrupted")


def decide(job: Mapping[str, Any], how: Attempted, *, kind: Kind | None, conf: Conf, closed: bool = False) -> Change:
    """Return what becomes of the running job; `closed` says that a down closed its pool."""
    change = _plain(job, how, kind=kind, conf=conf, closed=closed)
    return _with_wish(job, change, stopped=how.outcome == "stopped")


def _plain(job: Mapping[str, Any], how: Attempted, *, kind: Kind | None, conf: Conf, closed: bool) -> Change:
    counters = {"attempts": job["attempts"], "crashes": job["crashes"], "downs": job["downs"]}
    said = {"error": how.error, "error_kind": how.error_kind or how.outcome}
    match how.outcome:
        case "succeeded":
            return _by_items(job["items"], counters)
        case "stopped":
            return Change(status="cancelled", **counters)
        case "rejected":
            return Change(status="failed", **counters, **said)
        case "snoozed":
            return Change(status="scheduled", delay_s=how.after_s or 0, **counters)
        case "drained":
            return Change(status="queued", **counters)
        case "crashed":
            return _crashed(counters, said, kind=kind, conf=conf)
        case "down" | "misconfigured":
            counters["downs"] += 1
            if closed or counters["downs"] < 3:
                return Change(status="scheduled", delay_s=counters["downs"] * conf.DOWN_SECONDS, **counters, **said)
            return _spent(counters, said, how, kind=kind, conf=conf)
        case "retry" | "timeout":
            return _spent(counters, said, how, kind=kind, conf=conf)


def _by_items(items: Mapping[str, int], counters: dict[str, int]) -> Change:
    good = items.get("ok", 0) + items.get("skipped", 0)
    total = sum(items.values())
    if good == total:
        return Change(status="succeeded", **counters)
    error = f"{total - good} of {total} did not succeed."
    status = "partial" if good or items.get("partial") else "failed"
    return Change(status=status, error=error, error_kind="items", **counters)


def _spent(counters: dict[str, int], said: dict[str, str], how: Attempted, *, kind: Kind | None, conf: Conf) -> Change:
    counters = {**counters, "attempts": counters["attempts"] + 1}
    most = kind.most_attempts if kind else conf.MAX_ATTEMPTS
    if counters["attempts"] >= most:
        return Change(status="failed", **counters, **said)
    steps = kind.steps if kind else conf.BACKOFF_SECONDS
    delay = how.after_s if how.after_s is not None else backoff.seconds(counters["attempts"], steps)
    return Change(status="scheduled", delay_s=delay, **counters, **said)


def _crashed(counters: dict[str, int], said: dict[str, str], *, kind: Kind | None, conf: Conf) -> Change:
    counters = {**counters, "crashes": counters["crashes"] + 1}
    if counters["crashes"] > conf.CRASHES:
        return Change(status="failed", error="Its process died each time it ran.", error_kind="crash_loop", **counters)
    if kind and kind.on_interrupt == "park":
        return Change(status="interrupted", **counters, **said)
    return Change(status="queued", **counters, **said)


def _with_wish(job: Mapping[str, Any], change: Change, *, stopped: bool) -> Change:
    """Fold a wish for another fingerprint into what becomes of the job."""
    own, wish = job["fingerprint"], job["wanted_fingerprint"]
    kept = {name: getattr(change, name) for name in ("attempts", "crashes", "downs", "error", "error_kind", "delay_s")}
    if not wish or wish == own:
        return Change(status=change.status, fingerprint=own, **kept)
    if change.status in FINAL and not stopped:
        return Change(status="queued", anew=True, fingerprint=wish)
    return Change(status=change.status, fingerprint=wish, **kept)

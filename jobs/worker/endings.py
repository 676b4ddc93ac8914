"""What an exception or an early end says about the attempt."""

import traceback
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

from jobs import exceptions, sql
from jobs.transitions.outcomes import Attempted, wait_s
from jobs.worker.run import Why


def ended_early(why: Why | None) -> Attempted | None:
    match why:
        case "stop":
            return Attempted(outcome="stopped")
        case "deadline":
            return Attempted(outcome="timeout", error="It took longer than its time-out allows.")
        case "drain":
            return Attempted(outcome="drained")
        case _:
            return None


def outcome_of(error: BaseException) -> Attempted:
    """Return the row of the table of outcomes that this exception stands for."""
    said: dict[str, Any] = {"error": _said(error)}
    match error:
        case exceptions.Retry():
            return Attempted(outcome="retry", after_s=wait_s(error.after_s), closes_after=error.closes_after, **said)
        case exceptions.Reject() | exceptions.TooLarge():
            return Attempted(outcome="rejected", **said)
        case exceptions.UpstreamDown():
            return Attempted(outcome="down", after_s=wait_s(error.retry_after_s), hard=error.hard, **said)
        case exceptions.Misconfigured():
            return Attempted(outcome="misconfigured", **said)
        case exceptions.Snooze():
            return Attempted(outcome="snoozed", after_s=_snooze_s(error), **said)
        case exceptions.Stopped():
            return Attempted(outcome="stopped")
        case exceptions.Yielded():
            return Attempted(outcome="yielded")
        case _ if sql.is_away(error):
            return Attempted(outcome="down", blames_pool=False, error="The database was away.", error_kind="database")
        case _:
            return Attempted(outcome="retry", error_kind=type(error).__name__[:64], **said)


def _said(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        return type(error).__name__
    return text if text or isinstance(error, exceptions.JobsError) else type(error).__name__


def where(error: BaseException) -> str:
    """Return the innermost frames as file:line, without the message, which may hold what no log should."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))


def _snooze_s(error: exceptions.Snooze) -> float:
    until = error.until
    if not isinstance(until, datetime):
        return wait_s(error.seconds) or 0.0
    if timezone.is_naive(until):
        until = timezone.make_aware(until)
    return wait_s((until - timezone.now()).total_seconds()) or 0.0

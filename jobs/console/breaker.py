"""The state of a pool's breaker and of each of its seats: a word, and what there is to say beside it."""

from collections.abc import Mapping
from typing import Any

from jobs.console import words
from jobs.transitions import home


def state(pool: Mapping[str, Any]) -> str:
    """Return open, paused, closed or recovering; the first that keeps jobs from starting."""
    if pool["paused"]:
        return "paused"
    if pool["closed"]:
        return "closed"
    return "recovering" if pool["admit"] is not None else "open"


def sentence(pool: Mapping[str, Any]) -> str:
    said = {"paused": _paused, "closed": _closed, "recovering": _recovering, "open": _open}[state(pool)](pool)
    return said if pool["capacity"] else f"{said} It has no seat, so nothing of it starts.".strip()


def _paused(pool: Mapping[str, Any]) -> str:
    also = f" It is also closed: {_closed(pool)}" if pool["closed"] else ""
    if pool["paused_by"] == home.COPIED:
        return f"This database was restored from a copy: nothing is sent until somebody resumes it.{also}"
    return f"By {pool['paused_by'] or 'staff'}: no new job starts, running ones go on.{also}"


def _closed(pool: Mapping[str, Any]) -> str:
    why = f" ({pool['closed_reason'].rstrip('.')})" if pool["closed_reason"] else ""
    again = f", {pool['failures']} times in a row" if pool["failures"] > 1 else ""
    return f"Since {words.clock(pool['down_since'])}{why}{again}; next try in {words.lasting(pool['closed_s'])}."


def _recovering(pool: Mapping[str, Any]) -> str:
    jobs = "One job" if pool["admit"] == 1 else f"{pool['admit']:,} jobs"
    return f"{jobs} may call at a time; each answer doubles that."


def _open(pool: Mapping[str, Any]) -> str:
    return "Its last call showed a sign of failure." if pool["signs"] else ""


def seat_state(seat: Mapping[str, Any]) -> str:
    """Return running, lingering, cooling or free."""
    if seat["job"] is not None:
        return "running"
    if seat["rests_s"] > 0:
        return "lingering" if seat["why"] == "lingering" else "cooling"
    return "free"


def seat_sentence(seat: Mapping[str, Any]) -> str:
    """Return what there is to say beside the state and the job it serves."""
    match seat_state(seat):
        case "running":
            return f"for {words.lasting(seat['since_s'])}" if seat["since_s"] is not None else ""
        case "lingering":
            return f"{words.lasting(seat['rests_s'])} more: a call may still be running up there"
        case "cooling":
            return f"{words.lasting(seat['rests_s'])} more"
        case _:
            return ""

"""When a queued job will probably start: what runs, then what is ahead of it, over the seats, with the gaps."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

UNKNOWN = ("disabled", "no_worker", "paused", "hold", "slot", "recovering")  # what ends when nobody can foretell

type Range = tuple[float, float]  # seconds, the middle half of what was measured


def between(
    job: Mapping[str, Any], facts: Mapping[str, Any], ahead: Mapping[str, int], usual: Mapping[str, Range]
) -> tuple[datetime | None, datetime | None]:
    """Return the earlier and the later moment; nothing where a duration that counts was never measured."""
    pool, head = facts["pool"] or {}, facts["head"] or {}
    behind = head if job["status"] == "waiting" and head.get("status") == "running" else None
    guess = usual.get(job["kind"])
    if (guess is None and (job["pool"] or ahead)) or (behind and behind["kind"] not in usual):
        return None, None  # better silent than wrong
    seats = facts["seats"] or []
    gap = float(pool.get("gap_s") or 0.0)
    bounds = []
    for end in (0, 1):
        work = sum(n * (usual.get(kind, guess or (0.0, 0.0))[end] + gap) for kind, n in ahead.items())
        first = min((_seat_frees_in(seat, usual, guess, gap, end) for seat in seats), default=0.0)
        if behind:
            first = max(first, usual[behind["kind"]][end] - (behind["elapsed_s"] or 0.0))
        bounds.append(job["now"] + timedelta(seconds=first + work / max(1, len(seats))))
    opens = datetime.fromisoformat(pool["closed_until"]) if pool.get("closed") else None
    at = [moment for moment in (opens, job["run_at"]) if moment is not None]
    return max([bounds[0], *at]), max([bounds[1], *at])


def _seat_frees_in(
    seat: Mapping[str, Any], usual: Mapping[str, Range], guess: Range | None, gap: float, end: int
) -> float:
    if not seat["busy"]:
        return float(seat["rests_s"])
    lasts = usual.get(seat["kind"] or "", guess or (0.0, 0.0))[end]
    return max(0.0, lasts - (seat["elapsed_s"] or 0.0)) + gap

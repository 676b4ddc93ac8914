"""Finds the recordings that may be of the same session as others: by time, by activity and by ruling."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q

from coach import loading
from coach.metrics.grouping import Ruled
from coach.metrics.likeness import REACH, Seen, judge
from coach.models import Athlete, Provenance, Ruling

SAID = {
    "sport": F("header__sport"),
    "elapsed_s": F("header__elapsed_s"),
    "fix": F("header__seen__fix"),
    "heart_rate_bpm": F("header__seen__heart_rate_bpm"),
}
STORED = ("pk", "file_id", "sha256", "session", "format", "activity_id", "started_at", "timer_s", "distance_m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    pk: int
    arrived: tuple[int, int]  # file and session: the same whatever else came or went
    file: int
    activity: int | None
    seen: Seen


def rulings(athlete: Athlete) -> list[Ruled]:
    """Return what the athlete ruled, the latest first."""
    rows = Ruling.objects.filter(athlete=athlete).order_by("-pk")
    return [Ruled(one=row.one, other=row.other, same=row.same) for row in rows]


def around(athlete: Athlete, seeds: Collection[int], *, ruled: Sequence[Ruled]) -> list[Neighbour]:
    """Return the seeds and every dated recording that may share a session with them, in order of arrival."""
    pool = _read(athlete, Q(pk__in=seeds))
    found = set(pool)
    while found:
        pool |= _read(athlete, _reach([pool[pk] for pk in found], ruled) & ~Q(pk__in=pool))
        linked = _linked(found, pool, ruled)
        if linked == found:
            break
        found = linked
    return sorted((pool[pk] for pk in found), key=lambda row: row.arrived)


def _read(athlete: Athlete, which: Q) -> dict[int, Neighbour]:
    rows = Provenance.objects.filter(which, athlete=athlete, started_at__isnull=False)
    found = {row["pk"]: row for row in rows.values(*STORED, **SAID)}
    unread = [pk for pk, row in found.items() if not row["sport"]]
    if unread:  # stored by an older version, which kept no header
        for origin in loading.rows(Provenance.objects.filter(pk__in=unread)):
            loading.load(origin)
        found |= {row["pk"]: row for row in rows.filter(pk__in=unread).values(*STORED, **SAID)}
    return {pk: _neighbour(row) for pk, row in found.items()}


def _neighbour(row: Mapping[str, Any]) -> Neighbour:
    timer_s = float(row["timer_s"] or 0)
    seen = Seen(
        key=f"{row['sha256']}:{row['session']}",
        file=row["sha256"],
        format=row["format"],
        sport=row["sport"] or "",
        started_at=row["started_at"],
        timer_s=timer_s,
        elapsed_s=max(float(row["elapsed_s"] or 0), timer_s),
        distance_m=row["distance_m"],
        fix=row["fix"],
        heart_rate_bpm=row["heart_rate_bpm"],
    )
    arrived = (row["file_id"], row["session"])
    return Neighbour(pk=row["pk"], arrived=arrived, file=row["file_id"], activity=row["activity_id"], seen=seen)


def _reach(rows: Iterable[Neighbour], ruled: Sequence[Ruled]) -> Q:
    """Return the condition under which a recording may be linked with one of these."""
    rows = list(rows)
    starts = [row.seen.started_at for row in rows]
    keys = {row.seen.key for row in rows}
    named = {key for ruling in ruled if {ruling.one, ruling.other} & keys for key in (ruling.one, ruling.other)}
    return (
        Q(started_at__range=(min(starts) - REACH, max(starts) + REACH))
        | Q(activity__in={row.activity for row in rows} - {None})
        | Q(sha256__in={key.partition(":")[0] for key in named})
    )


def _linked(found: Iterable[int], pool: Mapping[int, Neighbour], ruled: Sequence[Ruled]) -> set[int]:
    """Return what can be reached from some recordings by way of likeness, of a common activity, or of a ruling."""
    together = {frozenset((ruling.one, ruling.other)) for ruling in ruled if ruling.same}
    linked, todo = set(found), list(found)
    while todo:
        one = pool[todo.pop()]
        news = {pk for pk, other in pool.items() if pk not in linked and _are_linked(one, other, together)}
        linked |= news
        todo += news
    return linked


def _are_linked(one: Neighbour, other: Neighbour, together: Collection[frozenset[str]]) -> bool:
    if one.activity is not None and one.activity == other.activity:
        return True
    return frozenset((one.seen.key, other.seen.key)) in together or bool(judge(one.seen, other.seen).verdict)

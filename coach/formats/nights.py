"""Makes nights of the pieces of sleep that a provider recorded: overlaps count once, naps are no nights."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from coach.formats.wellness import Night

IN_BED, ASLEEP, AWAKE = "in_bed", "asleep", "awake"
DEPTHS = ("deep", "rem", "light", ASLEEP, AWAKE, IN_BED)  # where records overlap, the first of these counts
APART_S = 2 * 3600  # awake for longer: two sleeps
NIGHT_S = 3 * 3600  # a shorter sleep is a night only when its middle lies in the night
NIGHT_HOURS = (21, 9)
LONGEST_S = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch in one stage, or in bed; times are seconds since 1970."""

    start_s: float
    end_s: float
    stage: str
    zone: str = ""  # IANA name, or UTC+02:00


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleep:
    start_s: float
    end_s: float
    seconds: dict[str, float]  # by stage, overlaps counted once
    bed_s: float
    pieces: tuple[Piece, ...]

    @property
    def asleep_s(self) -> float:
        return sum(length for stage, length in self.seconds.items() if stage != AWAKE)


def nights(provider: str, pieces: Iterable[Piece]) -> list[Night]:
    """Return at most one night a wake date: the longest sleep that ends on that local day."""
    best: dict[str, tuple[float, Night]] = {}
    for sleep in sleeps(pieces):
        if not _is_night(sleep):
            continue
        night = _night(provider, sleep)
        length, day = sleep.asleep_s or sleep.bed_s, night.wake_date.isoformat()
        if day not in best or length > best[day][0]:
            best[day] = (length, night)
    return [night for _, night in sorted(best.values(), key=lambda found: found[1].wake_date)]


def pieces_of(night: Night) -> list[Piece]:
    """Return the pieces a night was made of."""
    if night.start_at is None:
        return []
    begin_s = night.start_at.timestamp()
    return [
        Piece(start_s=begin_s + start_s, end_s=begin_s + start_s + length_s, stage=stage, zone=night.time_zone)
        for start_s, length_s, stage in night.pieces
    ]


def sleeps(pieces: Iterable[Piece]) -> list[Sleep]:
    """Return what lies hours apart as sleeps of their own; time in bed alone counts only where no sleep is."""
    usable = [piece for piece in pieces if 0 < piece.end_s - piece.start_s <= LONGEST_S]
    beds = _timeline(piece for piece in usable if piece.stage == IN_BED)
    groups = apart(_timeline(piece for piece in usable if piece.stage != IN_BED))
    starts_s, ends_s = [bed.start_s for bed in beds], [bed.end_s for bed in beds]
    found, taken = [], set[int]()
    for group in groups:
        first = bisect_right(ends_s, group[0].start_s)
        last = bisect_left(starts_s, group[-1].end_s)
        touching = range(first, last)
        taken.update(touching)
        found.append(_sleep(group, [beds[at] for at in touching]))
    return found + [_sleep(group, group) for group in apart(b for at, b in enumerate(beds) if at not in taken)]


def _timeline(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces one after the other; each moment is in the deepest stage that is said of it."""
    edges = sorted((at_s, depth, step, piece.zone) for piece in pieces for at_s, depth, step in _edges(piece))
    open_now = [0] * len(DEPTHS)
    found: list[Piece] = []
    before_s = 0.0
    for at_s, depth, step, zone in edges:
        deepest = next((place for place, count in enumerate(open_now) if count), None)
        if deepest is not None and at_s > before_s:
            _append(found, Piece(start_s=before_s, end_s=at_s, stage=DEPTHS[deepest], zone=zone))
        open_now[depth] += step
        before_s = at_s
    return found


def _edges(piece: Piece) -> tuple[tuple[float, int, int], tuple[float, int, int]]:
    depth = DEPTHS.index(piece.stage)
    return (piece.start_s, depth, 1), (piece.end_s, depth, -1)


def _append(found: list[Piece], piece: Piece) -> None:
    last = found[-1] if found else None
    if last and last.end_s == piece.start_s and (last.stage, last.zone) == (piece.stage, piece.zone):
        found[-1] = replace(last, end_s=piece.end_s)
    else:
        found.append(piece)


def apart(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Return pieces, given by their starts, in groups that lie hours apart."""
    groups: list[list[Piece]] = []
    until_s = float("-inf")
    for piece in pieces:
        if piece.start_s - until_s > APART_S:
            groups.append([])
        groups[-1].append(piece)
        until_s = max(until_s, piece.end_s)
    return groups


def _sleep(group: Sequence[Piece], beds: Sequence[Piece]) -> Sleep:
    seconds: dict[str, float] = {}
    for piece in group:
        if piece.stage != IN_BED:
            seconds[piece.stage] = seconds.get(piece.stage, 0.0) + piece.end_s - piece.start_s
    return Sleep(
        start_s=group[0].start_s,
        end_s=group[-1].end_s,
        seconds=seconds,
        bed_s=sum(bed.end_s - bed.start_s for bed in beds),
        pieces=tuple(dict.fromkeys([*group, *beds])),
    )


def _is_night(sleep: Sleep) -> bool:
    length_s = sleep.asleep_s or sleep.bed_s
    if length_s >= NIGHT_S:
        return True
    middle = datetime.fromtimestamp((sleep.start_s + sleep.end_s) / 2, _zone(sleep.pieces[0].zone))
    return length_s > 0 and (middle.hour >= NIGHT_HOURS[0] or middle.hour < NIGHT_HOURS[1])


def _night(provider: str, sleep: Sleep) -> Night:
    last = max(sleep.pieces, key=lambda piece: (piece.stage != IN_BED, piece.end_s))
    zone = _zone(last.zone)
    start_at = datetime.fromtimestamp(sleep.start_s, UTC)
    end = datetime.fromtimestamp(sleep.end_s, zone)
    return Night(
        provider=provider,
        wake_date=end.date(),
        start_at=start_at,
        end_at=end.astimezone(UTC),
        time_zone=last.zone,
        utc_offset_min=round((end.utcoffset() or timedelta()).total_seconds() / 60),
        asleep_min=sleep.asleep_s / 60 if sleep.asleep_s else None,
        in_bed_min=sleep.bed_s / 60 if sleep.bed_s else None,
        stages={stage: length / 60 for stage, length in sleep.seconds.items() if stage != ASLEEP},
        pieces=tuple(
            (piece.start_s - sleep.start_s, piece.end_s - piece.start_s, piece.stage) for piece in sleep.pieces
        ),
    )


@cache
def _zone(name: str) -> tzinfo:
    if name.startswith("UTC") and len(name) == len("UTC+02:00"):
        hours, minutes = name[4:].split(":")
        shift = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(-shift if name[3] == "-" else shift)
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC

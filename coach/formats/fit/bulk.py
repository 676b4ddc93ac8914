"""Turns the messages that were set apart into samples, all of one definition at once."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coach.formats.fit import apps, fields, rows, rr
from coach.formats.fit.definition import HR, HRV, RECORD, Declined, Group
from coach.formats.fit.walk import Outline
from coach.formats.recording import Array
from coach.formats.samples import Samples

UNDATED = 0xFFFFFFFF
Offsets = NDArray[np.int64]
Defined = tuple[Group, Any]  # with the decoder's own definition


def fill(
    samples: Samples, intervals: rr.Intervals, data: bytes, outline: Outline, definitions: Sequence[Any]
) -> tuple[int, int]:
    """Add what was set apart of one file; return how many records there are, and how many without a time.

    Raises Declined where the decoder itself must read the file.
    """
    defined = list(_defined(outline, definitions))
    view = np.frombuffer(data, dtype=np.uint8)
    _check(view, outline)
    records = [(group, definition) for group, definition in defined if group.number == RECORD and group.offsets]
    at, order = _in_order([group.places() for group, _ in records])
    at_s, columns = _table(view, records, at=order)
    if outline.compressed:
        at_s = _compressed(view, outline, at=at, at_s=at_s)
    dated = ~np.isnan(at_s)
    samples.extend(at_s[dated], {name: values[dated] for name, values in columns.items()})
    _beats(view, defined, intervals, dated_at=at[dated])
    return len(at), int(len(at) - dated.sum())


def _defined(outline: Outline, definitions: Sequence[Any]) -> Iterator[Defined]:
    """Yield each group with the decoder's definition of it; all sizes must be those that the walk took them for."""
    seen: set[int] = set()
    for group, definition in zip(outline.written, definitions, strict=True):
        for _ in fields.placed(definition):
            pass
        if id(group) not in seen:
            seen.add(id(group))
            yield group, definition


def _check(view: NDArray[np.uint8], outline: Outline) -> None:
    """Raise Declined where what the decoder was left with depends on what it was not shown."""
    for group in outline.groups.values():
        at = group.places()
        if group.kept and outline.compressed and (view[at] & 0x80).any():
            raise Declined
        if group.number == HR and group.dated_at and (_times(view, group, at) == UNDATED).any():
            raise Declined  # the beats count from the last time that was told


def _in_order(offsets: Sequence[Offsets]) -> tuple[Offsets, list[Offsets]]:
    """Return all places in the order of the file, and for those of each group where in it they come."""
    every = np.concatenate([np.empty(0, dtype=np.int64), *offsets])
    order = np.argsort(every, kind="stable")
    rank = np.empty(len(every), dtype=np.int64)
    rank[order] = np.arange(len(every))
    ends = np.cumsum([len(places) for places in offsets], dtype=np.int64)
    return every[order], np.split(rank, ends[:-1]) if len(offsets) else []


def _table(
    view: NDArray[np.uint8], records: Sequence[Defined], *, at: Sequence[Offsets]
) -> tuple[Array, dict[str, Array]]:
    """Return time and columns of all records; of several fields for one stream the last that was measured counts."""
    length = sum(len(places) for places in at)
    at_s, columns = np.full(length, np.nan), dict[str, Array]()
    accumulating = 0
    for (group, definition), places in zip(records, at, strict=True):
        accumulating += _accumulates(definition)
        if accumulating > 1:
            raise Declined
        offsets = group.places()
        for column in fields.columns(view, group, offsets, definition, wanted=_wanted):
            name, factor = apps.stream(column.field) if column.is_app else (_stream(column.field.name), 1.0)
            known = ~np.isnan(column.values)
            if name == rows.TIMESTAMP:
                at_s[places[known]] = column.values[known]
            elif name:
                target = columns.setdefault(name, np.full(length, np.nan))
                target[places[known]] = column.values[known] * factor
    return at_s, columns


def _wanted(field: Any, is_app: bool) -> bool:
    return bool(apps.stream(field)[0] if is_app else _stream(field.name))


def _stream(name: str) -> str:
    return name if name == rows.TIMESTAMP else rows.FIELDS.get(name, "")


def _accumulates(definition: Any) -> bool:
    known = [field.field for field in definition.field_defs if field.field is not None]
    return any(part.accumulate and _stream(part.name) for field in known for part in field.components or ())


def _times(view: NDArray[np.uint8], group: Group, offsets: Offsets) -> NDArray[Any]:
    return fields.raw(view, group, offsets, at=group.dated_at, kind=0x86)


def _compressed(view: NDArray[np.uint8], outline: Outline, *, at: Offsets, at_s: Array) -> Array:
    """Return the times of the records, those too that have the lowest five bits in their header only."""
    known: dict[int, float] = {}
    base = 0
    for offset, time, low in _clock(view, outline):
        if time != UNDATED:
            base = time
        if low >= 0:
            base += (low - base) % 32
            known[offset] = float(base)
    return np.array([known.get(int(offset), before) for offset, before in zip(at, at_s, strict=True)])


def _clock(view: NDArray[np.uint8], outline: Outline) -> Iterator[tuple[int, int, int]]:
    """Yield every message that tells the time: its place, its own time, and the five bits of its header or -1."""
    told: list[tuple[int, int, int]] = []
    for group in outline.groups.values():
        offsets = group.places()
        heads = view[offsets].astype(np.int64)
        low = np.where(heads & 0x80, heads & 0x1F, -1)
        times = _times(view, group, offsets).astype(np.int64) if group.dated_at else np.full(len(offsets), UNDATED)
        tells = (low >= 0) | (times != UNDATED)
        told += zip(offsets[tells].tolist(), times[tells].tolist(), low[tells].tolist(), strict=True)
    yield from sorted(told)


def _beats(view: NDArray[np.uint8], defined: Sequence[Defined], intervals: rr.Intervals, *, dated_at: Offsets) -> None:
    """Add the intervals between beats in the order of the file."""
    places, found = [np.empty(0, dtype=np.int64)], [np.empty(0)]
    for group, definition in defined:
        if group.number == HRV and group.offsets:
            offsets = group.places()
            offsets = offsets[: rr.LARGEST // group.size + 1]
            for values in fields.lists(view, group, offsets, definition, name=rr.FIELD):
                places.append(np.repeat(offsets, values.shape[1]))
                found.append(values.reshape(-1))
    every = np.concatenate(places)
    order = np.argsort(every, kind="stable")
    intervals.extend(np.searchsorted(dated_at, every[order]), np.concatenate(found)[order])

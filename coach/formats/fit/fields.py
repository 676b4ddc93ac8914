"""Decodes one field of many messages at once, to the values that the decoder gives one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from coach.formats.fit.definition import Declined, Group
from coach.formats.recording import Array

BYTE, STRING = 0x0D, 0x07
# How the base types lie in the file, and the value that means "not measured" (None: NaN does).
TYPES: dict[int, tuple[str, int | None]] = {
    0x00: ("u1", 0xFF),
    0x01: ("i1", 0x7F),
    0x02: ("u1", 0xFF),
    0x83: ("i2", 0x7FFF),
    0x84: ("u2", 0xFFFF),
    0x85: ("i4", 0x7FFFFFFF),
    0x86: ("u4", 0xFFFFFFFF),
    0x88: ("f4", None),
    0x89: ("f8", None),
    0x0A: ("u1", 0),
    0x8B: ("u2", 0),
    0x8C: ("u4", 0),
}
PACKED_BYTES = 3  # speed and distance in twelve bits each
Wanted = Callable[[Any, bool], bool]  # says of a field of the profile, or (True) of an app, whether it is of use


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The values of one field, one a message; NaN where it holds no number."""

    field: Any  # the decoder's own description of it
    is_app: bool
    values: Array


def placed(definition: Any) -> Iterator[tuple[Any, int]]:
    """Yield each field of a definition and where in the message it begins; raises Declined for cut ones."""
    at = 1
    for field in definition.all_field_defs:
        if field.size % field.base_type.size:
            raise Declined  # the decoder leaves the rest of it to the next field
        yield field, at
        at += field.size


def raw(data: NDArray[np.uint8], group: Group, offsets: NDArray[np.int64], *, at: int, kind: int) -> NDArray[Any]:
    """Return the numbers as they lie in the messages."""
    code = np.dtype(TYPES[kind][0]).newbyteorder(">" if group.big_endian else "<")
    return sliding_window_view(data, code.itemsize)[offsets + at].view(code).reshape(-1)


def measured(numbers: NDArray[Any], *, kind: int) -> NDArray[np.bool_]:
    invalid = TYPES[kind][1]
    found: NDArray[np.bool_] = ~np.isnan(numbers) if invalid is None else numbers != invalid
    return found


def columns(
    data: NDArray[np.uint8], group: Group, offsets: NDArray[np.int64], definition: Any, *, wanted: Wanted
) -> Iterator[Column]:
    """Yield the columns in the order in which the decoder lists the fields of a message."""
    for field, at in placed(definition):
        kind, known = field.base_type.identifier, field.field
        parts = () if known is None else known.components or ()
        several = field.size != field.base_type.size
        if parts and (kind == STRING or (several and kind != BYTE)):
            raise Declined  # the decoder fails on some values of it
        if known is None or kind == STRING or not _concerns(field, wanted=wanted):
            continue
        if kind == BYTE or several:
            if parts:
                yield from _packed(data, group, offsets, field, at=at, definition=definition)
            continue
        if kind not in TYPES or known.subfields:
            raise Declined
        numbers = raw(data, group, offsets, at=at, kind=kind)
        known_rows = measured(numbers, kind=kind)
        for part in parts:
            if part.accumulate:
                raise Declined
            target = definition.mesg_type.fields[part.def_num]
            yield _column(target, _bits(numbers, part), known_rows, scaled_by=part)
        yield _column(known, numbers, known_rows, scaled_by=known, is_app=field.is_dev)


def _concerns(field: Any, *, wanted: Wanted) -> bool:
    return wanted(field.field, field.is_dev) or any(wanted(part, False) for part in field.field.components or ())


def _bits(numbers: NDArray[Any], part: Any) -> NDArray[Any]:
    if numbers.dtype.kind == "f":
        return numbers
    bits: NDArray[np.int64] = (numbers.astype(np.int64) >> part.bit_offset) & ((1 << part.bits) - 1)
    return bits


def _column(
    field: Any, numbers: NDArray[Any], known: NDArray[np.bool_], *, scaled_by: Any, is_app: bool = False
) -> Column:
    values = np.where(known, numbers.astype(np.float64), np.nan)
    words = getattr(field.type, "enum", None)
    if words:
        values[np.isin(numbers, [number for number in words if isinstance(number, int)])] = np.nan
    if scaled_by.scale:
        values = values / scaled_by.scale
    if scaled_by.offset:
        values = values - scaled_by.offset
    return Column(field=field, is_app=is_app, values=values)


def _packed(
    data: NDArray[np.uint8], group: Group, offsets: NDArray[np.int64], field: Any, *, at: int, definition: Any
) -> Iterator[Column]:
    """Yield what old watches pack into three bytes: speed, and a distance that counts on from message to message."""
    if field.size != PACKED_BYTES:
        raise Declined
    triples = sliding_window_view(data, PACKED_BYTES)[offsets + at].astype(np.int64)
    known = (triples != 0xFF).any(axis=1)
    numbers = triples @ np.array([1, 1 << 8, 1 << 16])
    for part in field.field.components:
        bits = _bits(numbers, part)
        if part.accumulate:
            # Where the definition is repeated, the decoder counts from zero again.
            for begin, end in pairwise(np.searchsorted(offsets, [*group.defined, offsets[-1] + 1])):
                bits[begin:end][known[begin:end]] = _carried(bits[begin:end][known[begin:end]], bits=part.bits)
        yield _column(definition.mesg_type.fields[part.def_num], bits, known, scaled_by=part)


def _carried(counts: NDArray[np.int64], *, bits: int) -> NDArray[np.int64]:
    """Return counts that went on when their few bits began anew."""
    fell = np.diff(counts, prepend=np.int64(0)) < 0
    return counts + (np.cumsum(fell) << bits)


def lists(
    data: NDArray[np.uint8], group: Group, offsets: NDArray[np.int64], definition: Any, *, name: str
) -> Iterator[Array]:
    """Yield the values of a field that holds several a message: one row a message, NaN where it holds no number."""
    for field, at in placed(definition):
        if field.is_dev or field.field is None or field.field.name != name or field.base_type.identifier == STRING:
            continue
        kind, size = field.base_type.identifier, field.base_type.size
        if kind not in TYPES:
            raise Declined
        every = (offsets[:, None] + np.arange(0, field.size, size)).reshape(-1)
        numbers = raw(data, group, every, at=at, kind=kind)
        column = _column(field.field, numbers, measured(numbers, kind=kind), scaled_by=field.field)
        yield column.values.reshape(len(offsets), -1)

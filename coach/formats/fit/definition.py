"""Reads the definitions of FIT messages as far as it takes to walk from one message to the next."""

from array import array
from dataclasses import dataclass, field

import numpy as np
from fitdecode import profile
from numpy.typing import NDArray

RECORD, HRV, HR = 20, 78, 132
DESCRIBING = frozenset({206, 207})  # what the fields of apps are
SET_APART = frozenset({RECORD, HRV})
FIXED_BYTES = 6
TIMESTAMP, EVENT_TIMESTAMP = 253, 9
UINT32, UINT32_BYTES, UNDATED = 0x86, 4, b"\xff" * 4
APP = -1  # in place of a base type: the app's description has it


class Declined(Exception):
    """The bytes hold something that only the decoder itself can tell, so it has to read them all."""


@dataclass(slots=True, kw_only=True)
class Group:
    """The data messages of one definition."""

    number: int  # of their kind, in the profile
    big_endian: bool
    size: int  # bytes of a message with its header; 0: the decoder fails on it
    fields: int
    kept: bool  # left for the decoder
    describes: bool
    dated_at: int  # where in a message its time stands, 0: nowhere
    needs_time: bool  # it counts from the time of whatever message came before
    defined: "array[int]" = field(default_factory=lambda: array("q"))  # where
    offsets: "array[int]" = field(default_factory=lambda: array("q"))

    def places(self) -> NDArray[np.int64]:
        """Return where its messages are."""
        return np.frombuffer(self.offsets, dtype=np.int64) if self.offsets else np.empty(0, dtype=np.int64)


def size(data: bytes, at: int, end: int) -> int:
    """Return the length of the definition at this place, 0 when it goes beyond the end."""
    if at + FIXED_BYTES > end:
        return 0
    length = FIXED_BYTES + 3 * data[at + 5]
    if data[at] & 0x20:
        if at + length >= end:
            return 0
        length += 1 + 3 * data[at + length]
    return length if at + length <= end else 0


def group(definition: bytes) -> Group:
    """Return the group of a definition; raises Declined when its times are not as everybody writes them."""
    big_endian = definition[2] != 0
    number = int.from_bytes(definition[3:5], "big" if big_endian else "little")
    fields = _fields(definition)
    sizes = [length for _, length, _ in fields]
    return Group(
        number=number,
        big_endian=big_endian,
        size=0 if 0 in sizes else 1 + sum(sizes),
        fields=1 + len(fields),
        kept=number in profile.MESSAGE_TYPES and number not in SET_APART,
        describes=number in DESCRIBING,
        dated_at=_dated_at(fields),
        needs_time=_needs_time(number, fields),
    )


def _fields(definition: bytes) -> list[tuple[int, int, int]]:
    """Return number, size and base type of each field, those of apps last."""
    count = definition[5]
    own = definition[FIXED_BYTES : FIXED_BYTES + 3 * count]
    apps = definition[FIXED_BYTES + 3 * count + 1 :]
    found = [(own[index], own[index + 1], own[index + 2]) for index in range(0, len(own), 3)]
    return found + [(apps[index], apps[index + 1], APP) for index in range(0, len(apps), 3)]


def _dated_at(fields: list[tuple[int, int, int]]) -> int:
    at, found = 1, 0
    for kind, length, base in fields:
        if kind == TIMESTAMP:
            if found or base != UINT32 or length != UINT32_BYTES:
                raise Declined
            found = at
        at += length
    return found


def _needs_time(number: int, fields: list[tuple[int, int, int]]) -> bool:
    kinds = [kind for kind, _, base in fields if base != APP]
    if number != HR or EVENT_TIMESTAMP not in kinds:
        return False
    return TIMESTAMP not in kinds[: kinds.index(EVENT_TIMESTAMP)]

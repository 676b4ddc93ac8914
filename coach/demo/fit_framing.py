"""Frames FIT messages into a file: header, definitions, data and both checksums."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from coach.demo.fit_messages import MESSAGES, Field

Column = float | str | NDArray[np.float64]
Columns = Mapping[str, Column]
Rows = NDArray[np.void]

PROTOCOL = 0x10
PROFILE = 2132


def _crc_table() -> tuple[int, ...]:
    entries = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xA001 if crc & 1 else 0)
        entries.append(crc)
    return tuple(entries)


_CRC_TABLE = _crc_table()


def crc16(data: bytes, *, start: int = 0) -> int:
    """Return the CRC-16 (reflected 0x8005) that FIT puts at the end of its header and of the file."""
    crc, table = start, _CRC_TABLE
    for byte in data:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc


def rows(message: str, *, columns: Columns) -> Rows:
    """Return the columns as packed rows of this message; NaN becomes the base type's "not measured"."""
    fields = MESSAGES[message].fields
    count = max((len(column) for column in columns.values() if isinstance(column, np.ndarray)), default=1)
    packed = np.zeros(count, dtype=[(name, _dtype(fields[name], column)) for name, column in columns.items()])
    for name, column in columns.items():
        packed[name] = column.encode() if isinstance(column, str) else _stored(fields[name], column)
    return packed


def _dtype(field: Field, column: Column) -> str:
    # One byte more than the text: FIT strings end with a zero.
    return f"S{len(column.encode()) + 1}" if isinstance(column, str) else field.base.dtype


def _stored(field: Field, column: float | NDArray[np.float64]) -> NDArray[np.float64]:
    value = np.rint((np.asarray(column, dtype=np.float64) + field.offset) * field.scale)
    return np.where(np.isnan(value), field.base.invalid, value)


class FitFile:
    """Collects rows of messages as they are written; each is defined when its columns first appear."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._locals: dict[tuple[str, np.dtype[np.void]], int] = {}

    def write(self, message: str, packed: Rows) -> None:
        local = self._locals.get((message, packed.dtype))
        if local is None:
            local = self._locals[message, packed.dtype] = len(self._locals)
            self._parts.append(_definition(local, message=message, dtype=packed.dtype))
        body = packed.view("u1").reshape(len(packed), packed.dtype.itemsize)
        headed = np.concatenate([np.full((len(packed), 1), local, dtype="u1"), body], axis=1)
        self._parts.append(headed.tobytes())

    def put(self, message: str, **columns: Column) -> None:
        self.write(message, rows(message, columns=columns))

    def finish(self) -> bytes:
        body = b"".join(self._parts)
        header = bytes((14, PROTOCOL)) + PROFILE.to_bytes(2, "little") + len(body).to_bytes(4, "little") + b".FIT"
        header += crc16(header).to_bytes(2, "little")
        return header + body + crc16(header + body).to_bytes(2, "little")


def _definition(local: int, *, message: str, dtype: np.dtype[np.void]) -> bytes:
    names = dtype.names or ()
    kind = MESSAGES[message]
    head = bytes((0x40 | local, 0, 0)) + kind.number.to_bytes(2, "little") + bytes((len(names),))
    return head + b"".join(_field_definition(kind.fields[name], dtype[name].itemsize) for name in names)


def _field_definition(field: Field, size: int) -> bytes:
    return bytes((field.number, size, field.base.code))

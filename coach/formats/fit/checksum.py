"""The checksum at the end of a FIT file; the decoder's own takes twice as long as decoding."""

from collections.abc import Iterator

import numpy as np

POLYNOMIAL = 0xA001  # CRC-16/ARC, reflected
CHUNK_BYTES = 1 << 16  # even, so that no pair is torn
LARGEST_BYTES = 20_000_000  # beyond, checking takes seconds and changes nothing


def _table(bits: int) -> list[int]:
    """Return what becomes of each remainder when that many zero bits pass."""
    values = np.arange(1 << 16, dtype=np.uint16)
    for _ in range(bits):
        values = np.where(values & 1, values >> 1 ^ POLYNOMIAL, values >> 1).astype(np.uint16)
    found: list[int] = values.tolist()
    return found


PAIR = _table(16)  # two bytes at a time halve the time
SINGLE = _table(8)


def crc(data: bytes) -> int:
    """Return the checksum of the bytes."""
    value, table = 0, PAIR
    for at in range(0, len(data) - 1, CHUNK_BYTES):
        size = min(CHUNK_BYTES, len(data) - at)
        for pair in np.frombuffer(data, dtype="<u2", count=size // 2, offset=at).tolist():
            value = table[value ^ pair]
    return SINGLE[value ^ data[-1]] if len(data) % 2 else value


def offsets(data: bytes) -> Iterator[int]:
    """Yield where each of the chained files begins."""
    offset = 0
    while offset + 12 <= len(data):
        yield offset
        offset = _end(data, offset) + 2


def holds(data: bytes, *, offset: int) -> bool:
    """Say whether the checksum of the file at this offset is right; true when there is none to check."""
    end = _end(data, offset)
    if end + 2 > len(data) or end - offset > LARGEST_BYTES:
        return True
    return crc(data[offset:end]) == int.from_bytes(data[end : end + 2], "little")


def _end(data: bytes, offset: int) -> int:
    return offset + data[offset] + int.from_bytes(data[offset + 4 : offset + 8], "little")

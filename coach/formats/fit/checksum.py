"""The checksum at the end of a FIT file; the decoder's own takes twice as long as decoding."""

from collections.abc import Iterator

POLYNOMIAL = 0xA001  # CRC-16/ARC, reflected
LARGEST_BYTES = 20_000_000  # beyond, checking takes seconds and changes nothing


def _entry(value: int) -> int:
    for _ in range(8):
        value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
    return value


TABLE = tuple(_entry(value) for value in range(256))


def crc(data: bytes) -> int:
    value = 0
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 0xFF]
    return value


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

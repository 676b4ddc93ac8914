"""Packs streams without loss: whole numbers where a stream is one, differences, then compression."""

import lzma
import struct
import zlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array

Whole = NDArray[np.int64]

FIRST, MAGIC = b"CS1", b"CS2"  # the first version has no series and is still read
HEAD = struct.Struct("<3sIB")  # magic, samples, streams
SERIES_HEAD = struct.Struct("<B")  # series; since the second version
LENGTH = struct.Struct("<I")  # values of a series
STREAM = struct.Struct("<BBBB")  # length of the name, ratio, precision, how often differenced
BLOCK = struct.Struct("<BBI")  # bytes a value, compressor, length
NO_SERIES: Mapping[str, Array] = MappingProxyType({})

# A value is whole * numerator / denominator. The place in the table is stored: only ever append.
RATIOS = (
    (1, 1),
    (1, 2),
    (1, 10),
    (1, 16),
    (1, 100),
    (1, 128),
    (1, 256),
    (1, 1000),
    (180, 2**31),  # semicircles in degrees
    (1, 10**4),
    (1, 10**5),
    (1, 10**6),
    (1, 10**7),
    (1, 10**8),
    (1, 10**10),
)
BITS = 255  # in place of a ratio: the wholes are the bits of the floats themselves
DOUBLE, SINGLE = 0, 1  # many files hold a decimal that once was a float of four bytes
LARGEST_WHOLE = 2.0**53
PROBE = 64
FILTERS = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0, "mode": lzma.MODE_NORMAL}]
ZLIB, LZMA = 0, 1  # LZMA is read only: it made 5 % less of the bytes and took ten times as long
STRATEGIES = (zlib.Z_FILTERED, zlib.Z_RLE)  # for small numbers at random, and for long runs


def pack(streams: Mapping[str, Array], *, series: Mapping[str, Array] = NO_SERIES) -> bytes:
    """Return bytes that unpack to the same values, bit by bit; all streams must be equally long, series need not."""
    lengths = {len(values) for values in streams.values()}
    if len(lengths) > 1:
        raise ValueError("The streams of a recording have one value a sample.")
    parts = [HEAD.pack(MAGIC, max(lengths, default=0), len(streams)), SERIES_HEAD.pack(len(series))]
    for name, values in streams.items():
        parts += _stream(name.encode(), np.ascontiguousarray(values, dtype=np.float64))
    for name, values in series.items():
        parts.append(LENGTH.pack(len(values)))
        parts += _stream(name.encode(), np.ascontiguousarray(values, dtype=np.float64))
    return b"".join(parts)


def unpack(packed: bytes) -> dict[str, Array]:
    """Return the streams that were packed; raises ValueError for other bytes."""
    return dict(_unpacked(packed, of_series=False))


def unpack_series(packed: bytes) -> dict[str, Array]:
    """Return the series that were packed beside the streams; raises ValueError for other bytes."""
    return dict(_unpacked(packed, of_series=True))


def _unpacked(packed: bytes, *, of_series: bool) -> Iterator[tuple[str, Array]]:
    try:
        magic, samples, count = HEAD.unpack_from(packed)
        if magic not in (FIRST, MAGIC):
            raise ValueError("These bytes hold no packed streams.")
        offset, apart = HEAD.size, 0
        if magic == MAGIC:
            (apart,) = SERIES_HEAD.unpack_from(packed, offset)
            offset += SERIES_HEAD.size
        for _ in range(count):
            if of_series:
                offset = _passed(packed, offset)
                continue
            name, values, offset = _read(packed, offset, samples=samples)
            yield name, values
        for _ in range(apart if of_series else 0):
            (length,) = LENGTH.unpack_from(packed, offset)
            name, values, offset = _read(packed, offset + LENGTH.size, samples=length)
            yield name, values
    except (struct.error, zlib.error, lzma.LZMAError, IndexError, UnicodeDecodeError) as error:
        raise ValueError("The packed streams are damaged.") from error


def _read(packed: bytes, offset: int, *, samples: int) -> tuple[str, Array, int]:
    """Return name and values of the stream at this place, and where the next one begins."""
    size, ratio, precision, order = STREAM.unpack_from(packed, offset)
    offset += STREAM.size
    name = packed[offset : offset + size].decode()
    gaps, offset = _unblock(packed, offset + size, samples=-(-samples // 8))
    missing = np.unpackbits(gaps.astype(np.uint8), count=samples).astype(bool)
    wholes, offset = _unblock(packed, offset, samples=int(samples - missing.sum()))
    values = np.full(samples, np.nan)
    values[~missing] = _values(_summed(_unzigzag(wholes), order), ratio=ratio, precision=precision)
    return name, values, offset


def _passed(packed: bytes, offset: int) -> int:
    """Return where the stream behind the one at this place begins."""
    offset += STREAM.size + STREAM.unpack_from(packed, offset)[0]
    for _ in ("gaps", "values"):
        offset += BLOCK.size + BLOCK.unpack_from(packed, offset)[2]
    return offset


def _stream(name: bytes, values: Array) -> Iterator[bytes]:
    missing = np.isnan(values)
    if (values[missing].view(np.uint64) != np.array(np.nan).view(np.uint64)).any():
        missing[:] = False  # NaNs that carry bits of their own are kept as they are
    ratio, precision, wholes = _exact(values[~missing])
    order, differences = _differenced(wholes)
    yield STREAM.pack(len(name), ratio, precision, order)
    yield name
    yield _block(np.packbits(missing).astype(np.uint64))
    yield _block(differences)


def _exact(values: Array) -> tuple[int, int, Whole]:
    """Return the first ratio and precision that give every value back exactly, and its whole numbers."""
    for precision in (DOUBLE, SINGLE):
        for ratio in range(len(RATIOS)):
            if _wholes(values[:PROBE], ratio=ratio, precision=precision) is None:
                continue
            wholes = _wholes(values, ratio=ratio, precision=precision)
            if wholes is not None:
                return ratio, precision, wholes
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if _same(single.astype(np.float64), values):
        return BITS, SINGLE, single.view(np.int32).astype(np.int64)
    return BITS, DOUBLE, values.view(np.int64)


def _wholes(values: Array, *, ratio: int, precision: int) -> Whole | None:
    """Return the whole numbers behind the values, None when there are none that give every value back."""
    numerator, denominator = RATIOS[ratio]
    with np.errstate(over="ignore"):
        scaled = np.rint(values * denominator / numerator)
    if not (np.abs(scaled) * numerator < LARGEST_WHOLE).all():
        return None
    wholes = scaled.astype(np.int64)
    return wholes if _same(_values(wholes, ratio=ratio, precision=precision), values) else None


def _values(wholes: Whole, *, ratio: int, precision: int) -> Array:
    if ratio == BITS:
        return wholes.astype(np.int32).view(np.float32).astype(np.float64) if precision else wholes.view(np.float64)
    numerator, denominator = RATIOS[ratio]
    values = wholes * numerator / denominator
    return values.astype(np.float32).astype(np.float64) if precision == SINGLE else values


def _same(left: Array, right: Array) -> bool:
    return bool((left.view(np.int64) == right.view(np.int64)).all())


def _differenced(wholes: Whole) -> tuple[int, NDArray[np.uint64]]:
    """Return how often to difference and the result, zigzagged; the sums wrap around in 64 bits and back."""
    candidates = [wholes]
    for _ in range(2):
        candidates.append(np.diff(candidates[-1], prepend=np.int64(0)))
    folded = [_zigzag(candidate) for candidate in candidates]
    costs = [float(np.log2(candidate.astype(np.float64) + 1).sum()) for candidate in folded]
    best = int(np.argmin(costs))
    return best, folded[best]


def _summed(differences: Whole, order: int) -> Whole:
    for _ in range(order):
        differences = np.cumsum(differences)
    return differences


def _zigzag(wholes: Whole) -> NDArray[np.uint64]:
    return ((wholes << 1) ^ (wholes >> 63)).view(np.uint64)


def _unzigzag(folded: NDArray[np.uint64]) -> Whole:
    return (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)


def _block(values: NDArray[np.uint64]) -> bytes:
    """Return the values byte plane by byte plane, without the planes that are zero, compressed."""
    width = (int(values.max(initial=0)).bit_length() + 7) // 8
    planes = values.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :width].T.tobytes()
    packed = min((_deflated(planes, strategy=strategy) for strategy in STRATEGIES), key=len)
    return BLOCK.pack(width, ZLIB, len(packed)) + packed


def _deflated(planes: bytes, *, strategy: int) -> bytes:
    stream = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    return stream.compress(planes) + stream.flush()


def _unblock(packed: bytes, offset: int, *, samples: int) -> tuple[NDArray[np.uint64], int]:
    width, compressor, length = BLOCK.unpack_from(packed, offset)
    begin, end = offset + BLOCK.size, offset + BLOCK.size + length
    body = packed[begin:end]
    planes = lzma.decompress(body, lzma.FORMAT_RAW, filters=FILTERS) if compressor == LZMA else zlib.decompress(body)
    if len(planes) != width * samples or width > 8:
        raise ValueError("The packed streams are damaged.")
    values = np.zeros((samples, 8), dtype=np.uint8)
    values[:, :width] = np.frombuffer(planes, dtype=np.uint8).reshape(width, samples).T
    return values.view("<u8").reshape(-1).astype(np.uint64), end

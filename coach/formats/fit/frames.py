"""Reads the messages of a FIT file, as far as they can be read."""

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import fitdecode

from coach.formats.fit import checksum, rows
from coach.formats.samples import Samples

Message = Mapping[str, Any]

KEPT = frozenset(
    {"file_id", "session", "lap", "event", "device_info", "activity", "sport", "length", "hr", "zones_target"}
)
LARGEST_KIND = 20_000  # messages of one kind; a week of laps and events has fewer
LARGEST_FRAMES = 1_000_000
LARGEST_PARTS = 100  # FIT files behind each other
HEADER_SIZES = (12, 14)
# What the decoder raises on damaged bytes. Whatever came before is whole.
DAMAGE = (
    fitdecode.FitError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    struct.error,
)


@dataclass(slots=True, kw_only=True)
class Part:
    """One FIT file of possibly several behind each other."""

    messages: dict[str, list[Message]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    samples: Samples = field(default_factory=Samples)  # at the device's own seconds
    undated: int = 0  # records without a time
    broken: bool = False
    checksum_wrong: bool = False

    def all(self, kind: str) -> list[Message]:
        return self.messages.get(kind, [])

    def first(self, kind: str) -> Message:
        return next(iter(self.all(kind)), {})


def parts(data: bytes) -> list[Part]:
    """Return what each FIT file in the bytes holds; reading ends where the bytes are damaged."""
    found: list[Part] = []
    data = _closed(data)
    offsets = checksum.offsets(data)
    try:
        for frame in _frames(data):
            if frame.frame_type == fitdecode.FIT_FRAME_HEADER:
                if len(found) >= LARGEST_PARTS:
                    break
                found.append(Part(broken=True, checksum_wrong=not checksum.holds(data, offset=next(offsets, 0))))
            elif frame.frame_type == fitdecode.FIT_FRAME_CRC:
                found[-1].broken = False
            elif frame.frame_type == fitdecode.FIT_FRAME_DATA:
                _take(frame, part=found[-1])
    except DAMAGE:
        pass  # the last part stays marked as broken
    return _with_strap(found)


def _with_strap(found: list[Part]) -> list[Part]:
    """Give the beats of a heart rate strap, which some watches chain behind the swim, to the swim."""
    joined: list[Part] = []
    for part in found:
        if joined and part.all("hr") and not part.all("session") and len(part.samples) == 0:
            joined[-1].messages.setdefault("hr", []).extend(part.all("hr"))
        else:
            joined.append(part)
    return joined


def _frames(data: bytes) -> Iterator[Any]:
    with fitdecode.FitReader(
        data,
        processor=None,
        check_crc=fitdecode.CrcCheck.DISABLED,
        error_handling=fitdecode.ErrorHandling.IGNORE,
    ) as reader:
        for count, frame in enumerate(reader):
            if count >= LARGEST_FRAMES:
                return
            yield frame


def _closed(data: bytes) -> bytes:
    """Return the file with its size filled in: a device that died while recording leaves zero there."""
    size = int.from_bytes(data[4:8], "little")
    if size == 0 and data[0] in HEADER_SIZES and len(data) > data[0]:
        # The header's own checksum is over the size; zero means that there is none.
        head = data[:4] + (len(data) - data[0]).to_bytes(4, "little") + data[8:12]
        return head + bytes(data[0] - 12) + data[data[0] :]
    return data


def _take(frame: Any, *, part: Part) -> None:
    kind = frame.name
    part.counts[kind] += 1
    if kind == "record":
        at_s, values = rows.row(frame)
        if at_s is None:
            part.undated += 1
        else:
            part.samples.add(at_s, values)
    elif kind in KEPT and part.counts[kind] <= LARGEST_KIND:
        part.messages.setdefault(kind, []).append(_message(frame))


def _message(frame: Any) -> Message:
    """Return the fields that hold something; a field that may come several times is a list."""
    message: dict[str, Any] = {}
    for item in frame.fields:
        if item.value is None:
            continue
        if item.name == "event_timestamp":
            message.setdefault(item.name, []).append(item.value)
        else:
            message.setdefault(item.name, item.value)
    return message

"""Reads the messages of a FIT file, as far as they can be read."""

import io
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import fitdecode

from coach.formats.fit import bulk, checksum, rows, rr, walk
from coach.formats.fit.definition import SET_APART, Declined
from coach.formats.samples import Samples

Message = Mapping[str, Any]

KEPT = frozenset(
    {"file_id", "session", "lap", "event", "device_info", "activity", "sport", "length", "hr", "zones_target"}
)
LARGEST_FIELDS = 1_000_000  # what the decoder reads in a few seconds
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
    samples: Samples = field(default_factory=Samples)  # at the device's own seconds, as the file counts
    intervals: rr.Intervals = field(default_factory=rr.Intervals)
    undated: int = 0  # records without a time
    broken: bool = False
    checksum_wrong: bool = False

    def all(self, kind: str) -> list[Message]:
        return self.messages.get(kind, [])

    def first(self, kind: str) -> Message:
        return next(iter(self.all(kind)), {})


def parts(data: bytes) -> list[Part]:
    """Return what each FIT file in the bytes holds; reading ends where the bytes are damaged."""
    data = closed(data)
    try:
        found = in_bulk(data)
    except Declined:
        found = decoded(data)
    return with_strap(found)


def in_bulk(data: bytes) -> list[Part]:
    """Decode records and beats by numpy, everything else by the decoder; raises Declined."""
    skeleton = walk.skeleton(data)
    found: list[Part] = []
    definitions: list[list[Any]] = []
    frames = 0
    with suppress(*DAMAGE):
        for frame in _frames(skeleton.file):
            frames += 1
            if frame.frame_type == fitdecode.FIT_FRAME_HEADER:
                definitions.append([])
            elif frame.frame_type == fitdecode.FIT_FRAME_DEFINITION:
                definitions[-1].append(frame)
            if frame.frame_type != fitdecode.FIT_FRAME_DATA or frame.global_mesg_num not in SET_APART:
                _take(frame, found=found)
    if frames != skeleton.frames:
        raise Declined
    for part, outline, known in zip(found, skeleton.outlines, definitions, strict=True):
        records, part.undated = bulk.fill(part.samples, part.intervals, data, outline, known)
        part.counts["record"] = records
    return _checked(found, data)


def decoded(data: bytes) -> list[Part]:
    """Let the decoder read every message: slow, and the measure of everything faster."""
    found: list[Part] = []
    with suppress(*DAMAGE):  # the last part stays marked as broken
        fields = 0
        for frame in _frames(io.BytesIO(data)):
            _take(frame, found=found)
            fields += len(frame.fields) if frame.frame_type == fitdecode.FIT_FRAME_DATA else 1
            if fields > LARGEST_FIELDS:
                break
    return _checked(found, data)


def _checked(found: list[Part], data: bytes) -> list[Part]:
    for part, offset in zip(found, checksum.offsets(data), strict=False):
        part.checksum_wrong = not checksum.holds(data, offset=offset)
    return found


def with_strap(found: list[Part]) -> list[Part]:
    """Give the beats of a heart rate strap, which some watches chain behind the swim, to the swim."""
    joined: list[Part] = []
    for part in found:
        if joined and part.all("hr") and not part.all("session") and len(part.samples) == 0:
            joined[-1].messages.setdefault("hr", []).extend(part.all("hr"))
        else:
            joined.append(part)
    return joined


def _frames(file: io.BytesIO) -> Iterator[Any]:
    with fitdecode.FitReader(
        file,
        processor=None,
        check_crc=fitdecode.CrcCheck.DISABLED,
        error_handling=fitdecode.ErrorHandling.IGNORE,
    ) as reader:
        files = 0
        for count, frame in enumerate(reader):
            files += frame.frame_type == fitdecode.FIT_FRAME_HEADER
            if count >= walk.MOST_MESSAGES or files > walk.MOST_FILES:
                return
            yield frame


def closed(data: bytes) -> bytes:
    """Return the file with its size filled in: a device that died while recording leaves zero there."""
    size = int.from_bytes(data[4:8], "little")
    if size == 0 and data[0] in walk.HEADER_SIZES and len(data) > data[0]:
        # The header's own checksum is over the size; zero means that there is none.
        head = data[:4] + (len(data) - data[0]).to_bytes(4, "little") + data[8:12]
        return head + bytes(data[0] - 12) + data[data[0] :]
    return data


def _take(frame: Any, *, found: list[Part]) -> None:
    if frame.frame_type == fitdecode.FIT_FRAME_HEADER:
        found.append(Part(broken=True))
    elif frame.frame_type == fitdecode.FIT_FRAME_CRC:
        found[-1].broken = False
    elif frame.frame_type == fitdecode.FIT_FRAME_DATA:
        _keep(frame, part=found[-1])


def _keep(frame: Any, *, part: Part) -> None:
    kind = frame.name
    part.counts[kind] += 1
    if kind == "record":
        at_s, values = rows.row(frame)
        if at_s is None:
            part.undated += 1
        else:
            part.samples.add(at_s, values)
    elif kind == "hrv":
        part.intervals.add(frame, samples=len(part.samples))
    elif kind in KEPT and part.counts[kind] <= walk.MOST_KEPT:
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

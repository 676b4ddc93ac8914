"""Walks the messages of FIT files without decoding them, and sets apart for numpy what comes by the thousand."""

import io
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from coach.formats.fit import definition
from coach.formats.fit.definition import Declined, Group

HEADER_SIZES = (12, 14)
MOST_FILES = 100  # behind each other
MOST_MESSAGES = 1_000_000
MOST_KEPT_FIELDS = 500_000  # what the decoder reads in a few seconds
MOST_KEPT = 20_000  # messages of one kind; a week of laps and events has fewer
MOST_GROUPS = 200
FOOTER_BYTES = 2


@dataclass(slots=True, kw_only=True)
class Outline:
    """What one of the chained files consists of."""

    groups: dict[tuple[bytes, int], Group] = field(default_factory=dict)
    written: list[Group] = field(default_factory=list)  # for each definition in the skeleton
    compressed: bool = False  # some message has its time in its header
    whole: bool = False
    messages: int = 0
    kept_fields: int = 0
    kept: Counter[int] = field(default_factory=Counter)  # messages by kind
    described: int = 0  # messages so far that say what the fields of apps are


@dataclass(slots=True, kw_only=True)
class Skeleton:
    """The files without what was set apart: the decoder reads this in their place."""

    file: io.BytesIO = field(default_factory=io.BytesIO)
    outlines: list[Outline] = field(default_factory=list)
    frames: int = 0  # what the decoder must find in it


def skeleton(data: bytes) -> Skeleton:
    """Return what is left for the decoder and where the rest stands; raises Declined."""
    made = Skeleton()
    for begin, end in _files(data):
        made.outlines.append(Outline())
        _copy(data, begin, end, made=made)
        if not made.outlines[-1].whole:
            break
    made.file.seek(0)
    return made


def _files(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each of the chained files begins, and where its messages end as its header claims."""
    begin = 0
    for _ in range(MOST_FILES):
        header = data[begin : begin + max(HEADER_SIZES)]
        if len(header) < 12 or header[0] not in HEADER_SIZES or len(header) < header[0] or header[8:12] != b".FIT":
            return
        end = begin + header[0] + int.from_bytes(header[4:8], "little")
        yield begin, end
        begin = end + FOOTER_BYTES


def _copy(data: bytes, begin: int, end: int, *, made: Skeleton) -> None:
    """Copy a file with its header and footer, without what is set apart."""
    file, outline = made.file, made.outlines[-1]
    body = begin + data[begin]
    file.write(data[begin:body])
    copied_from = file.tell()
    outline.whole = _walk(data, body, end, made=made) == end and end + FOOTER_BYTES <= len(data)
    size = file.tell() - copied_from
    file.seek(copied_from - data[begin] + 4)
    file.write(struct.pack("<I", size))
    file.seek(0, io.SEEK_END)
    made.frames += 2 if outline.whole else 1
    if outline.whole:  # else the decoder misses the footer, as it misses a byte in the file itself
        file.write(data[end : end + FOOTER_BYTES])


def _walk(data: bytes, at: int, end: int, *, made: Skeleton) -> int:
    """Walk from message to message; return the end of the last one that could be read."""
    outline, write, view = made.outlines[-1], made.file.write, memoryview(data)
    active: list[Group | None] = [None] * 16  # the definition that holds for each local number
    decoder: list[Group | None] = [None] * 16  # and the one that the decoder knows of
    dated, told_at = None, 0  # the last message with a time, where the decoder has not seen it
    end, copied, left = min(end, len(data)), at, MOST_MESSAGES - sum(one.messages for one in made.outlines)
    while at < end and outline.messages < left:
        head = data[at]
        if head & 0xC0 == 0x40:
            group, size = _defined(data, at, end, outline=outline)
            if group is None:
                break
            local = head & 0xF
            known = decoder[local] is group or (bool(group.defined) and not group.kept)
            active[local] = group
            group.defined.append(at)
            if known:
                write(view[copied:at])
                copied = at + size
            else:
                decoder[local] = group
                outline.written.append(group)
                made.frames += 1
                outline.kept_fields += group.fields
        else:
            group = active[head >> 5 & 0x3 if head & 0x80 else head & 0xF]
            if group is None or not group.size or at + group.size > end:
                break
            size = group.size
            group.offsets.append(at)
            if head & 0x80:
                outline.compressed = True
            if group.kept and outline.kept[group.number] < MOST_KEPT:
                made.frames += 1
                outline.kept[group.number] += 1
                outline.kept_fields += group.fields
                outline.described += group.describes
                if group.needs_time and dated is not None:
                    write(view[copied:at])
                    write(_time(view, dated, told_at, decoder=decoder))
                    made.frames += 1
                    copied, dated = at, None
                if group.dated_at:
                    dated = None
            else:
                if copied < at:
                    write(view[copied:at])
                copied = at + size
                if group.dated_at:
                    dated, told_at = group, at
        outline.messages += 1
        at += size
        if outline.kept_fields > MOST_KEPT_FIELDS:
            raise Declined
    write(view[copied:at])
    return at


def _time(view: memoryview, dated: Group, at: int, *, decoder: list[Group | None]) -> memoryview:
    """Return the message that tells the decoder the time, for one that has none of its own."""
    message = view[at : at + dated.size]
    stamp = message[dated.dated_at : dated.dated_at + definition.UINT32_BYTES]
    if decoder[message[0] & 0xF] is not dated or message[0] & 0x80 or bytes(stamp) == definition.UNDATED:
        raise Declined
    return message


def _defined(data: bytes, at: int, end: int, *, outline: Outline) -> tuple[Group | None, int]:
    """Return the group that the definition at this place begins or goes on with; none where it is cut off."""
    size = definition.size(data, at, end)
    if not size:
        return None, 0
    key = (data[at : at + size], outline.described)
    group = outline.groups.get(key)
    if group is None:
        group = outline.groups[key] = definition.group(key[0])
        if len(outline.groups) > MOST_GROUPS:
            raise Declined
    return group, size

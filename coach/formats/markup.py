"""Walks XML forgivingly and in flat memory: broken files are read as far as they go, entities never."""

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple

from lxml import etree

from coach.formats.recording import Unreadable

CHUNK_BYTES = HEAD_BYTES = 64 * 1024
LARGEST_EVENTS = 3_000_000
LARGEST_TEXT = 4096
DEEPEST = 100  # what lies deeper is passed over; a recording has ten levels
LARGEST_NAMES = 10_000  # different elements; the parser keeps the name of each
# Bytes that XML forbids; some exports contain them and the parser would stop there.
CONTROL = bytes(set(range(32)) - {9, 10, 13})
# GPX and TCX need none; without one no entity is ever defined.
DOCTYPE = b"<!DOCTYPE"
SUBSET_ENDS = re.compile(rb"\]\s*>")
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
BLANK = b"\xef\xbb\xbf\t\n\r \x00"


class Event(NamedTuple):
    """A tuple, because a recording is made of millions of them."""

    opens: bool
    name: str  # without namespace or prefix
    text: str = ""  # when it closes
    attributes: Mapping[str, str] = MappingProxyType({})


def is_rooted(data: bytes, *, root: str) -> bool:
    """Say whether the first element of the file has this name."""
    for event in walk(data[:HEAD_BYTES]):
        return event.name == root
    return False


def walk(data: bytes) -> Iterator[Event]:
    """Yield the elements of a document as they open and close."""
    target = _Target()
    # The stubs ask for handlers of bytes, which the parser never calls.
    handlers: Any = target
    parser = etree.XMLParser(target=handlers, recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    data = _plain(data)
    seen = 0
    for offset in range(0, len(data), CHUNK_BYTES):
        parser.feed(data[offset : offset + CHUNK_BYTES].translate(None, CONTROL))
        seen += len(target.events)
        if seen > LARGEST_EVENTS:
            raise Unreadable("The file is too long for one recording. Split it and upload the parts.")
        if target.names > LARGEST_NAMES:
            raise Unreadable("The file names more kinds of things than a recording does. Export it again.")
        yield from target.events
        target.events.clear()
    with suppress(etree.XMLSyntaxError):  # nothing in it was XML; the caller finds no element
        parser.close()
    yield from target.events


class _Target:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self._text: list[str] = []
        self._names: dict[str, str] = {}
        self._depth = 0

    @property
    def names(self) -> int:
        return len(self._names)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            return
        self._text.clear()
        self.events.append(Event(True, self._local(tag), "", dict(attributes)))

    def data(self, text: str) -> None:
        if len(self._text) < LARGEST_TEXT:
            self._text.append(text[:LARGEST_TEXT])

    def end(self, tag: str) -> None:
        self._depth -= 1
        if self._depth >= DEEPEST:
            return
        self.events.append(Event(False, self._local(tag), "".join(self._text).strip()))
        self._text.clear()

    def close(self) -> None:
        return None

    def _local(self, tag: str) -> str:
        name = self._names.get(tag)
        if name is None:
            # A prefix that the file never declared stays in the tag.
            name = self._names[tag] = tag.rpartition("}")[2].rpartition(":")[2]
        return name


def _plain(data: bytes) -> bytes:
    """Return the bytes without what some exporters put before the declaration, and without a document type."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
        data = DECLARATION.sub("", text, count=1).encode()
    data = data.lstrip(BLANK)
    return _without_doctypes(data)


def _without_doctypes(data: bytes) -> bytes:
    """Leave out every document type, one in a comment too: behind that a real one might hide. One pass."""
    kept, at = [], 0
    while (begin := data.find(DOCTYPE, at, HEAD_BYTES)) >= 0:
        end = data.find(b">", begin) + 1
        if end and (bracket := data.find(b"[", begin, end)) >= 0:
            closed = SUBSET_ENDS.search(data, bracket)
            end = closed.end() if closed else 0
        if not end:
            break
        kept.append(data[at:begin])
        at = end
    return b"".join((*kept, data[at:])) if kept else data


def number(text: str | None) -> float | None:
    """Return the number of a text, None when it is none or not finite; a decimal comma is one."""
    if not text:
        return None
    try:
        value = float(text.replace(",", ".")) if "," in text else float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None

"""Takes an export apart into its records, and goes on behind what is damaged."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from xml.parsers import expat

from coach.formats.apple.clean import cleaned
from coach.formats.recording import Unreadable

ROOT = re.compile(rb"<HealthData[\s>/]")
LONGEST_PROLOGUE = 1024 * 1024
LONGEST_ELEMENT = 16 * 1024 * 1024
MOST_DAMAGES = 1000
BEGIN = re.compile(rb"<(?:Record|Workout|Correlation|ActivitySummary|ClinicalRecord|Audiogram)[\s>/]")
OPEN = b"<HealthData>"  # what a parser is told that begins in the middle
TAKEN = ("Record", "Workout")
NO_EXPORT = "This XML file is not an Apple Health export. Upload the export.zip that the Health app makes."
ENTITIES = "The export defines entities, which the Health app never does, so it was not read. Make a new export."
TOO_DAMAGED = "The export is damaged in more than a thousand places, so reading ended there."


@dataclass(slots=True)
class Element:
    """A record or workout with all that is inside of it: depth below it, name, attributes."""

    name: str
    attributes: dict[str, str]
    inside: list[tuple[int, str, dict[str, str]]] = field(default_factory=list)

    def metadata(self) -> dict[str, str]:
        return {
            attributes.get("key", ""): attributes.get("value", "")
            for depth, name, attributes in self.inside
            if depth == 1 and name == "MetadataEntry"
        }


class Elements:
    """Give it the bytes in order; `take` is called for each record when the next one begins.

    What stands before `boundary` was taken, nothing behind it was: a later attempt may begin right there.
    """

    def __init__(self, take: Callable[[Element], None], *, offset: int = 0) -> None:
        self.boundary = offset
        self.damages = 0
        self.is_over = False  # the export's end was seen
        self._take = take
        self._prologue: bytes | None = b"" if offset == 0 else None
        self._rest = b""  # behind the last ">"
        self._at = offset  # where the bytes begin that are fed next
        self._lost = False  # looking for the beginning of a record
        self._open: Element | None = None
        self._whole: Element | None = None
        if offset:
            self._begin(offset)

    def feed(self, data: bytes) -> None:
        if self.is_over:
            return
        if self._prologue is not None:
            data = self._past_prologue(data)
        data = self._rest + data
        end = data.rfind(b">") + 1
        if not end and len(data) > LONGEST_ELEMENT:
            self._damaged()
            self._at, self._rest = self._at + len(data), b""
            return
        self._rest = data[end:]
        self._feed(cleaned(data[:end]))

    def close(self) -> None:
        """Take the last record; one that is cut off is damaged."""
        if self._prologue is not None:
            raise Unreadable(NO_EXPORT)
        self._emit()

    def _past_prologue(self, data: bytes) -> bytes:
        """Skip all that stands before the root: the document type is broken in many exports, and is not needed."""
        self._prologue = (self._prologue or b"") + data
        root = ROOT.search(self._prologue)
        if root is None:
            if len(self._prologue) > LONGEST_PROLOGUE:
                raise Unreadable(NO_EXPORT)
            return b""
        if b"<!ENTITY" in self._prologue[: root.start()]:
            raise Unreadable(ENTITIES)
        data, self._prologue = self._prologue[root.start() :], None
        self._begin(root.start(), opened=False)
        return data

    def _begin(self, at: int, *, opened: bool = True) -> None:
        """Start a parser at a place in the file; what was open is given up."""
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        self._parser, self._depth, self._open = parser, 0, None
        self._base = at - (len(OPEN) if opened else 0)
        self._at = at
        self._lost = False
        if opened:
            parser.Parse(OPEN, False)

    def _feed(self, data: bytes) -> None:
        while data and not self.is_over:
            if self._lost:
                found = BEGIN.search(data)
                if found is None:
                    self._at += len(data)
                    return
                data = data[found.start() :]
                self._begin(self._at + found.start())
            try:
                self._parser.Parse(data, False)
            except expat.ExpatError:
                if self.is_over:
                    return
                behind = min(max(self._parser.ErrorByteIndex + self._base - self._at, 0) + 1, len(data))
                self._damaged()
                self._at, data = self._at + behind, data[behind:]
                continue
            self._at += len(data)
            if self._open is not None and self._at - self.boundary > LONGEST_ELEMENT:
                self._damaged()
            return

    def _damaged(self) -> None:
        self._emit()
        self._open = None
        self._lost = True
        self.damages += 1
        if self.damages > MOST_DAMAGES:
            raise Unreadable(TOO_DAMAGED)

    # Called by the parser

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = self._depth
        self._depth = depth + 1
        if depth > 1:
            if self._open is not None:
                self._open.inside.append((depth - 1, name, attributes))
        elif depth == 1:
            self._emit()
            self.boundary = self._base + self._parser.CurrentByteIndex
            self._open = Element(name, attributes) if name in TAKEN else None

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._depth == 1:
            self._whole, self._open = self._open, None
        elif self._depth == 0:
            self.is_over = True

    def _emit(self) -> None:
        whole, self._whole = self._whole, None
        if whole is not None:
            self._take(whole)

"""Reads the objects of a JSON array one by one, so that an array of any length takes little memory."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from coach.formats.recording import Unreadable

CHUNK_BYTES = 256 * 1024
LARGEST_ITEM_CHARS = 16 * 1024 * 1024
MOST_ITEMS = 500_000
LOOK_CHARS = 64 * 1024  # how far the key of an array may stand from the begin of the file
TOP = re.compile(r"\s*\[")
SPACE = re.compile(r"[\s,]*")
DAMAGED = "The JSON file is damaged. Download it again and upload the new copy."
CUT = "The file breaks off before its end; what came before was kept."


class Items:
    """The objects of the array at the top of a file, or of the arrays that a key names; `notes` after the reading."""

    def __init__(self, file: BinaryIO, *, key: str = "") -> None:
        self.notes: tuple[str, ...] = ()
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._json = json.JSONDecoder()
        self._key = re.compile(rf'"{re.escape(key)}"\s*:\s*\[') if key else None
        self._entered = False
        self._text = ""
        self._at = 0
        self._over = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the objects; raises Unreadable when there is no array, or an item that nobody writes."""
        found = 0
        if not self._enter():
            raise Unreadable(DAMAGED)
        while True:
            item = self._next()
            if item is not None:
                found += 1
                if found > MOST_ITEMS:
                    raise Unreadable(f"The file holds more than {MOST_ITEMS} entries. Split it and upload the parts.")
                if isinstance(item, dict):
                    yield item
            elif not self._enter():
                return

    def _enter(self) -> bool:
        """Go to the begin of the next array."""
        while len(self._text) - self._at < LOOK_CHARS and self._more():
            pass
        if self._key is None:
            begin = None if self._entered else TOP.match(self._text)
        else:
            begin = self._key.search(self._text, self._at, self._at + LOOK_CHARS)
        self._entered = True
        if begin is None:
            return False
        self._at = begin.end()
        return True

    def _next(self) -> Any:
        """Return the next item, None at the end of the array."""
        wanted = CHUNK_BYTES
        while True:
            at = self._skip()
            if at < len(self._text) and self._text[at] == "]":
                self._at = at + 1
                return None
            try:
                item, end = self._json.raw_decode(self._text, at)
            except RecursionError as error:
                raise Unreadable(DAMAGED) from error
            except ValueError:
                if not self._grow(wanted):
                    return None
                wanted *= 2
            else:
                self._at = end
                return item if item is not None else ()  # None is the end

    def _skip(self) -> int:
        space = SPACE.match(self._text, self._at)
        return space.end() if space else self._at

    def _grow(self, wanted: int) -> bool:
        """Take in more text; at the end of the file note what is cut off, and say that there is no more."""
        self._text, self._at = self._text[self._at :], 0
        if len(self._text) > LARGEST_ITEM_CHARS:
            raise Unreadable(DAMAGED)
        before = len(self._text)
        while len(self._text) - before < wanted and self._more():
            pass
        if len(self._text) == before:
            self.notes = (CUT,)
            self._at = len(self._text)
            return False
        return True

    def _more(self) -> bool:
        if self._over:
            return False
        chunk = self._file.read(CHUNK_BYTES)
        self._over = not chunk
        self._text += self._decoder.decode(chunk, final=self._over)
        return not self._over

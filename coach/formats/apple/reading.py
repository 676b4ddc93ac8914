"""Reads the XML of an export part by part; each part says where a later attempt may go on."""

import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coach.formats.apple.elements import Elements
from coach.formats.apple.gathering import Gathering
from coach.formats.apple.workouts import Workout
from coach.formats.recording import Unreadable
from coach.formats.wellness import Contents

PART_BYTES = 16 * 1024 * 1024
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError)
CUT = "The export is cut off, so what comes after that is missing. Make a new export to have it all."
DAMAGED_ZIP = (
    "The archive is damaged inside: some of it is missing and some may be wrong. Make a new export and undo this."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What was said since the batch before; store it and `state` at once, and nothing is read twice."""

    contents: Contents
    workouts: tuple[Workout, ...]
    state: Mapping[str, Any]
    implausible: int
    undated: int
    notes: tuple[str, ...] = ()  # of the last one: what was damaged
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    done_bytes: int  # of the XML
    batch: Batch | None = None


def steps(chunks: Iterable[bytes], *, state: Mapping[str, Any], part_bytes: int = PART_BYTES) -> Iterator[Step]:
    """Read the XML from its first byte, or on from a batch's state; a step is a chunk, the last one has the last batch.

    Raises Unreadable when it is no export.
    """
    return _Reading(state, part_bytes=part_bytes).steps(chunks)


class _Reading:
    def __init__(self, state: Mapping[str, Any], *, part_bytes: int) -> None:
        self._offset = int(state.get("offset", 0))
        self._damages = int(state.get("damages", 0))
        self._gathering = Gathering(state.get("sleep"))
        self._elements = Elements(self._gathering.take, offset=self._offset)
        self._part_bytes = part_bytes
        self._cut_at = self._offset  # where the last batch ended

    def steps(self, chunks: Iterable[bytes]) -> Iterator[Step]:
        done_bytes = 0
        trouble = ""
        pieces = iter(chunks)
        while not self._elements.is_over:
            try:
                chunk = next(pieces, b"")
            except DAMAGE as error:
                if not done_bytes:
                    raise Unreadable("The archive is damaged. Make a new export and upload that.") from error
                trouble = DAMAGED_ZIP
                break
            if not chunk:
                trouble = CUT
                break
            skipped = min(max(self._offset - done_bytes, 0), len(chunk))
            done_bytes += len(chunk)
            if skipped < len(chunk):
                try:
                    self._elements.feed(chunk[skipped:])
                except Unreadable as refusal:
                    if not self._elements.boundary:
                        raise
                    trouble = str(refusal)
                    break
            full = self._gathering.is_full or self._elements.boundary - self._cut_at >= self._part_bytes
            yield Step(done_bytes=max(done_bytes, self._offset), batch=self._batch() if full else None)
        self._elements.close()
        yield Step(done_bytes=max(done_bytes, self._offset), batch=self._last(trouble))

    def _batch(self, *, is_last: bool = False, notes: tuple[str, ...] = ()) -> Batch:
        contents, workouts = self._gathering.part(is_last=is_last)
        self._cut_at = self._elements.boundary
        implausible, undated = self._gathering.implausible, self._gathering.undated
        self._gathering.implausible = self._gathering.undated = 0
        state = {"offset": self._cut_at, "sleep": self._gathering.held(), "damages": self._damaged()}
        return Batch(
            contents=contents,
            workouts=workouts,
            state=state,
            implausible=implausible,
            undated=undated,
            notes=notes,
            is_last=is_last,
        )

    def _damaged(self) -> int:
        return self._damages + self._elements.damages

    def _last(self, trouble: str) -> Batch:
        count = self._damaged()
        skipped = f"{count:,} damaged place{'s were' if count > 1 else ' was'} left out." if count else ""
        return self._batch(is_last=True, notes=tuple(note for note in (skipped, trouble) if note))

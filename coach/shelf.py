"""Collects what comes out of an archive until it is through: of an archive that is refused nothing stays."""

from collections.abc import Callable, Iterable
from typing import Any

from coach import originals
from coach.formats import row
from coach.imports import clean_name, settle
from coach.models import ImportFile
from jobs import api

Outcome = ImportFile.Outcome
BATCH = 1000


class Shelf:
    """The files that an archive or a table becomes, kept but not yet rows."""

    def __init__(self, file: ImportFile, *, check: Callable[[], None]) -> None:
        self.files: list[ImportFile] = []
        self._file = file
        self._check = check

    def keep(self, name: str, chunks: Iterable[bytes], *, state: dict[str, Any] | None = None) -> None:
        """Keep the bytes as a file that is still to be read; raises what `chunks` raises."""
        self._check()
        sha256, size = originals.keep(chunks)
        self._add(name, sha256=sha256, size=size, state=state or {})

    def keep_row(self, name: str, made: row.Row, *, note: str = "") -> None:
        """Keep one row of a table as a file of its own; `note` is said with what becomes of it."""
        self.keep(name, [row.document(made)], state={"note": note} if note else {})

    def tell(self, name: str, outcome: str, sentence: str, *, size: int = 0) -> None:
        """List what is not read, and why."""
        self._check()
        self._add(name, outcome=outcome, sentence=sentence[:1000], size=size)

    def settle(self, run: api.Run) -> int:
        """Make rows and items of the files; inside a save. Return how many there are."""
        created = ImportFile.objects.bulk_create(self.files, batch_size=BATCH)
        settle(created)
        run.add_items([str(file.pk) for file in created])
        return len(created)

    def clear(self) -> None:
        """Forget the bytes that nobody else needs."""
        for sha256 in dict.fromkeys(file.sha256 for file in self.files):
            originals.forget(sha256)

    def name(self, name: str) -> str:
        """Return what a file of this archive is called; cut from the front, so that its own name stays."""
        return clean_name(f"{self._file.name}/{name}")

    def _add(self, name: str, *, sha256: str = "", size: int = 0, **more: Any) -> None:
        self.files.append(
            ImportFile(
                run=self._file.run,
                parent=self._file.parent or self._file,
                name=self.name(name),
                sha256=sha256,
                size=min(size, 2**62),
                **more,
            )
        )

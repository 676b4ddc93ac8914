"""Unpacks archives and tables: each file and each row becomes a file of the import."""

from django.conf import settings

from coach import originals, special
from coach.formats import Unreadable, archive, row
from coach.formats.garmin import activities as summaries
from coach.formats.garmin import export as garmin
from coach.formats.strava import export as strava
from coach.formats.strava import table
from coach.models import ImportFile
from coach.shelf import Shelf

Outcome = ImportFile.Outcome
MOST_DEPTH = 2  # archives inside archives inside what was handed in
MOST_EXPORTS = 10  # of accounts, inside one archive
TABLE_BYTES = 1024 * archive.MEBIBYTE  # summaries are read piece by piece
CHUNK_BYTES = archive.MEBIBYTE
EMPTY = "The archive holds no files. Pack the recordings again and upload that."
DEEP = "It is an archive inside too many others. Unpack it and upload the files in it, or a zip of them."
MANY = f"The archive holds more than {MOST_EXPORTS} exports of accounts. Upload this one by itself."
NO_FILE = "The archive does not hold the file that the row names, so only the row is read."
ROWS_READ = "Its rows give names to the files of the archive; those without a file are read themselves."


class Plain:
    """Reads every file of an archive."""

    words = "An archive"

    def begin(self, opened: archive.Archive, shelf: Shelf) -> None:
        """Look at the archive before its files."""

    def ignored(self, name: str) -> str:
        """Return why a file is not read; "" when it is."""
        return ""

    def keep(self, name: str, member: archive.Member, shelf: Shelf) -> None:
        shelf.keep(name, member.chunks(most_bytes=most_bytes(name)))

    def finish(self, shelf: Shelf) -> None:
        """Add what stands in for files that are not there."""


class Garmin(Plain):
    """Leaves out what says nothing of training or days."""

    words = "A Garmin account's export"

    def ignored(self, name: str) -> str:
        return garmin.ignored(name)


class Strava(Plain):
    """Reads the table first: its rows name the files, and stand in for those that are missing or broken."""

    words = "A Strava account's export"

    def __init__(self) -> None:
        self._table = ""
        self._entries: list[table.Entry] = []
        self._seen: set[int] = set()

    def begin(self, opened: archive.Archive, shelf: Shelf) -> None:
        self._table = strava.table_of([member.name for member in opened.members]) or ""
        member = next(member for member in opened.members if member.name == self._table)
        try:
            data = member.read()
            self._entries = table.read(data)
        except Unreadable as refusal:
            shelf.tell(self._table, Outcome.REFUSED, str(refusal), size=member.size)
        else:
            shelf.tell(self._table, Outcome.IMPORTED, ROWS_READ, size=len(data))
        self._by_file = strava.files(self._entries)

    def ignored(self, name: str) -> str:
        return "" if name == self._table else strava.ignored(name)

    def keep(self, name: str, member: archive.Member, shelf: Shelf) -> None:
        if name == self._table:
            return
        entry = self._by_file.get(strava.plain(name))
        state = {}
        if entry is not None and entry.row is not None:
            state["row"] = {"name": shelf.name(self._row(entry)), "document": row.document(entry.row).decode()}
        shelf.keep(name, member.chunks(most_bytes=most_bytes(name)), state=state)
        self._seen.update([entry.number] if entry else [])

    def finish(self, shelf: Shelf) -> None:
        for entry in self._entries:
            if entry.number in self._seen:
                continue
            if entry.row is None:
                shelf.tell(self._row(entry), Outcome.REFUSED, entry.sentence)
            else:
                shelf.keep_row(self._row(entry), entry.row, note=NO_FILE if entry.file else "")

    def _row(self, entry: table.Entry) -> str:
        return f"{self._table}, row {entry.number}"


def unpack(file: ImportFile, shelf: Shelf, *, sorter: Plain) -> None:
    """Put every file of an archive on the shelf; raises archive.Refused when the archive as a whole is not read."""
    with originals.reader(file.sha256) as data, archive.opened(data, limits=limits()) as opened:
        sorter.begin(opened, shelf)
        _unpack(opened, shelf, sorter=sorter, prefix="", depth=_depth(file))
        sorter.finish(shelf)


def names(file: ImportFile) -> list[str]:
    """Return the names of the files of an archive; raises archive.Refused."""
    with originals.reader(file.sha256) as data, archive.opened(data, limits=limits()) as opened:
        return [member.name for member in opened.members]


def limits() -> archive.Limits:
    return archive.Limits(member_bytes=settings.UPLOAD_FILE_BYTES)


def most_bytes(name: str) -> int:
    return TABLE_BYTES if name.lower().endswith(".json") else settings.UPLOAD_FILE_BYTES


def _unpack(opened: archive.Archive, shelf: Shelf, *, sorter: Plain, prefix: str, depth: int) -> None:
    opened.claim([member for member in opened.members if not sorter.ignored(member.name)])
    for member in opened.members:
        name, sentence = f"{prefix}{member.name}", sorter.ignored(member.name)
        if sentence:
            shelf.tell(name, Outcome.IGNORED, sentence, size=member.size)
            continue
        try:
            if member.is_archive():
                _nested(member, shelf, sorter=sorter, name=name, depth=depth + 1)
            else:
                sorter.keep(name, member, shelf)
        except Unreadable as refusal:
            shelf.tell(name, Outcome.REFUSED, str(refusal), size=member.size)


def _nested(member: archive.Member, shelf: Shelf, *, sorter: Plain, name: str, depth: int) -> None:
    """Unpack an archive inside the archive, which is not kept itself; an export of its own is a file of its own."""
    if depth > MOST_DEPTH:
        raise Unreadable(DEEP)
    with member.unpacked() as inner:
        if special.of([found.name for found in inner.members]) is None:
            _unpack(inner, shelf, sorter=sorter, prefix=f"{name}/", depth=depth)
        elif sum("depth" in file.state for file in shelf.files) >= MOST_EXPORTS:
            raise Unreadable(MANY)
        else:
            inner.file.seek(0)
            shelf.keep(name, iter(lambda: inner.file.read(CHUNK_BYTES), b""), state={"depth": depth})


def _depth(file: ImportFile) -> int:
    """Return inside how many archives an archive is."""
    depth = file.state.get("depth", 0)
    return depth if isinstance(depth, int) else 0


# Tables


def is_table(head: bytes) -> bool:
    return summaries.is_table(head) or table.is_table(head)


def unpack_table(file: ImportFile, head: bytes, shelf: Shelf) -> tuple[str, ...]:
    """Put every row of a table on the shelf; return what the athlete should know of it. Raises Unreadable."""
    with originals.reader(file.sha256) as data:
        if not summaries.is_table(head):
            for entry in table.read(data.read()):
                _keep_row(f"row {entry.number}", entry.row or entry.sentence, shelf)
            return ()
        read = summaries.Table(data)
        for number, made in enumerate(read, start=1):
            _keep_row(f"activity {number}", made, shelf)
        return read.notes


def _keep_row(name: str, made: row.Row | str, shelf: Shelf) -> None:
    if made == summaries.LEGS:
        shelf.tell(name, Outcome.IGNORED, summaries.LEGS)
    elif isinstance(made, str):
        shelf.tell(name, Outcome.REFUSED, made)
    else:
        shelf.keep_row(name, made)

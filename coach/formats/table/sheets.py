"""Takes a table apart into heads and rows, whatever its letters, separators and quotes."""

import csv
import hashlib
import re
from collections import Counter
from dataclasses import dataclass

from coach.formats.recording import Unreadable
from coach.formats.table import dates, numbers

LARGEST_BYTES = 10 * 1024 * 1024
MOST_ROWS, MOST_COLUMNS = 100_000, 100
SEPARATORS = ("\t", ";", "|", ",")
LOOK_LINES = 30
LONGEST_CELL = 1000
TOO_LARGE = f"The table has more than {MOST_ROWS:,} rows or {LARGEST_BYTES // 1024 // 1024} MB. Split it in parts."
TOO_WIDE = f"The table has more than {MOST_COLUMNS} columns. Leave out those that are not of weight, sleep or heart."
DAMAGED = "The table is damaged: a quotation mark is missing. Export it again and upload the new file."
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
SPACES = re.compile(r"[\s\u00a0\u202f\ufeff]+")
MARKUP = ("<", "{", "[", "%PDF")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    heads: tuple[str, ...]  # one a column, never empty
    rows: tuple[tuple[str, ...], ...]  # as many cells as heads; no empty row
    numbers: tuple[int, ...]  # of each row, as a spreadsheet counts
    has_heads: bool  # otherwise the heads are ours

    @property
    def key(self) -> str:
        """What tables with the same columns have in common; nothing where there are no heads."""
        named = "\x1f".join(head.casefold() for head in self.heads)
        return hashlib.sha256(named.encode()).hexdigest() if self.has_heads else ""

    def column(self, place: int) -> list[str]:
        return [row[place] for row in self.rows]


def is_table(data: bytes) -> bool:
    """Say whether these bytes are text in columns, of which one holds dates."""
    if len(data) > LARGEST_BYTES:
        return _looks_like_one(text_of(data[: 64 * 1024 & ~1]))
    return _looks_like_one(text_of(data))


def sheet(data: bytes) -> Sheet:
    """Return the table; raises Unreadable when it is none, or too large."""
    if len(data) > LARGEST_BYTES:
        raise Unreadable(TOO_LARGE)
    text = text_of(data) or ""
    if text.count("\n") + text.count("\r") > 2 * MOST_ROWS:
        raise Unreadable(TOO_LARGE)
    return _sheet(text, separator=_separator(text))


def text_of(data: bytes) -> str | None:
    """Return the text behind the bytes; None when they are none."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return CONTROLS.sub("", data[len(mark) :].decode(encoding, errors="replace"))
    head = data[:4096]
    nulls = head.count(0)
    if nulls * 3 > len(head):
        encoding = "utf-16-be" if head[0:2:2] == b"\x00" else "utf-16-le"
        return CONTROLS.sub("", data.decode(encoding, errors="replace"))
    if nulls > 2 or len(CONTROLS.findall(head.decode("latin-1"))) * 50 > len(head):
        return None
    try:
        return CONTROLS.sub("", data.decode())
    except UnicodeDecodeError:
        return CONTROLS.sub("", data.decode("cp1252", errors="replace"))


def _looks_like_one(text: str | None) -> bool:
    if not text or text.lstrip().startswith(MARKUP):
        return False
    lines = "\n".join(text.splitlines()[: LOOK_LINES + 1])
    try:
        look = _sheet(lines, separator=_separator(lines))
    except Unreadable:
        return False
    if len(look.heads) < 2 or not look.rows:
        return False
    return any(_share_of_dates(look.column(place)) >= 0.5 for place in range(len(look.heads)))


def _share_of_dates(cells: list[str]) -> float:
    filled = [cell for cell in cells if cell]
    return sum(bool(dates.orders_of(cell)) for cell in filled) / len(filled) if filled else 0.0


def _separator(text: str) -> str:
    """Return what parts the most lines into equally many cells; a decimal comma parts them too, so it comes last."""
    lines = text.splitlines()[:LOOK_LINES]
    best, best_score = ",", 0.0
    for separator in SEPARATORS:
        widths = Counter(len(row) for row in _rows(lines, separator) if row)
        widths.pop(1, None)
        if widths:
            score = max(widths.values()) / max(1, len(lines))
            if score > best_score + 0.15:
                best, best_score = separator, score
    return best


def _rows(lines: list[str], separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return []


def _sheet(text: str, *, separator: str) -> Sheet:
    rows: list[tuple[str, ...]] = []
    places: list[int] = []
    reader = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
    try:
        for number, row in enumerate(reader, start=1):
            cells = tuple(SPACES.sub(" ", cell).strip()[:LONGEST_CELL] for cell in row)
            if any(cells):
                rows.append(cells)
                places.append(number)
            if len(rows) > MOST_ROWS + 1:
                raise Unreadable(TOO_LARGE)
    except csv.Error as error:
        raise Unreadable(DAMAGED) from error
    return _headed(rows, places)


def _headed(rows: list[tuple[str, ...]], places: list[int]) -> Sheet:
    width = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    if width > MOST_COLUMNS:
        raise Unreadable(TOO_WIDE)
    while width > 1 and rows and sum(map(bool, rows[0])) < min(width, 2):  # a title above the table
        rows, places = rows[1:], places[1:]
    has_heads = bool(rows) and not any(dates.orders_of(cell) or numbers.number(cell) is not None for cell in rows[0])
    heads = rows[0] if has_heads else ()
    named = tuple((heads[place] if place < len(heads) else "") or f"Column {place + 1}" for place in range(width))
    body, of_body = (rows[1:], places[1:]) if has_heads else (rows, places)
    padded = tuple((*row[:width], *("",) * (width - len(row))) for row in body)
    return Sheet(heads=named, rows=padded, numbers=tuple(of_body), has_heads=has_heads)

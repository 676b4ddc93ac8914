"""activities.csv: one row an activity, with or without a file."""

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from coach.formats import kinds, plausible, words
from coach.formats.recording import Unreadable
from coach.formats.row import Row
from coach.formats.sports import INDOOR
from coach.formats.strava import columns, dates
from coach.formats.strava.columns import cell

MOST_ROWS = 100_000
LONGEST_CELL = 1_000_000
SLOWEST_MPS = 0.05  # slower than this on the whole, the distance was in kilometres
FASTEST_MPS = 60.0  # faster, it was in metres already
EXACT = (
    "ascent_m",
    "descent_m",
    "max_heart_rate_bpm",
    "avg_heart_rate_bpm",
    "max_power_w",
    "avg_power_w",
    "normalized_power_w",
    "max_cadence_rpm",
    "avg_cadence_rpm",
    "energy_kcal",
    "pool_length_m",
)
LANGUAGE = (
    "The columns of this table are named in a way that Coach does not know. Set Strava to English, ask for the export"
    " again and upload that; the files in the archive are read all the same."
)
UNDATED = "The date of this row cannot be read. Upload the recording itself if there is one."
TIMELESS = "This row does not say how long the activity took, so it cannot be counted."
DAMAGED = "The table is damaged. Download it again and upload the new copy."
TOO_LONG = f"The table has more than {MOST_ROWS} rows. Split it and upload the parts."


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of the table; `number` counts as a spreadsheet does, the heads being the first."""

    number: int
    row: Row | None
    file: str = ""  # as the table names it
    sentence: str = ""  # why there is no row
    name: str = ""


def is_table(data: bytes) -> bool:
    """Say whether the bytes begin with the heads of activities.csv in a language that is known."""
    try:
        head = next(iter(_lines(data[:8192])), [])
    except csv.Error:
        return False
    names = [columns.NAMES.get(kinds.letters(name)) for name in head[:8]]
    return {"id", "date", "type"} <= set(names)


def read(data: bytes) -> list[Entry]:
    """Return the rows; raises Unreadable when its columns cannot be told apart."""
    try:
        lines = _lines(data)
    except csv.Error as error:
        raise Unreadable(DAMAGED) from error
    if not lines:
        raise Unreadable(DAMAGED)
    head, rows = lines[0], lines[1:]
    if len(rows) > MOST_ROWS:
        raise Unreadable(TOO_LONG)
    placed = columns.find(head, rows)
    if not placed:
        raise Unreadable(LANGUAGE)
    day_first = dates.is_day_first([cell(row, placed["date"]) for row in rows])
    comma = _has_decimal_comma(rows, placed)
    numbered = [(number, row) for number, row in enumerate(rows, start=2) if any(value.strip() for value in row)]
    return [_entry(number, row, placed, day_first=day_first, comma=comma) for number, row in numbered]


def _lines(data: bytes) -> list[list[str]]:
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    text = data.decode(encoding, "replace")
    first = text[: text.find("\n") if "\n" in text else len(text)]
    delimiter = max(",;\t", key=first.count)
    csv.field_size_limit(LONGEST_CELL)
    lines = []
    for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        if line:
            lines.append(line)
        if len(lines) > MOST_ROWS + 1:
            break
    return lines


def _entry(number: int, row: Sequence[str], placed: dict[str, int], *, day_first: bool | None, comma: bool) -> Entry:
    def amount(name: str) -> float | None:
        return _number(cell(row, placed.get(name)), comma=comma)

    file, name = cell(row, placed.get("file")), words.line(cell(row, placed.get("name")), longest=200)
    began_at = dates.parse(cell(row, placed["date"]), day_first=day_first)
    if began_at is None:
        return Entry(number=number, row=None, file=file, name=name, sentence=UNDATED)
    elapsed_s, moving_s = amount("elapsed"), amount("moving")
    if not elapsed_s and not moving_s:
        return Entry(number=number, row=None, file=file, name=name, sentence=TIMELESS)
    sport, sub_sport = kinds.named(cell(row, placed.get("type")))
    made = Row(
        provider="strava",
        id=words.line(cell(row, placed.get("id")), longest=32),
        name=name,
        sport=sport,
        sub_sport=sub_sport,
        indoor=sub_sport in INDOOR,
        virtual=sub_sport == "virtual_activity",
        started_at=began_at,
        elapsed_s=elapsed_s or moving_s,
        # Strava leaves out the stops of the device and those it finds itself.
        timer_s=amount("timer") or moving_s or elapsed_s,
        moving_s=moving_s,
        distance_m=_metres(amount("distance"), amount("kilometres"), seconds=moving_s or elapsed_s or 0.0),
        **{field: amount(field) for field in EXACT},  # type: ignore[arg-type]
    )
    return Entry(number=number, row=made, file=file, name=name)


def _metres(exact: float | None, rounded: float | None, *, seconds: float) -> float | None:
    """Return metres; the rounded column is in kilometres, but of swims in metres."""
    if exact is not None and not (rounded and exact == rounded and exact < SLOWEST_MPS * seconds):
        return exact
    if not rounded:
        return exact
    metres = rounded * 1000
    implausible = (seconds > 0 and metres / seconds > FASTEST_MPS) or metres > plausible.LIMITS["distance_m"][1]
    return rounded if implausible else metres


def _has_decimal_comma(rows: Sequence[Sequence[str]], placed: dict[str, int]) -> bool:
    cells = (cell(row, placed.get(name)) for row in rows for name in ("distance", "kilometres", "moving", "elapsed"))
    return any(re.fullmatch(r"\d+,\d{1,2}|\d{1,3}(\.\d{3})+,\d+", text) for text in cells)


def _number(text: str, *, comma: bool) -> float | None:
    """Return a number written as 10546.9, 10,546.9, 10.546,9 or 10546,9; None for none and for what is below zero."""
    text = re.sub(r"[\s'’]", "", text)
    if not comma:
        text = text.replace(",", "")
    elif "," in text:
        text = text.replace(".", "").replace(",", ".")
    if not re.fullmatch(r"\d{1,12}(\.\d{1,12})?", text):
        return None
    return float(text)

"""Tables of weight, sleep and resting heart rate: asks what their columns are, remembers it, and stores their rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from coach import deadline, imports, originals, settling, wellness
from coach.formats import Unreadable, table
from coach.models import ImportFile, Layout
from jobs import api

ASK = "It is read as soon as you say what its columns are."
AGAIN = "The same table is already there."
NO_FIT = "It has the same columns as a table before, but its dates do not fit what you said of that one."
NO_ROW = "By what you said of its columns no row could be read."
SAMPLES = (
    "This table holds the samples of one activity, and a table does not say which."
    " Export the activity as FIT, TCX or GPX and upload that file."
)
NARROWEST = 2  # columns
MOST_UNDATED = 0.1  # with remembered columns: with more the table is of another kind
SHOWN_ROWS = 8
LONGEST_SHOWN = 80  # letters of a cell
EDIT = "columns"
api.hold_kind(EDIT, label="An answer about columns")
Outcome = ImportFile.Outcome
Look = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a page shows that asks what the columns are."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]  # the first of them
    count: int  # of all rows
    key: str
    mapping: table.Mapping  # as said before, or guessed


def read(run: api.Run, item: api.Item, file: ImportFile) -> None:
    """Store the table's rows, or ask what its columns are, and end the item; raises Unreadable."""
    sheet = _sheet(file)
    if table.is_of_an_activity(sheet):
        raise Unreadable(SAMPLES)
    look = _look(sheet)
    said, is_remembered = _said(file, key=sheet.key, width=len(sheet.heads))
    if said is None:
        _ask(run, item, file, ASK, look)
        return
    with deadline.reading(file.size):
        found = table.read(sheet, said, zone=ZoneInfo(file.run.source.athlete.time_zone))
    if is_remembered and found.undated > MOST_UNDATED * found.rows:
        _ask(run, item, file, f"{NO_FIT} {ASK}", look)
    elif not found.contents.measures and not found.contents.nights:
        _ask(run, item, file, " ".join((NO_ROW, *found.sentences, ASK)), look)
    else:
        _store(run, item, file, said, found, look)


def _sheet(file: ImportFile) -> table.Sheet:
    with originals.reader(file.sha256) as data:
        return table.sheet(data.read(table.LARGEST_BYTES + 1))


def _look(sheet: table.Sheet) -> Look:
    """Return what the page that asks shows of a table, so that it need not read a long one again."""
    return {
        "heads": sheet.heads,
        "rows": [[cell[:LONGEST_SHOWN] for cell in row] for row in sheet.rows[:SHOWN_ROWS]],
        "count": len(sheet.rows),
        "key": sheet.key,
        "guess": table.guess(sheet).stored(),
    }


def _said(file: ImportFile, *, key: str, width: int) -> tuple[table.Mapping | None, bool]:
    """Return what was said of this table's columns, or of a table with the same heads, and whether it is the latter."""
    own = _whole(table.Mapping.of(file.mapping), width=width) if file.mapping else None
    if own or not key:
        return own, False
    layout = Layout.objects.filter(athlete=file.run.source.athlete, heads=key).first()
    return (_whole(table.Mapping.of(layout.mapping), width=width) if layout else None), True


def _whole(mapping: table.Mapping | None, *, width: int) -> table.Mapping | None:
    if mapping is None or len(mapping.columns) != width or mapping.troubles():
        return None
    return mapping


def _ask(run: api.Run, item: api.Item, file: ImportFile, sentence: str, look: Look) -> None:
    with run.save():
        wellness.clear(file)
        _end(file, Outcome.ASKED, sentence)
        ImportFile.objects.filter(pk=file.pk).update(look=look)
        item.partial(sentence)


def _store(run: api.Run, item: api.Item, file: ImportFile, said: table.Mapping, found: table.Read, look: Look) -> None:
    with run.save():
        settling.lock(file.run.source.athlete)  # or what is there already may be undone at this moment
        known = wellness.known(file)
        if known and _whole_of(known) == said:
            _end(file, Outcome.DUPLICATE, AGAIN)
        else:
            stored = wellness.store(file, found.contents)
            _end(file, Outcome.IMPORTED, " ".join((stored, *found.sentences)))
        ImportFile.objects.filter(pk=file.pk).update(mapping=said.stored(), look=look)
        item.ok()


def _whole_of(file: ImportFile) -> table.Mapping | None:
    return table.Mapping.of(file.mapping)


def _end(file: ImportFile, outcome: str, sentence: str) -> None:
    ImportFile.objects.filter(pk=file.pk).update(outcome=outcome, sentence=sentence[:1000])


# For the page that asks


def preview(file: ImportFile) -> Preview | None:
    """Return the table with what its columns are, as far as that is known; None when it is none or is gone."""
    look = file.look or look_at(file)
    if look is None or not look["rows"] or len(look["heads"]) < NARROWEST:
        return None
    said, _ = _said(file, key=look["key"], width=len(look["heads"]))
    mapping = said or table.Mapping.of(look["guess"])
    if mapping is None:
        return None
    return Preview(heads=look["heads"], rows=look["rows"], count=look["count"], key=look["key"], mapping=mapping)


def look_at(file: ImportFile) -> Look | None:
    """Look at a table that no import has read yet, or that an older version read."""
    try:
        return _look(_sheet(file))
    except (Unreadable, FileNotFoundError):
        return None


def say(file: ImportFile, preview: Preview, mapping: table.Mapping, *, by: object) -> None:
    """Keep what the columns are, for this table and those with the same heads, and have the table read again.

    Raises LaneBusy while something else works on the source.
    """
    with api.hold(file.run.source.lane, EDIT):
        file.mapping = mapping.stored()
        ImportFile.objects.filter(pk=file.pk).update(mapping=file.mapping)
        if preview.key:
            Layout.objects.update_or_create(
                athlete=file.run.source.athlete, heads=preview.key, defaults={"mapping": file.mapping}
            )
        imports.read_again(file, by=by)

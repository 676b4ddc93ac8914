"""Tables of weight, sleep and resting heart rate: asks what their columns are, remembers it, and stores their rows."""

from collections.abc import Sequence
from dataclasses import dataclass
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
EDIT = "columns"
api.hold_kind(EDIT, label="An answer about columns")
Outcome = ImportFile.Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a page shows that asks what the columns are."""

    sheet: table.Sheet
    mapping: table.Mapping  # as said before, or guessed

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        return self.sheet.rows[:SHOWN_ROWS]


def read(run: api.Run, item: api.Item, file: ImportFile) -> None:
    """Store the table's rows, or ask what its columns are, and end the item; raises Unreadable."""
    sheet = _sheet(file)
    if table.is_of_an_activity(sheet):
        raise Unreadable(SAMPLES)
    said, is_remembered = _said(file, sheet)
    if said is None:
        _ask(run, item, file, ASK)
        return
    with deadline.reading(file.size):
        found = table.read(sheet, said, zone=ZoneInfo(file.run.source.athlete.time_zone))
    if is_remembered and found.undated > MOST_UNDATED * found.rows:
        _ask(run, item, file, f"{NO_FIT} {ASK}")
    elif not found.contents.measures and not found.contents.nights:
        _ask(run, item, file, " ".join((NO_ROW, *found.sentences, ASK)))
    else:
        _store(run, item, file, said, found)


def _sheet(file: ImportFile) -> table.Sheet:
    with originals.reader(file.sha256) as data:
        return table.sheet(data.read(table.LARGEST_BYTES + 1))


def _said(file: ImportFile, sheet: table.Sheet) -> tuple[table.Mapping | None, bool]:
    """Return what was said of this table's columns, or of a table with the same heads, and whether it is the latter."""
    own = _whole(table.Mapping.of(file.mapping), sheet) if file.mapping else None
    if own or not sheet.key:
        return own, False
    layout = Layout.objects.filter(athlete=file.run.source.athlete, heads=sheet.key).first()
    return (_whole(table.Mapping.of(layout.mapping), sheet) if layout else None), True


def _whole(mapping: table.Mapping | None, sheet: table.Sheet) -> table.Mapping | None:
    if mapping is None or len(mapping.columns) != len(sheet.heads) or mapping.troubles():
        return None
    return mapping


def _ask(run: api.Run, item: api.Item, file: ImportFile, sentence: str) -> None:
    with run.save():
        wellness.clear(file)
        _end(file, Outcome.ASKED, sentence)
        item.partial(sentence)


def _store(run: api.Run, item: api.Item, file: ImportFile, said: table.Mapping, found: table.Read) -> None:
    with run.save():
        settling.lock(file.run.source.athlete)  # or what is there already may be undone at this moment
        known = wellness.known(file)
        if known and _whole_of(known) == said:
            _end(file, Outcome.DUPLICATE, AGAIN)
        else:
            stored = wellness.store(file, found.contents)
            _end(file, Outcome.IMPORTED, " ".join((stored, *found.sentences)))
        ImportFile.objects.filter(pk=file.pk).update(mapping=said.stored())
        item.ok()


def _whole_of(file: ImportFile) -> table.Mapping | None:
    return table.Mapping.of(file.mapping)


def _end(file: ImportFile, outcome: str, sentence: str) -> None:
    ImportFile.objects.filter(pk=file.pk).update(outcome=outcome, sentence=sentence[:1000])


# For the page that asks


def preview(file: ImportFile) -> Preview | None:
    """Return the table with what its columns are, as far as that is known; None when it is none or is gone."""
    try:
        sheet = _sheet(file)
    except (Unreadable, FileNotFoundError):
        return None
    if not sheet.rows or len(sheet.heads) < NARROWEST:
        return None
    said, _ = _said(file, sheet)
    return Preview(sheet=sheet, mapping=said or table.guess(sheet))


def say(file: ImportFile, preview: Preview, mapping: table.Mapping, *, by: object) -> None:
    """Keep what the columns are, for this table and those with the same heads, and have the table read again.

    Raises LaneBusy while something else works on the source.
    """
    with api.hold(file.run.source.lane, EDIT):
        file.mapping = mapping.stored()
        ImportFile.objects.filter(pk=file.pk).update(mapping=file.mapping)
        if preview.sheet.key:
            Layout.objects.update_or_create(
                athlete=file.run.source.athlete, heads=preview.sheet.key, defaults={"mapping": file.mapping}
            )
        imports.read_again(file, by=by)

"""What became of a file, in an outcome and a sentence: a function of where its recordings stand now."""

from collections.abc import Collection, Mapping

from coach.models import ImportFile, Provenance

Outcome = ImportFile.Outcome
WAITS = "It stands aside until you answer a question about it."
type Told = tuple[str, str]


def tell(files: Collection[int]) -> dict[int, Told]:
    """Return outcome and sentence of each of these files that has recordings."""
    mine: dict[int, list[Provenance]] = {}
    for row in Provenance.objects.filter(file__in=files):
        mine.setdefault(row.file_id, []).append(row)
    firsts = _firsts({row.activity_id for rows in mine.values() for row in rows if row.activity_id})
    return {file: _told(rows, firsts) for file, rows in mine.items()}


def tell_again(before: Mapping[int, Told]) -> None:
    """Write what became of files of which recordings were sorted anew; `before` is what was told of them."""
    after = tell(before)
    for file in ImportFile.objects.filter(pk__in=[pk for pk in after if after[pk] != before[pk]]):
        (_, was), (outcome, now) = before[file.pk], after[file.pk]
        # A file that also says something of days and nights has that sentence behind ours.
        sentence = file.sentence.replace(was, now, 1) if was and was in file.sentence else f"{now} {file.sentence}"
        ImportFile.objects.filter(pk=file.pk).update(outcome=outcome, sentence=sentence.strip()[:1000])


def _firsts(activities: Collection[int]) -> dict[int, Provenance]:
    """Return the recording of each activity that came in first."""
    rows = Provenance.objects.filter(activity__in=activities).select_related("file").defer("header")
    firsts: dict[int, Provenance] = {}
    for row in rows.order_by("file_id", "session"):
        if row.activity_id:
            firsts.setdefault(row.activity_id, row)
    return firsts


def _told(rows: list[Provenance], firsts: Mapping[int, Provenance]) -> Told:
    rows.sort(key=lambda row: row.session)
    joined = [firsts[row.activity_id] for row in rows if row.activity_id and firsts[row.activity_id].pk != row.pk]
    waits = any(row.activity_id is None for row in rows)
    said = [f"It holds {len(rows)} activities."] if len(rows) > 1 else []
    said += [f"The same session as “{first.file.name[-100:]}”, so both are one activity." for first in joined[:3]]
    said += [WAITS] if waits else []
    said += [note for row in rows for note in row.header.get("notes", ())]
    outcome = Outcome.DOUBTED if waits else Outcome.JOINED if joined else Outcome.IMPORTED
    return outcome, " ".join(dict.fromkeys(said))

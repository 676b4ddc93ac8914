"""Undoing an import, or a whole source: afterwards everything is as if it had never come."""

import hashlib
from collections.abc import Iterator

from django.db.models import QuerySet

from coach import imports, loading, neighbours, originals, settling, stored, telling
from coach.models import DayCurve, ImportFile, ImportRun, Measure, Night, Provenance, Source
from jobs import api

KIND = "undo"
IMPORT, SOURCE = "import", "source"
Outcome = ImportFile.Outcome


# Asking for it


def ask(what: ImportRun | Source, by: object) -> api.Ticket:
    """Stop what still reads of it, and enqueue the undoing behind that, in the line of the source."""
    source = what if isinstance(what, Source) else what.source
    for run in runs(what).select_related("source__athlete"):
        imports.stop(run, by)
    known = ticket(what)
    if known and known.can_retry and api.retry(known.id, by=str(by)):
        return api.ticket_of(known.id) or known
    return api.enqueue(
        KIND,
        source.athlete.owner,
        subject(what),
        fingerprint=_content(what),
        priority=api.INTERACTIVE,
        args={"source": source.pk},
        watch=str(getattr(by, "pk", "") or ""),
    )


def ticket(what: ImportRun | Source) -> api.Ticket | None:
    source = what if isinstance(what, Source) else what.source
    return api.ticket(KIND, source.athlete.owner, subject(what))


def subject(what: ImportRun | Source) -> str:
    return f"{SOURCE if isinstance(what, Source) else IMPORT}/{what.pk}"


def runs(what: ImportRun | Source) -> "QuerySet[ImportRun]":
    return ImportRun.objects.filter(source=what) if isinstance(what, Source) else ImportRun.objects.filter(pk=what.pk)


def _content(what: ImportRun | Source) -> str:
    files = ImportFile.objects.filter(run__in=runs(what)).order_by("pk").values_list("pk", flat=True)
    return hashlib.sha256(" ".join(map(str, files)).encode()).hexdigest()


# Doing it, in the worker


def undo(run: api.Run) -> dict[str, int]:
    """Take file after file out again, the latest first, so that an archive goes after its members."""
    kind, _, number = run.subject.partition("/")
    doomed = ImportRun.objects.filter(**{"source" if kind == SOURCE else "pk": int(number)})
    with run.save():
        run.add_items([f"{file.pk} {file.sha256}" for file in _files(doomed)])
    left = ImportFile.objects.filter(run__in=doomed)
    total, done = left.count(), 0
    for item in run.items():
        pk, _, sha256 = item.key.partition(" ")
        with run.save():
            _take_out(int(pk), doomed)
        originals.forget(sha256)
        with run.save():
            item.ok()
        done += 1
        run.progress(done, max(total, done), "files taken out")
    with run.save():
        doomed.filter(files__isnull=True).delete()
        if kind == SOURCE:
            _drop(Source.objects.select_for_update(of=("self",)).filter(pk=int(number)).first())
    return {"files": done}


def _drop(source: Source | None) -> None:
    """Delete a source, locked, that has nothing any more; what was handed in meanwhile keeps it."""
    if source and not source.imports.exists():
        source.delete()


def _files(doomed: "QuerySet[ImportRun]") -> "Iterator[ImportFile]":
    return ImportFile.objects.filter(run__in=doomed).order_by("-pk").only("pk", "sha256").iterator()


def _take_out(pk: int, doomed: "QuerySet[ImportRun]") -> None:
    file = ImportFile.objects.select_related("run__source__athlete").filter(pk=pk).first()
    if file is None:
        return
    athlete = file.run.source.athlete
    settling.lock(athlete)
    heir = _heir(file, doomed)
    rows = Provenance.objects.filter(file=file)
    mine = {row.pk: row.activity_id for row in rows.only("activity")}
    pool = neighbours.around(athlete, list(mine), ruled=neighbours.rulings(athlete))
    told = telling.tell({row.file for row in pool} - {file.pk})
    said = telling.tell([file.pk]).get(file.pk)
    if heir:
        _hand_over(file, heir)
    else:
        rows.delete()
    seeds = [row.pk for row in pool if heir or row.pk not in mine]
    file.delete()
    settling.settle(athlete, seeds, stale={activity for activity in mine.values() if activity}, told=told)
    if heir:
        _tell_heir(heir, file, said)


def _heir(file: ImportFile, doomed: "QuerySet[ImportRun]") -> ImportFile | None:
    """Return the file of another import that brought the same bytes, which were there already then."""
    same = ImportFile.objects.filter(run__source__athlete=file.run.source.athlete, sha256=file.sha256)
    return same.filter(outcome=Outcome.DUPLICATE).exclude(run__in=doomed).exclude(pk=file.pk).order_by("pk").first()


def _hand_over(file: ImportFile, heir: ImportFile) -> None:
    """Give what came of the bytes to the file that brought them too."""
    Provenance.objects.filter(file=file).update(file=heir)
    if file.state.get("row") or heir.state.get("row"):  # what the table of an archive said of them goes with it
        for row in loading.rows(Provenance.objects.filter(file=heir)):
            recording = loading.read_again(row)
            if recording:
                stored.keep(row, recording)
    for model in (Night, Measure, DayCurve):
        if not model._default_manager.filter(file=heir).exists():
            model._default_manager.filter(file=file).update(file=heir)


def _tell_heir(heir: ImportFile, file: ImportFile, said: telling.Told | None) -> None:
    """Tell of the heir what was told of the file, but for what was its own."""
    outcome, sentence = file.outcome, file.sentence.removesuffix(str(file.state.get("note", ""))).strip()
    now = telling.tell([heir.pk]).get(heir.pk)
    if said and now:
        outcome, sentence = now[0], f"{now[1]} {sentence.removeprefix(said[1]).strip()}"
    sentence = f"{sentence} {heir.state.get('note', '')}".strip()
    ImportFile.objects.filter(pk=heir.pk).update(outcome=outcome, sentence=sentence[:1000])

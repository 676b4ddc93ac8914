"""What follows when the rows of a source changed: its texts are renewed and its data is checked, behind all else."""

from coach import backfill, quality
from coach.models import Athlete, ImportFile, ImportRun
from jobs import api

CHANGED = (ImportFile.Outcome.IMPORTED, ImportFile.Outcome.JOINED)


def of_import(ending: api.Ending) -> None:
    """Follow an import that ended, however it ended; the same files once more changed nothing."""
    run = ImportRun.objects.select_related("source__athlete").filter(pk=ending.subject).first()
    # An archive is only the place of its files.
    if run and run.files.filter(outcome__in=CHANGED, members__isnull=True).exclude(sha256="").exists():
        backfill.after_change(run.source.athlete)
        quality.ask(run.source, priority=api.PREFETCH)


def of_undo(ending: api.Ending) -> None:
    """Follow the undoing of an import or a source: what was derived of it is no longer so."""
    athlete = Athlete.objects.filter(pk=ending.owner.partition(":")[2]).first()
    if athlete and ending.items.get("ok"):
        backfill.after_change(athlete)

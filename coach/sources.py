"""Sources: edits that a person waits for, made while nothing else is at work on the source."""

from coach.models import Source
from jobs import api

EDIT = "rename"
api.hold_kind(EDIT, label="Renaming")


def rename(source: Source, name: str) -> None:
    """Give the source another name; raises LaneBusy, naming what is at work on it."""
    with api.hold(source.lane, EDIT):
        Source.objects.filter(pk=source.pk).update(name=name)

"""Sources: edits that a person waits for, made while nothing else is at work on the source."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from coach.models import Source
from jobs import api

MADE_BY_COACH = (_("My files"), _("Watched folder"))

EDIT = "rename"
api.hold_kind(EDIT, label="Renaming")


def rename(source: Source, name: str) -> None:
    """Give the source another name; raises LaneBusy, naming what is at work on it."""
    with api.hold(source.lane, EDIT):
        Source.objects.filter(pk=source.pk).update(name=name)


def called(name: str) -> str:
    """Return the name of a source as its athlete reads it; one that Coach gave itself is in their language."""
    return gettext(name) if name in MADE_BY_COACH else name


def meant(name: str) -> str:
    """Return the name that a source is kept by: the reverse of `called`."""
    return next((kept for kept in MADE_BY_COACH if name == gettext(kept)), name)

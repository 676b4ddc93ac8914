"""What the queue says of a job, in the reader's language. Its own sentences are English; others go by its reasons."""

import re
from datetime import datetime

from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from coach.retelling import retold
from jobs.api import Ticket

MOMENT = re.compile(r"\d\d:\d\d(:\d\d)? UTC")  # as the queue tells it, which has no reader
REASONS = {
    "disabled": _("The queue is switched off."),
    "no_worker": _("No worker that serves it is running."),
    "paused": _("It is paused by staff."),
    "hold": _("Something else is at work on the same thing."),
    "lane": _("Another job of the same source comes first."),
    "closed": _("The service is not answering; it is asked again later."),
    "recovering": _("It is next; the service has been away, and another job is trying it first."),
    "slot": _("It is next; every worker is busy with other jobs."),
    "seat": _("It is next; every place at the service is taken."),
    "gap": _("It is next; the service rests between calls."),
    "run_at": _("It is set for a later time."),
    "silent_worker": _("Its worker has fallen silent; the job moves on soon."),
}
ERRORS = {
    "down": _("The service did not answer."),
    "misconfigured": _("The service is not set up rightly; staff have to look at it."),
    "rejected": _("The service refused this."),
    "retry": _("It failed, also when it was tried again."),
}
KINDS = {
    "annotate": _("sentences"),
    "evaluate": _("evaluations"),
    "export": _("exports"),
    "import": _("imports"),
    "insight": _("texts"),
}


def is_english() -> bool:
    return (get_language() or "en").startswith("en")


def sentence(ticket: Ticket) -> str:
    """Return why a job waits or how it runs."""
    if is_english() or not ticket.sentence:
        return MOMENT.sub(clock(ticket.retry_at), ticket.sentence) if ticket.retry_at else ticket.sentence
    if ticket.reason in REASONS:
        return str(REASONS[ticket.reason])
    if ticket.status == "running":
        return gettext("It is being stopped.") if ticket.stopping else gettext("It is running.")
    if ticket.status == "enqueuing":
        return gettext("It is being put in line.")
    before = (ticket.position or 1) - 1
    return gettext("%(n)s before it.") % {"n": before} if before else gettext("It is next.")


def clock(moment: datetime) -> str:
    """Return a time as the reader's clock shows it, with the day where it is not today."""
    local = timezone.localtime(moment)
    return date(local, "H:i" if local.date() == timezone.localdate() else gettext("j M, H:i"))


def error(ticket: Ticket) -> str:
    """Return why a job failed; what has no words in the reader's language stays as it was written."""
    if is_english() or not ticket.error:
        return ticket.error
    told = retold(ticket.error)
    return told if told != ticket.error else str(ERRORS.get(ticket.error_kind, ticket.error))


def kind(name: str) -> str:
    return name if is_english() else str(KINDS.get(name, name))

"""The words of the insight panel while a text is waited for, and how often to ask again."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from django.conf import settings
from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach import queue_words
from jobs.api import Ticket

SLOWEST_MS = 15_000
FASTEST_MS = 1_000

READING = {
    "activity": _("Reading this session"),
    "week": _("Reading this week"),
    "load": _("Reading your load"),
    "today": _("Reading your day"),
    "recovery": _("Reading your nights"),
    "body": _("Reading your weight"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    state: str
    sentence: str
    why: tuple[str, ...] = ()
    poll_ms: int | None = None
    changed: str = ""
    short_version: bool = False  # show the narrator's text meanwhile


def of(ticket: Ticket | None, scope: str, *, zone: tzinfo, has_text: bool, reader: str = "") -> Said:
    """Say what the job of a missing text is doing."""
    if ticket is None:
        return Said(state="waiting", sentence=gettext("It has not been asked for yet."), poll_ms=None)
    if ticket.is_finished:
        return _ended(ticket, zone, reader)
    if ticket.status == "running":
        said = _running(ticket, scope)
    elif ticket.reason == "closed" or ticket.error_kind in ("down", "misconfigured"):
        said = _down(ticket, zone)
    else:
        said = _waiting(ticket, zone)
    if has_text and said.state == "waiting":
        return Said(
            state="renewing",
            sentence=said.sentence,
            why=said.why,
            poll_ms=said.poll_ms,
            changed=gettext("Your data has changed since. A new text is on its way."),
        )
    return said


def _waiting(ticket: Ticket, zone: tzinfo) -> Said:
    before = (ticket.position or 1) - 1
    line = _place(before)
    if ticket.reason == "run_at" and ticket.retry_at:
        failed = gettext("The last attempt did not succeed; the next one is at %(at)s.")
        line = (failed if ticket.error else gettext("It goes on at %(at)s.")) % {
            "at": f"{ticket.retry_at.astimezone(zone):%H:%M}"
        }
        return Said(state="waiting", sentence=line, why=_why(ticket), poll_ms=_poll_ms(ticket), short_version=True)
    if ticket.reason in ("paused", "no_worker", "disabled", "lane", "hold", "slot", "recovering"):
        line = _joined(line if before else gettext("In line for the coach."), queue_words.sentence(ticket))
    return Said(
        state="waiting", sentence=_joined(line, _start(ticket, zone)), why=_why(ticket), poll_ms=_poll_ms(ticket)
    )


def _place(before: int) -> str:
    if not before:
        return gettext("In line for the coach: you are next.")
    if before == 1:
        return gettext("In line for the coach: one before you.")
    return gettext("In line for the coach: %(n)s before you.") % {"n": before}


def _joined(*sentences: str) -> str:
    """Set a blank between sentences, which Chinese does without."""
    return " ".join(filter(None, sentences)).replace("。 ", "。")


def _start(ticket: Ticket, zone: tzinfo) -> str:
    if ticket.starts_from is None or ticket.starts_until is None or ticket.reason in ("paused", "no_worker"):
        return ""
    first = max(ticket.starts_from, timezone.now()).astimezone(zone)
    last = max(ticket.starts_until, timezone.now()).astimezone(zone)
    if (last - timezone.now()).total_seconds() < 60:
        return gettext("It starts within a minute.")
    if f"{first:%H:%M}" == f"{last:%H:%M}":
        return gettext("It starts at about %(at)s.") % {"at": f"{first:%H:%M}"}
    between = {"first": f"{first:%H:%M}", "last": f"{last:%H:%M}"}
    return gettext("It starts between %(first)s and %(last)s.") % between


def _why(ticket: Ticket) -> tuple[str, ...]:
    reasons = [queue_words.sentence(ticket)]
    if ticket.ahead:
        kinds = (f"{queue_words.kind(kind)} ({count})" for kind, count in sorted(ticket.ahead.items()))
        reasons.append(gettext("Before it: %(kinds)s.") % {"kinds": gettext(", ").join(kinds)})
    if ticket.usual_s:
        reasons.append(gettext("Writing one usually takes %(time)s.") % {"time": _range(*ticket.usual_s)})
    return tuple(reason for reason in reasons if reason)


def _running(ticket: Ticket, scope: str) -> Said:
    if ticket.reason == "silent_worker":
        return Said(state="writing", sentence=queue_words.sentence(ticket), poll_ms=5_000)
    if ticket.stopping:
        return Said(state="writing", sentence=gettext("Stopping."), poll_ms=FASTEST_MS)
    if ticket.progress and ticket.progress[2] == "checking":
        return Said(state="checking", sentence=gettext("Checking every number."), poll_ms=2_000)
    elapsed = round(ticket.elapsed_s or 0)
    reading = READING.get(scope, gettext("Reading your data"))
    said = gettext("%(reading)s … writing, %(span)s so far.") % {"reading": reading, "span": _span(elapsed)}
    if ticket.usual_s:
        said = gettext("%(reading)s … writing, %(span)s so far; usually %(usual)s.") % {
            "reading": reading,
            "span": _span(elapsed),
            "usual": _range(*ticket.usual_s),
        }
    return Said(state="writing", sentence=said, poll_ms=2_000 if elapsed < 60 else 5_000)


def _down(ticket: Ticket, zone: tzinfo) -> Said:
    parts = [gettext("The writing service is not answering")]
    if ticket.closed_since:
        parts.append(gettext(" since %(at)s") % {"at": f"{ticket.closed_since.astimezone(zone):%H:%M}"})
    if ticket.retry_at:
        parts.append(gettext("; next try %(at)s") % {"at": f"{ticket.retry_at.astimezone(zone):%H:%M}"})
    return Said(
        state="down",
        sentence="".join((*parts, gettext(". Here is the short version."))),
        why=_why(ticket),
        poll_ms=_poll_ms(ticket),
        short_version=True,
    )


def _ended(ticket: Ticket, zone: tzinfo, reader: str) -> Said:
    if ticket.status == "cancelled":
        by_reader = ticket.stop_by in ("", reader)
        return Said(
            state="stopped", sentence=gettext("You stopped this.") if by_reader else gettext("Staff stopped this.")
        )
    if ticket.status == "interrupted":
        cut = gettext("The writing was cut short; nothing of yours is lost.")
        return Said(state="failed", sentence=cut, short_version=True)
    if ticket.status == "failed":
        until = ""
        if ticket.ended_at and ticket.error_kind != "rejected":
            at = ticket.ended_at.timestamp() + settings.JOBS["COOLDOWN_SECONDS"]
            again = datetime.fromtimestamp(at, tz=zone)
            until = gettext("It will be tried again after %(at)s when you open this page.") % {"at": f"{again:%H:%M}"}
        return Said(
            state="failed",
            sentence=_joined(
                gettext("The text could not be written. The facts are complete; here is the short version."), until
            ),
            why=(queue_words.error(ticket),) if ticket.error else (),
            short_version=True,
        )
    return Said(state="failed", sentence=gettext("The text is no longer there."), short_version=True)


def _poll_ms(ticket: Ticket) -> int:
    """Ask every 2 s when it is near, slower with the expected wait."""
    base = int(settings.JOBS["POLL_SECONDS"] * 1000)
    expected = ticket.retry_at or ticket.starts_from
    if expected is None:
        return min(max(base, FASTEST_MS), SLOWEST_MS)
    wait_ms = (expected - timezone.now()).total_seconds() * 1000
    return int(min(max(base, wait_ms / 10, FASTEST_MS), SLOWEST_MS))


def _span(seconds: float) -> str:
    if seconds < 90:
        return gettext("%(n)s s") % {"n": round(seconds)}
    return gettext("%(n)s min") % {"n": round(seconds / 60)}


def _range(low: float, high: float) -> str:
    if high < 1:
        return gettext("less than a second")
    if high < 90:
        return _between(max(1, round(low)), round(high), unit=gettext("s"))
    return _between(max(1, round(low / 60)), max(1, round(high / 60)), unit=gettext("min"))


def _between(low: int, high: int, *, unit: str) -> str:
    if low < high:
        return gettext("%(low)s to %(high)s %(unit)s") % {"low": low, "high": high, "unit": unit}
    return gettext("about %(n)s %(unit)s") % {"n": high, "unit": unit}


def moment(then: datetime, now: datetime) -> str:
    """Relative within a day, a date after."""
    at = {"at": f"{then:%H:%M}"}
    if then.date() == now.date():
        return gettext("today %(at)s") % at
    if (now.date() - then.date()).days == 1:
        return gettext("yesterday %(at)s") % at
    return gettext("on %(day)s") % {"day": day(then)}


def day(moment: date) -> str:
    return formatted(moment, gettext("j F Y"))

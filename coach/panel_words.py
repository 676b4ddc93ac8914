"""The words of the insight panel while a text is waited for, and how often to ask again."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.conf import settings
from django.utils import timezone

from coach.scopes.facts import Facts
from jobs.api import Ticket

SLOWEST_MS = 15_000
FASTEST_MS = 1_000

READING = {
    "activity": "Reading this session",
    "week": "Reading this week",
    "load": "Reading your load",
    "today": "Reading your day",
    "recovery": "Reading your nights",
    "body": "Reading your weight",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    state: str
    sentence: str
    why: tuple[str, ...] = ()
    poll_ms: int | None = None
    changed: str = ""
    short_version: bool = False  # show the narrator's text meanwhile


def of(ticket: Ticket | None, facts: Facts, *, zone: tzinfo, has_text: bool, reader: str = "") -> Said:
    """Say what the job of a missing text is doing."""
    if ticket is None:
        return Said(state="waiting", sentence="It has not been asked for yet.", poll_ms=None)
    if ticket.is_finished:
        return _ended(ticket, zone, reader)
    if ticket.status == "running":
        said = _running(ticket, facts)
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
            changed="Your data has changed since. A new text is on its way.",
        )
    return said


def _waiting(ticket: Ticket, zone: tzinfo) -> Said:
    before = (ticket.position or 1) - 1
    place = {0: "you are next", 1: "one before you"}.get(before, f"{before} before you")
    line = f"In line for the coach: {place}."
    if ticket.reason == "run_at" and ticket.retry_at:
        line = f"The last attempt did not succeed; the next one is at {ticket.retry_at.astimezone(zone):%H:%M}."
        return Said(state="waiting", sentence=line, why=_why(ticket), poll_ms=_poll_ms(ticket), short_version=True)
    if ticket.reason in ("paused", "no_worker", "disabled", "lane", "hold", "slot", "recovering"):
        line = f"{line[:-1]}. {ticket.sentence}" if before else f"In line for the coach. {ticket.sentence}"
    return Said(
        state="waiting", sentence=f"{line} {_start(ticket, zone)}".strip(), why=_why(ticket), poll_ms=_poll_ms(ticket)
    )


def _start(ticket: Ticket, zone: tzinfo) -> str:
    if ticket.starts_from is None or ticket.starts_until is None or ticket.reason in ("paused", "no_worker"):
        return ""
    first = max(ticket.starts_from, timezone.now()).astimezone(zone)
    last = max(ticket.starts_until, timezone.now()).astimezone(zone)
    if (last - timezone.now()).total_seconds() < 60:
        return "It starts within a minute."
    if f"{first:%H:%M}" == f"{last:%H:%M}":
        return f"It starts at about {first:%H:%M}."
    return f"It starts between {first:%H:%M} and {last:%H:%M}."


def _why(ticket: Ticket) -> tuple[str, ...]:
    reasons = [ticket.sentence]
    if ticket.ahead:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(ticket.ahead.items()))
        reasons.append(f"Before it: {kinds}.")
    if ticket.usual_s:
        reasons.append(f"Writing one usually takes {_range(*ticket.usual_s)}.")
    return tuple(reason for reason in reasons if reason)


def _running(ticket: Ticket, facts: Facts) -> Said:
    if ticket.reason == "silent_worker":
        return Said(state="writing", sentence=ticket.sentence, poll_ms=5_000)
    if ticket.stopping:
        return Said(state="writing", sentence="Stopping.", poll_ms=FASTEST_MS)
    if ticket.progress and ticket.progress[2] == "checking":
        return Said(state="checking", sentence="Checking every number.", poll_ms=2_000)
    elapsed = round(ticket.elapsed_s or 0)
    usual = f"; usually {_range(*ticket.usual_s)}" if ticket.usual_s else ""
    sentence = f"{READING.get(facts.scope, 'Reading your data')} … writing, {_span(elapsed)} so far{usual}."
    return Said(state="writing", sentence=sentence, poll_ms=2_000 if elapsed < 60 else 5_000)


def _down(ticket: Ticket, zone: tzinfo) -> Said:
    since = f" since {ticket.closed_since.astimezone(zone):%H:%M}" if ticket.closed_since else ""
    again = f"; next try {ticket.retry_at.astimezone(zone):%H:%M}" if ticket.retry_at else ""
    return Said(
        state="down",
        sentence=f"The writing service is not answering{since}{again}. Here is the short version.",
        why=_why(ticket),
        poll_ms=_poll_ms(ticket),
        short_version=True,
    )


def _ended(ticket: Ticket, zone: tzinfo, reader: str) -> Said:
    if ticket.status == "cancelled":
        by_reader = ticket.stop_by in ("", reader)
        return Said(state="stopped", sentence="You stopped this." if by_reader else "Staff stopped this.")
    if ticket.status == "interrupted":
        return Said(state="failed", sentence="The writing was cut short; nothing of yours is lost.", short_version=True)
    if ticket.status == "failed":
        until = ""
        if ticket.ended_at and ticket.error_kind != "rejected":
            at = ticket.ended_at.timestamp() + settings.JOBS["COOLDOWN_SECONDS"]
            again = datetime.fromtimestamp(at, tz=zone)
            until = f" It will be tried again after {again:%H:%M} when you open this page."
        return Said(
            state="failed",
            sentence=f"The text could not be written. The facts are complete; here is the short version.{until}",
            why=(ticket.error,) if ticket.error else (),
            short_version=True,
        )
    return Said(state="failed", sentence="The text is no longer there.", short_version=True)


def _poll_ms(ticket: Ticket) -> int:
    """Ask every 2 s when it is near, slower with the expected wait."""
    base = int(settings.JOBS["POLL_SECONDS"] * 1000)
    expected = ticket.retry_at or ticket.starts_from
    if expected is None:
        return min(max(base, FASTEST_MS), SLOWEST_MS)
    wait_ms = (expected - timezone.now()).total_seconds() * 1000
    return int(min(max(base, wait_ms / 10, FASTEST_MS), SLOWEST_MS))


def _span(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"


def _range(low: float, high: float) -> str:
    if high < 1:
        return "less than a second"
    if high < 90:
        return f"{max(1, round(low))} to {round(high)} s" if round(low) < round(high) else f"about {round(high)} s"
    low_min, high_min = max(1, round(low / 60)), max(1, round(high / 60))
    return f"{low_min} to {high_min} min" if low_min < high_min else f"about {high_min} min"


def moment(then: datetime, now: datetime) -> str:
    """Relative within a day, a date after."""
    if then.date() == now.date():
        return f"today {then:%H:%M}"
    days = (now.date() - then.date()).days
    return f"yesterday {then:%H:%M}" if days == 1 else f"on {then:%-d %B %Y}"

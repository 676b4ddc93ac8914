"""Reads planned sessions from a calendar file (iCalendar, RFC 5545): events with their day, title and duration."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from coach.formats.ics_lines import Raw, events
from coach.formats.ics_moments import NoMoment, began_day, lasting, local_day, moment
from coach.formats.repeats import BadRule, Rule

MOST_BYTES = 5_000_000
MOST_EVENTS = 2_000
MOST_SESSIONS = 2_000
MOST_SKIPPED_DAYS = 1_000  # exceptions of one event
BACK_DAYS, AHEAD_DAYS = 28, 366
DAY = timedelta(days=1)
type Window = tuple[date, date]


class NoCalendar(Exception):
    """The bytes are no calendar; the message says what to do."""


class BadEvent(Exception):
    """An event that cannot be read; it is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    uid: str  # of fixed length, the same whenever the event comes in again
    series: str  # of the event that it is one repeat of
    day: date
    title: str
    note: str = ""
    categories: str = ""
    duration_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    sessions: tuple[Session, ...]
    series: frozenset[str]  # every event that was read, also those of which nothing is left
    broken: int = 0
    outside: int = 0  # events without a day among the last four weeks and the year ahead
    left: int = 0  # events beyond what one file may hold


def read(data: bytes, *, today: date, zone: tzinfo) -> Calendar:
    """Read what lies between four weeks ago and a year ahead; raises NoCalendar. `zone` is the athlete's own."""
    if len(data) > MOST_BYTES:
        raise NoCalendar(f"This calendar is larger than {MOST_BYTES // 1_000_000} MB. Export the coming year alone.")
    text = data.decode("utf-8-sig", errors="replace").replace("\x00", "")
    if "BEGIN:VCALENDAR" not in text[:2000].upper():
        raise NoCalendar("This is no calendar file. Export your plan as iCalendar; the name of the file ends in .ics.")
    return gathered(events(text), window=(today - DAY * BACK_DAYS, today + DAY * AHEAD_DAYS), zone=zone)


def gathered(raws: Iterable[Raw], *, window: Window, zone: tzinfo) -> Calendar:
    found: dict[str, Session] = {}
    moved: dict[str, Session | None] = {}  # single repeats that the calendar moved or called off
    series: set[str] = set()
    broken = outside = left = 0
    for number, raw in enumerate(raws):
        try:
            name, sessions = of_event(raw, window=window, zone=zone) if number < MOST_EVENTS else ("", [])
        except (BadEvent, BadRule, NoMoment, OverflowError, ValueError):
            broken += 1
            continue
        if not name or len(found) + len(sessions) > MOST_SESSIONS:
            left += 1
            continue
        series.add(name)
        if raw.first("RECURRENCE-ID"):
            moved[repeat_of(raw, name, zone)] = sessions[0] if sessions else None
            continue
        outside += not sessions and not cancelled(raw)
        found |= {session.uid: session for session in sessions}
    for uid, session in moved.items():
        found.pop(uid, None)
        found |= {uid: session} if session else {}
    return Calendar(
        sessions=tuple(sorted(found.values(), key=lambda session: (session.day, session.uid))),
        series=frozenset(series),
        broken=broken,
        outside=outside,
        left=left,
    )


def of_event(raw: Raw, *, window: Window, zone: tzinfo) -> tuple[str, list[Session]]:
    """Return the name of the series and its sessions within the window."""
    start = raw.first("DTSTART")
    if start is None:
        raise BadEvent("it has no start")
    began, name = moment(*start), series_of(raw)
    base = session_of(raw, began, name=name, zone=zone)
    if cancelled(raw):
        return name, []
    if raw.first("RECURRENCE-ID"):
        return name, within([replace(base, uid=repeat_of(raw, name, zone))], window)
    rule = raw.first("RRULE")
    return name, within(repeated(raw, base, rule[1], began=began_day(began), window=window) if rule else [base], window)


def session_of(raw: Raw, began: date | datetime, *, name: str, zone: tzinfo) -> Session:
    ended = raw.first("DTEND")
    return Session(
        uid=name,
        series=name,
        day=local_day(began, zone),
        title=raw.text("SUMMARY", most=200) or "Session",
        note=raw.text("DESCRIPTION", most=1000),
        categories=raw.text("CATEGORIES", most=200),
        duration_s=lasting(began, moment(*ended) if ended else None, raw.first("DURATION")),
    )


def repeated(raw: Raw, base: Session, rule: str, *, began: date, window: Window) -> list[Session]:
    """Return the repeats; they are counted on the calendar of the event's own zone, whose days may be others here."""
    shift = base.day - began
    skipped = {began_day(day) for day in exceptions(raw)}
    days = Rule.read(rule, start=began).days(window[0] - shift, window[1] - shift)
    named = (day + shift for day in days if day not in skipped)
    return [replace(base, uid=f"{base.series}/{day.isoformat()}", day=day) for day in named]


def repeat_of(raw: Raw, name: str, zone: tzinfo) -> str:
    """Return the name of the repeat that an event stands for: that of the day it would have been on."""
    meant = raw.first("RECURRENCE-ID")
    return f"{name}/{local_day(moment(*meant), zone).isoformat()}" if meant else name


def within(sessions: list[Session], window: Window) -> list[Session]:
    return [session for session in sessions if window[0] <= session.day <= window[1]]


def series_of(raw: Raw) -> str:
    """Return a short name of the event's UID; without one, of what it says."""
    uid = raw.first("UID")
    said = uid[1].strip() if uid and uid[1].strip() else f"{raw.text('SUMMARY', most=200)}|{raw.first('DTSTART')}"
    return hashlib.sha256(said.encode(errors="replace")).hexdigest()[:40]


def cancelled(raw: Raw) -> bool:
    return raw.text("STATUS", most=20).upper() == "CANCELLED"


def exceptions(raw: Raw) -> list[date | datetime]:
    found: list[date | datetime] = []
    for parameters, value in raw.lines.get("EXDATE", [])[:MOST_SKIPPED_DAYS]:
        found += [moment(parameters, part) for part in value.split(",")[:MOST_SKIPPED_DAYS]]
    return found[:MOST_SKIPPED_DAYS]

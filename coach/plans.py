"""Goals and planned sessions: by hand, or from a calendar file. Nothing of it is ever counted as done."""

from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from coach.formats import ics
from coach.formats.ics import Calendar, NoCalendar, Session
from coach.models import Athlete, Goal, Planned

SHOWN_BACK = timedelta(days=7)
MOST_PLANNED = 3_000  # an athlete; so that no page and no export grows without end
MOST_GOALS = 50
SPORTS = (
    ("running", _("Running")),
    ("cycling", _("Cycling")),
    ("swimming", _("Swimming")),
    ("walking", _("Walking")),
    ("hiking", _("Hiking")),
    ("rowing", _("Rowing")),
    ("cross_country_skiing", _("Cross-country skiing")),
    ("training", _("Strength")),
)
WORDS = (  # of titles and categories, the surest first
    ("swimming", ("swim", "pool", "schwimm")),
    ("rowing", ("rowing", "ergometer", "rudern")),
    ("cross_country_skiing", ("ski ", "skiing", "skilang")),
    ("training", ("strength", "gym", "weights", "core", "kraft")),
    ("running", ("run", "jog", "lauf", "marathon")),
    ("cycling", ("ride", "bike", "cycl", "rad", "zwift", "spin")),
    ("hiking", ("hike", "hiking", "wander")),
    ("walking", ("walk", "spazier")),
)
FIELDS = ("day", "title", "sport", "duration_s", "note")


class Refused(Exception):
    """The plan stays as it was; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    new: int
    changed: int
    gone: int


def goals(athlete: Athlete) -> QuerySet[Goal]:
    return Goal.objects.filter(athlete=athlete)


def planned(athlete: Athlete) -> QuerySet[Planned]:
    """Return what lies ahead, and the last days of what lay ahead."""
    return Planned.objects.filter(athlete=athlete, day__gte=athlete.today() - SHOWN_BACK)


def add_goal(goal: Goal) -> None:
    with transaction.atomic():
        Athlete.objects.select_for_update().get(pk=goal.athlete_id)
        if goals(goal.athlete).count() >= MOST_GOALS:
            raise Refused(f"You have {MOST_GOALS} goals. Remove some that are over first.")
        goal.save()


def add_session(session: Planned) -> None:
    with transaction.atomic():
        Athlete.objects.select_for_update().get(pk=session.athlete_id)
        if Planned.objects.filter(athlete=session.athlete_id).count() >= MOST_PLANNED:
            raise Refused(f"You have {MOST_PLANNED} planned sessions. Remove those that are over first.")
        session.save()


def read_calendar(athlete: Athlete, data: bytes) -> str:
    """Store the sessions of a calendar file and return a sentence of what became of it; raises Refused."""
    try:
        calendar = ics.read(data, today=athlete.today(), zone=ZoneInfo(athlete.time_zone))
    except NoCalendar as error:
        raise Refused(str(error)) from error
    return sentence(calendar, store(athlete, calendar))


def store(athlete: Athlete, calendar: Calendar) -> Counts:
    """Put each event in place of itself, and take out repeats that its series no longer has; twice it stands once."""
    with transaction.atomic():
        Athlete.objects.select_for_update().get(pk=athlete.pk)
        known = {row.uid: row for row in Planned.objects.filter(athlete=athlete).exclude(uid="")}
        wanted = {session.uid: session for session in calendar.sessions}
        gone = [row.pk for uid, row in known.items() if uid not in wanted and is_dropped(row, uid, athlete, calendar)]
        Planned.objects.filter(pk__in=gone).delete()
        new = [of_session(Planned(athlete=athlete), session) for uid, session in wanted.items() if uid not in known]
        if Planned.objects.filter(athlete=athlete).count() + len(new) > MOST_PLANNED:
            raise Refused(f"That would be more than {MOST_PLANNED} planned sessions. Remove those that are over first.")
        changed = [known[uid] for uid, session in wanted.items() if uid in known and is_changed(known[uid], session)]
        for row in changed:
            of_session(row, wanted[row.uid])
        Planned.objects.bulk_update(changed, FIELDS, batch_size=500)
        Planned.objects.bulk_create(new, batch_size=500)
    return Counts(new=len(new), changed=len(changed), gone=len(gone))


def of_session(row: Planned, session: Session) -> Planned:
    row.uid = session.uid
    for name, value in values(session).items():
        setattr(row, name, value)
    return row


def values(session: Session) -> dict[str, object]:
    return {
        "day": session.day,
        "title": session.title,
        "sport": sport_of(session),
        "duration_s": session.duration_s,
        "note": session.note,
    }


def is_changed(row: Planned, session: Session) -> bool:
    return any(getattr(row, name) != value for name, value in values(session).items())


def is_dropped(row: Planned, uid: str, athlete: Athlete, calendar: Calendar) -> bool:
    """Say whether the file knows the series and no longer has this day, which lies in what it was read for."""
    return uid.partition("/")[0] in calendar.series and row.day >= athlete.today()


def sport_of(session: Session) -> str:
    """Guess the sport from categories and title; a word begins with what it is known by."""
    said = f" {session.categories} {session.title} ".lower()
    return next((sport for sport, words in WORDS if any(f" {word}" in said for word in words)), "")


def sentence(calendar: Calendar, counts: Counts) -> str:
    """Say what became of the file; what could not be read is counted."""
    same = len(calendar.sessions) - counts.new - counts.changed
    parts = [(counts.new, "new"), (counts.changed, "changed"), (same, "as before"), (counts.gone, "taken out")]
    said = [f"{number} {word}" for number, word in parts if number]
    sentences = [f"Sessions of the calendar: {', '.join(said)}." if said else "No session of the calendar lies ahead."]
    if calendar.outside:
        sentences.append(f"{_events(calendar.outside)} outside of the coming year.")
    if calendar.broken:
        sentences.append(f"{_events(calendar.broken, 'could not be read', 'could not be read')} and left out.")
    if calendar.left:
        sentences.append(f"{_events(calendar.left, 'is', 'are')} beyond what one file may hold and left out.")
    return " ".join(sentences)


def _events(count: int, one: str = "lies", many: str = "lie") -> str:
    return f"1 event {one}" if count == 1 else f"{count} events {many}"

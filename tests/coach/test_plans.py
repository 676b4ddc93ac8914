"""Plans from calendar files: each event once, changes in place, and what its series dropped is gone."""

import threading
from datetime import date, timedelta

import pytest
from django.db import connection

from coach import plans
from coach.models import Planned
from tests import factories

DAY = timedelta(days=1)


@pytest.fixture
def ana(db):
    return factories.athlete()


def stamp(day: date) -> str:
    return f"{day:%Y%m%d}"


def calendar(*events: str) -> bytes:
    return "\r\n".join(["BEGIN:VCALENDAR", *events, "END:VCALENDAR"]).encode()


def event(day: date, *lines: str, uid: str = "a", title: str = "Easy run") -> str:
    start = f"DTSTART;VALUE=DATE:{stamp(day)}"
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", start, f"SUMMARY:{title}", *lines, "END:VEVENT"])


def test_a_file_sent_again_changes_nothing(ana):
    data = calendar(event(ana.today()), event(ana.today() + DAY, uid="b"))
    assert plans.read_calendar(ana, data) == "Sessions of the calendar: 2 new."
    before = list(Planned.objects.values())
    assert plans.read_calendar(ana, data) == "Sessions of the calendar: 2 as before."
    assert list(Planned.objects.values()) == before


def test_an_event_that_moved_is_the_same_session(ana):
    plans.read_calendar(ana, calendar(event(ana.today())))
    row = Planned.objects.get()
    assert plans.read_calendar(ana, calendar(event(ana.today() + DAY, title="Hills"))).endswith("1 changed.")
    moved = Planned.objects.get()
    assert (moved.pk, moved.day, moved.title) == (row.pk, ana.today() + DAY, "Hills")


def test_repeats_that_a_series_dropped_are_taken_out_and_those_that_are_over_stay(ana):
    first = ana.today() - DAY
    plans.read_calendar(ana, calendar(event(first, "RRULE:FREQ=DAILY;COUNT=5")))
    dropped = f"EXDATE;VALUE=DATE:{stamp(first)},{stamp(first + 2 * DAY)}"
    said = plans.read_calendar(ana, calendar(event(first, "RRULE:FREQ=DAILY;COUNT=5", dropped)))
    assert said == "Sessions of the calendar: 3 as before, 1 taken out."
    assert [row.day for row in Planned.objects.all()] == [first, first + DAY, first + 3 * DAY, first + 4 * DAY]


def test_sessions_by_hand_and_of_other_calendars_are_left_alone(ana):
    Planned.objects.create(athlete=ana, day=ana.today(), title="By hand")
    plans.read_calendar(ana, calendar(event(ana.today(), uid="other")))
    plans.read_calendar(ana, calendar(event(ana.today())))
    assert Planned.objects.count() == 3


def test_two_athletes_may_have_the_same_calendar(ana):
    ben = factories.athlete("ben")
    for owner in (ana, ben):
        plans.read_calendar(owner, calendar(event(owner.today())))
    assert Planned.objects.filter(athlete=ben).count() == 1


@pytest.mark.parametrize(
    ("title", "sport"),
    [
        ("Easy run", "running"),
        ("Long ride", "cycling"),
        ("Pool: 10x100", "swimming"),
        ("Skills and drills", ""),
        ("Gym", "training"),
        ("Runner's strength", "training"),
        ("Dinner", ""),
    ],
)
def test_the_sport_is_guessed_from_the_title(ana, title, sport):
    plans.read_calendar(ana, calendar(event(ana.today(), title=title)))
    assert Planned.objects.get().sport == sport


def test_what_could_not_be_read_is_counted_in_words(ana):
    said = plans.read_calendar(
        ana, calendar(event(ana.today(), "RRULE:FREQ=MONTHLY"), event(date(2001, 1, 1), uid="b"))
    )
    assert said == (
        "No session of the calendar lies ahead. 1 event lies outside of the coming year. "
        "1 event could not be read and left out."
    )


def test_a_plan_does_not_grow_without_end(ana, monkeypatch):
    monkeypatch.setattr(plans, "MOST_PLANNED", 3)
    with pytest.raises(plans.Refused, match="more than 3"):
        plans.read_calendar(ana, calendar(event(ana.today(), "RRULE:FREQ=DAILY;COUNT=4")))
    assert not Planned.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_calendar_sent_twice_at_once_stands_once():
    owner = factories.athlete("cleo")
    data = calendar(event(owner.today(), "RRULE:FREQ=DAILY;COUNT=40"))
    gate, wrong = threading.Barrier(4), []

    def send() -> None:
        try:
            gate.wait(10)
            plans.read_calendar(owner, data)
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert wrong == []
    assert Planned.objects.filter(athlete=owner).count() == 40

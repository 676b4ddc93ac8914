"""Calendar files: days on the athlete's clock, repeats that are counted, and nothing that a hostile one can do."""

import random
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from coach.formats import ics
from coach.formats.ics import Calendar, NoCalendar

TODAY = date(2026, 11, 26)
BERLIN = ZoneInfo("Europe/Berlin")


def event(*lines: str, uid: str = "a", start: str = "DTSTART;VALUE=DATE:20261130") -> str:
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", start, "SUMMARY:Easy run", *lines, "END:VEVENT"])


def read(*events: str, zone: ZoneInfo = BERLIN) -> Calendar:
    text = "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *events, "END:VCALENDAR"])
    return ics.read(text.encode(), today=TODAY, zone=zone)


def days(calendar: Calendar) -> list[str]:
    return [session.day.isoformat() for session in calendar.sessions]


def test_an_event_of_a_day() -> None:
    (session,) = read(event()).sessions
    assert (session.day, session.title, session.duration_s) == (date(2026, 11, 30), "Easy run", None)


def test_lines_are_unfolded_and_escapes_undone() -> None:
    (session,) = read(event(r"DESCRIPTION:4 x 4 min\, hard\;\n then\\easy", "  and home")).sessions
    assert session.note == "4 x 4 min, hard; then\\easy and home"


@pytest.mark.parametrize(
    ("start", "day"),
    [
        ("DTSTART:20261130T233000Z", "2026-12-01"),  # half past midnight in Berlin
        ("DTSTART;TZID=America/Los_Angeles:20261130T180000", "2026-12-01"),
        ("DTSTART;TZID=Europe/Berlin:20261130T233000", "2026-11-30"),
        ('DTSTART;TZID="Europe/Berlin":20261130T2330', "2026-11-30"),
        ("DTSTART;TZID=W. Europe Standard Time:20261130T233000", "2026-11-30"),
        ("DTSTART:20261130T233000", "2026-11-30"),
    ],
)
def test_the_day_is_the_athletes(start: str, day: str) -> None:
    assert days(read(event(start=start))) == [day]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("DTEND;TZID=Europe/Berlin:20261130T191500", 4500),
        ("DURATION:PT1H30M", 5400),
        ("DURATION:P1W", None),
        ("DTEND;TZID=Europe/Berlin:20261130T170000", None),
        ("DTEND:20261130T171500Z", 900),
        ("X-NOTHING:1", None),
    ],
)
def test_how_long_it_lasts(line: str, seconds: float | None) -> None:
    (session,) = read(event(line, start="DTSTART;TZID=Europe/Berlin:20261130T180000")).sessions
    assert session.duration_s == seconds


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY;COUNT=3", ["2026-11-30", "2026-12-01", "2026-12-02"]),
        ("FREQ=DAILY;INTERVAL=2;UNTIL=20261204T235959Z", ["2026-11-30", "2026-12-02", "2026-12-04"]),
        ("FREQ=WEEKLY;COUNT=2", ["2026-11-30", "2026-12-07"]),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=4", ["2026-11-30", "2026-12-02", "2026-12-04", "2026-12-07"]),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=4;WKST=SU",
            ["2026-11-30", "2026-12-13", "2026-12-14", "2026-12-27"],
        ),
    ],
)
def test_days_and_weeks_are_repeated(rule: str, expected: list[str]) -> None:
    assert days(read(event(f"RRULE:{rule}"))) == expected


def test_a_rule_without_an_end_reaches_a_year_ahead() -> None:
    found = days(read(event("RRULE:FREQ=WEEKLY")))
    assert len(found) == 52
    assert found[-1] <= (TODAY + timedelta(days=366)).isoformat()


def test_repeats_that_began_years_ago_are_counted_from_then() -> None:
    start = "DTSTART;VALUE=DATE:20160101"
    ago = (date(2026, 11, 26) - date(2016, 1, 1)).days
    assert days(read(event(f"RRULE:FREQ=DAILY;COUNT={ago + 2}", start=start)))[-1] == "2026-11-27"
    assert read(event("RRULE:FREQ=DAILY;COUNT=100", start=start)).sessions == ()


def test_days_that_are_left_out_moved_or_called_off() -> None:
    rule = event("RRULE:FREQ=DAILY;COUNT=5", "EXDATE;VALUE=DATE:20261201,20261202")
    moved = event("RECURRENCE-ID;VALUE=DATE:20261203", start="DTSTART;VALUE=DATE:20261210")
    off = event("RECURRENCE-ID;VALUE=DATE:20261204", "STATUS:CANCELLED", start="DTSTART;VALUE=DATE:20261204")
    assert days(read(rule)) == ["2026-11-30", "2026-12-03", "2026-12-04"]
    assert days(read(off, rule, moved)) == ["2026-11-30", "2026-12-10"]
    assert read(event("STATUS:CANCELLED")).sessions == ()


def test_repeats_keep_the_evening_of_their_own_zone() -> None:
    start = "DTSTART;TZID=America/Los_Angeles:20261130T180000"  # Tuesday morning in Berlin
    assert days(read(event("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2", start=start))) == ["2026-12-01", "2026-12-08"]


def test_names_stay_the_same_whenever_a_file_comes_in() -> None:
    first, second = read(event("RRULE:FREQ=DAILY;COUNT=3")), read(event("RRULE:FREQ=DAILY;COUNT=3"))
    assert [session.uid for session in first.sessions] == [session.uid for session in second.sessions]
    assert len({session.uid for session in first.sessions}) == 3
    assert max(len(session.uid) for session in read(event(uid="x" * 3000)).sessions) < 60


def test_alarms_and_zones_are_not_part_of_the_event() -> None:
    alarm = "BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Wake\r\nDURATION:PT9H\r\nEND:VALARM"
    change = "BEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY\r\nEND:STANDARD"
    zone = f"BEGIN:VTIMEZONE\r\n{change}\r\nEND:VTIMEZONE"
    calendar = read(zone, event(alarm, start="DTSTART:20261130T180000"))
    (session,) = calendar.sessions
    assert (session.note, session.duration_s, calendar.broken) == ("", None, 0)


@pytest.mark.parametrize(
    "broken",
    [
        event(start="DTSTART:soon"),
        event(start="DTSTART:20261399"),
        event(start="X:1"),
        event("RRULE:FREQ=MONTHLY"),
        event("RRULE:FREQ=DAILY;COUNT=-1"),
        event("RRULE:FREQ=WEEKLY;BYDAY=1MO"),
        event("RRULE:FREQ=DAILY;BYDAY=MO"),
        event("RRULE:"),
        event("EXDATE:never", "RRULE:FREQ=DAILY"),
    ],
)
def test_a_broken_event_is_counted_and_the_others_stay(broken: str) -> None:
    calendar = read(broken, event(uid="b"))
    assert (len(calendar.sessions), calendar.broken) == (1, 1)


def test_what_lies_elsewhere_in_time_is_counted() -> None:
    calendar = read(event(start="DTSTART;VALUE=DATE:20200101"), event(uid="b", start="DTSTART;VALUE=DATE:20300101"))
    assert (calendar.sessions, calendar.outside) == ((), 2)


@pytest.mark.parametrize("data", [b"", b"buy milk", b"\xff\xfe\x00", b"<html>", b"BEGIN:VEVENT\r\nEND:VEVENT"])
def test_what_is_no_calendar_is_told_so(data: bytes) -> None:
    with pytest.raises(NoCalendar, match=r"\.ics"):
        ics.read(data, today=TODAY, zone=BERLIN)


def test_a_calendar_that_is_too_large_is_not_read() -> None:
    with pytest.raises(NoCalendar, match="5 MB"):
        ics.read(b"BEGIN:VCALENDAR" + b" " * ics.MOST_BYTES, today=TODAY, zone=BERLIN)


HOSTILE = (
    event("RRULE:FREQ=DAILY;COUNT=999999;INTERVAL=1", start="DTSTART;VALUE=DATE:00010101"),
    event("RRULE:FREQ=WEEKLY;INTERVAL=999999;BYDAY=MO", start="DTSTART;VALUE=DATE:00010101"),
    event("EXDATE:" + ",".join(["20261201"] * 400), "RRULE:FREQ=DAILY"),
    event("RRULE:FREQ=DAILY;UNTIL=99991231"),
    event("SUMMARY:" + "x" * 100_000 + "\r\n y" * 1000),
    event(start="DTSTART:99991231T235959Z"),
    event(start="DTSTART;TZID=../../etc/passwd:20261130T180000"),
    event(start="DTSTART;TZID=" + "A" * 3000 + ":20261130T180000"),
    "BEGIN:VEVENT\r\n" * 3000,
    "END:VEVENT\r\n" * 3000,
    event("DURATION:P" + "9" * 2000 + "D"),
    event("SUMMARY:\u202e\u0000<script>alert(1)</script>\x07"),
)


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_event_harms_nothing(hostile: str) -> None:
    calendar = read(hostile, "\r\nEND:VALARM", event(uid="b"))
    is_bounded(calendar)


def test_many_events_end_at_what_one_file_may_hold() -> None:
    many = [event(uid=str(number)) for number in range(ics.MOST_EVENTS + 10)]
    calendar = read(*many)
    assert (len(calendar.sessions), calendar.left) == (ics.MOST_EVENTS, 10)
    daily = read(*(event("RRULE:FREQ=DAILY", uid=str(number)) for number in range(20)))
    assert len(daily.sessions) <= ics.MOST_SESSIONS
    assert daily.left
    assert len(daily.series) == 20 - daily.left  # of what was cut off nothing is taken out


def is_bounded(calendar: Calendar) -> None:
    assert len(calendar.sessions) <= ics.MOST_SESSIONS
    for session in calendar.sessions:
        assert TODAY - timedelta(days=28) <= session.day <= TODAY + timedelta(days=366)
        assert len(session.title) <= 200
        assert len(session.note) <= 1000
        assert len(session.uid) <= 60
        assert session.title.isprintable()
        assert session.duration_s is None or 0 < session.duration_s <= 86_400


def test_whatever_is_done_to_the_bytes_only_a_sentence_comes_of_it() -> None:
    whole = "\r\n".join(
        ["BEGIN:VCALENDAR", *HOSTILE[:4], event("RRULE:FREQ=WEEKLY;BYDAY=MO,FR;COUNT=9"), "END:VCALENDAR"]
    )
    data, chance = whole.encode(), random.Random(5)
    for _ in range(400):
        bad = bytearray(data)
        for _ in range(chance.randint(1, 12)):
            place = chance.randrange(len(bad))
            match chance.randrange(4):
                case 0:
                    bad[place] = chance.randrange(256)
                case 1:
                    del bad[place : place + chance.randint(1, 60)]
                case 2:
                    bad[place:place] = bad[place : place + chance.randint(1, 200)]
                case _:
                    bad[place:place] = chance.choice(
                        [b"\r\n", b"\n ", b'"', b";", b":", b"\x00", b"BEGIN:VEVENT\r\n", b"=9"]
                    )
        try:
            is_bounded(ics.read(bytes(bad), today=TODAY, zone=BERLIN))
        except NoCalendar:
            continue

"""Goals and plan by hand and by file: saved, shown on today and week, removed, and never counted as done."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from coach.models import Goal, Planned
from tests.coach.test_plans import calendar, event


def session(client, **values):
    given = {"session-title": "Easy hour", "session-day": "2199-01-01", "session-sport": "running", "session": "1"}
    return client.post(reverse("plan"), given | {f"session-{name}": value for name, value in values.items()})


def test_a_session_by_hand_is_on_the_plan_today_and_in_the_week(as_ana, ana):
    assert session(as_ana, day=ana.today(), duration="1:30", load="65,5").url == reverse("plan")
    row = Planned.objects.get()
    assert (row.duration_s, row.load, row.sport, row.uid) == (5400, 65.5, "running", "")
    assert "Easy hour" in as_ana.get(reverse("plan")).content.decode()
    assert "Easy hour" in as_ana.get(reverse("today")).content.decode()
    week = as_ana.get(reverse("week")).content.decode()
    assert 'class="outline"' in week
    assert 'class="session"' not in week
    as_ana.post(reverse("planned_delete", args=[row.pk]))
    assert not Planned.objects.exists()


def test_minutes_are_a_duration_too(as_ana, ana):
    session(as_ana, day=ana.today(), duration="90")
    assert Planned.objects.get().duration_s == 5400


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""}, {"title": "x" * 300}, {"day": ""}, {"day": "soon"}, {"day": "2001-01-01"}, {"day": "2199-01-01"},
        {"duration": "long"}, {"duration": "0"}, {"duration": "1e9"}, {"duration": "nan"}, {"load": "-5"},
        {"load": "much"}, {"load": "inf"}, {"sport": "chess"},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_sentence(as_ana, ana, wrong):
    response = session(as_ana, **{"day": ana.today(), **wrong})
    assert response.status_code == 422
    assert 'class="error"' in response.content.decode()
    assert not Planned.objects.exists()


def test_a_goal_is_counted_down_on_today(as_ana, ana):
    day = ana.today() + timedelta(days=12)
    as_ana.post(reverse("plan"), {"goal-name": "Spring race", "goal-day": day, "goal-sport": "", "goal": "1"})
    body = as_ana.get(reverse("today")).content.decode()
    assert "Spring race" in body
    assert "in 12 days" in body
    as_ana.post(reverse("goal_delete", args=[Goal.objects.get().pk]))
    assert not Goal.objects.exists()


def goal(client, **values):
    given = {"goal-name": "Spring race", "goal-day": "", "goal-sport": "running", "goal": "1"}
    return client.post(reverse("plan"), given | {f"goal-{name}": value for name, value in values.items()}, follow=True)


def test_a_goal_with_its_distance_and_time_stands_on_plan_today_and_week(as_ana, ana):
    goal(as_ana, day=ana.today(), distance="42,195", target="3:30:00")
    row = Goal.objects.get()
    assert (row.distance_m, row.target_s, row.sport) == (42_195.0, 12_600.0, "running")
    for name in ("plan", "today", "week"):
        body = as_ana.get(reverse(name)).content.decode()
        assert "Spring race" in body, name
        assert "42.2 km in 3:30:00" in body, name


def test_miles_are_miles_for_those_who_read_them(as_ana, ana):
    ana.units = "imperial"
    ana.save()
    assert "Distance (mi)" in as_ana.get(reverse("plan")).content.decode()
    assert "13.1 mi" in goal(as_ana, day=ana.today(), distance="13.1").content.decode()
    assert Goal.objects.get().distance_m == pytest.approx(21_082.4)


def test_a_goal_needs_neither_distance_nor_time(as_ana, ana):
    goal(as_ana, day=ana.today())
    assert (Goal.objects.get().distance_m, Goal.objects.get().target_s) == (None, None)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"distance": "far"}, "Give the distance as a number"),
        ({"distance": "-5"}, "This should lie above 0"),
        ({"distance": "nan"}, "This should lie above 0"),
        ({"distance": "1e9"}, "This should lie above 0"),
        ({"target": "soon"}, "Write the time like 3:30:00"),
        ({"target": "0:00"}, "Write the time like 3:30:00"),
        ({"target": "3:75:00"}, "Write the time like 3:30:00"),
        ({"distance": "42.2", "target": "3:30"}, "Nobody is that fast"),
    ],
)
def test_a_goal_that_cannot_be_is_refused_with_a_sentence(as_ana, ana, wrong, sentence):
    assert sentence in goal(as_ana, day=ana.today(), **wrong).content.decode()
    assert not Goal.objects.exists()


def test_a_calendar_file_says_what_became_of_it(as_ana, ana):
    data = calendar(event(ana.today(), "RRULE:FREQ=WEEKLY;COUNT=3"), event(ana.today(), "RRULE:FREQ=YEARLY", uid="b"))
    file = SimpleUploadedFile("plan.ics", data)
    response = as_ana.post(reverse("plan"), {"file-calendar": file, "file": "1"}, follow=True)
    body = response.content.decode()
    assert "Sessions of the calendar: 3 new. 1 event could not be read and left out." in body


@pytest.mark.parametrize("data", [b"buy milk", b""])
def test_a_file_that_is_no_calendar_is_answered_with_what_to_do(as_ana, data):
    file = SimpleUploadedFile("plan.ics", data)
    response = as_ana.post(reverse("plan"), {"file-calendar": file, "file": "1"})
    assert response.status_code == 422
    assert 'class="error"' in response.content.decode()


def test_a_form_without_a_button_changes_nothing(as_ana):
    assert as_ana.post(reverse("plan"), {}).status_code == 422
    assert as_ana.post(reverse("plan"), {"file": "1"}).status_code == 422


def test_what_somebody_wrote_is_shown_as_text(as_ana, ana):
    session(as_ana, day=ana.today(), title="<b>{{ hard }}</b>")
    for name in ("plan", "today", "week"):
        assert "&lt;b&gt;{{ hard }}&lt;/b&gt;" in as_ana.get(reverse(name)).content.decode()


def test_the_plan_takes_few_queries_however_long_it_is(as_ana, ana, django_assert_max_num_queries):
    Planned.objects.bulk_create(
        Planned(athlete=ana, day=ana.today() + timedelta(days=number % 360), title=f"S {number}")
        for number in range(1500)
    )
    with django_assert_max_num_queries(6):
        body = as_ana.get(reverse("plan")).content
    assert len(body) < 60_000

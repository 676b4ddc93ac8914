"""What an activity is made of, on its page; questions, joining, splitting and undoing as a person does them."""

import re

import pytest
from django.urls import reverse

from coach.models import Activity, Correction, Doubt, ImportRun, Provenance
from jobs import api, testing
from tests.coach.outings import gpx, hand_in, later, sessions, tcx

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def two(ana):
    """A run from a phone and a watch."""
    hand_in(ana, ("phone.gpx", gpx(name="Along the canal", bpm=140)), source="Phone")
    hand_in(ana, ("watch.tcx", tcx()), source="Watch")
    return Activity.objects.get()


@pytest.fixture
def doubt(ana):
    hand_in(ana, ("watch.tcx", tcx()), source="Watch")
    hand_in(ana, ("late.gpx", gpx(later(300), seconds=900)), source="Phone")
    return Doubt.objects.get()


def body(response):
    return response.content.decode()


def test_the_page_says_what_each_recording_gave(as_ana, two):
    page = body(as_ana.get(reverse("activity", args=[two.pk])))
    assert "It gives time, distance and cadence." in page
    assert "It gives position, altitude, heart rate, name and device." in page
    assert "Along the canal" in page
    assert page.count("Split off") == 2
    assert "from Phone" in page


def test_one_recording_has_nothing_to_split_off(as_ana, ana):
    hand_in(ana, ("a.gpx", gpx()))
    assert "Split off" not in body(as_ana.get(reverse("activity", args=[Activity.objects.get().pk])))


def test_a_recording_is_split_off_and_joined_again(as_ana, ana, two):
    phone = Provenance.objects.get(file__name="phone.gpx")
    response = as_ana.post(reverse("split", args=[phone.pk]), follow=True)
    assert "an activity of its own now" in body(response)
    assert sessions(ana) == {frozenset({"phone.gpx"}), frozenset({"watch.tcx"})}
    other = Activity.objects.exclude(pk=two.pk).get()
    phone.refresh_from_db()
    assert response.redirect_chain[-1][0] == reverse("activity", args=[phone.activity_id])
    page = body(as_ana.get(reverse("join", args=[two.pk])))
    assert f'value="{other.pk}"' in page
    response = as_ana.post(reverse("join", args=[two.pk]), {"with": other.pk}, follow=True)
    assert "They are one activity now" in body(response)
    assert sessions(ana) == {frozenset({"phone.gpx", "watch.tcx"})}


def test_splitting_the_only_recording_says_that_there_is_nothing_to_split(as_ana, ana):
    hand_in(ana, ("a.gpx", gpx()))
    response = as_ana.post(reverse("split", args=[Provenance.objects.get().pk]), follow=True)
    assert "an activity of its own already" in body(response)


@pytest.mark.parametrize("chosen", ["", "x", "999999", "\x00"])
def test_joining_with_nothing_asks_to_choose(as_ana, two, chosen):
    response = as_ana.post(reverse("join", args=[two.pk]), {"with": chosen})
    assert response.status_code == 422
    assert "Choose the activity" in body(response) or "no other activity" in body(response)


def test_a_busy_source_answers_409_and_says_what_is_at_work(as_ana, ana, two):
    waiting = hand_in(ana, ("next.gpx", gpx(later(86400))), source="Watch", read=False)
    phone = Provenance.objects.get(file__name="phone.gpx")
    response = as_ana.post(reverse("split", args=[phone.pk]))
    assert response.status_code == 409
    assert "An import is at work on one of these sources, so nothing was changed." in body(response)
    assert Activity.objects.get() == two
    api.stop(api.ticket("import", ana.owner, str(waiting.pk)).id, by="ana")
    assert as_ana.post(reverse("split", args=[phone.pk])).status_code == 302


def test_a_question_shows_both_sides_and_is_linked_from_lists(as_ana, doubt):
    for page in ("imports", "activities"):
        assert re.search(rf'{reverse("doubts")}">1 question', body(as_ana.get(reverse(page))))
    page = body(as_ana.get(reverse("doubts")))
    assert "late.gpx" in page
    assert "they overlap, but start, duration and distance differ" in page
    assert ("3.60 km" in page, "2.70 km" in page) == (True, True)
    assert re.findall(r'name="answer" value="(\w+)"', page) == ["same", "different"]


@pytest.mark.parametrize(("said", "activities"), [("same", 1), ("different", 2)])
def test_an_answer_settles_the_question(as_ana, doubt, said, activities):
    response = as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"answer": said}, follow=True)
    assert "There is nothing to ask." in body(response)
    assert Activity.objects.count() == activities
    again = as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"answer": said}, follow=True)
    assert "This question is settled already." in body(again)


def test_an_answer_that_is_none_is_asked_for_again(as_ana, doubt):
    response = as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"answer": "perhaps"})
    assert response.status_code == 422
    assert "Choose one of the two answers." in body(response)


def test_an_answer_while_the_source_is_busy_is_refused_and_nothing_is_lost(as_ana, ana, doubt):
    hand_in(ana, ("next.gpx", gpx(later(86400))), source="Watch", read=False)
    assert as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"answer": "same"}).status_code == 409
    assert Doubt.objects.open().count() == 1


def test_a_recording_of_no_time_is_dated_by_the_athlete(as_ana, ana):
    hand_in(ana, ("unset.gpx", gpx(later(-50 * 365 * 86400))))
    doubt = Doubt.objects.get()
    assert 'type="datetime-local"' in body(as_ana.get(reverse("doubts")))
    wrong = as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"began": "yesterday"})
    assert wrong.status_code == 422
    assert "Write the day and the time like" in body(wrong)
    before = as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"began": "1970-05-01T07:30"}, follow=True)
    assert "No recording of yours can have begun then." in body(before)
    as_ana.post(reverse("doubt_answer", args=[doubt.pk]), {"began": "2026-05-01T07:30"})
    activity = Activity.objects.get()
    assert f"{activity.started_at:%Y-%m-%d %H:%M}" == "2026-05-01 05:30"
    assert Correction.objects.count() == 1


def test_an_import_is_undone_on_its_page(as_ana, ana, two):
    run = ImportRun.objects.get(source__name="Phone")
    page = body(as_ana.get(reverse("undo", args=[run.pk])))
    assert "1 file, in 1 activity." in page
    assert "It is going to be taken out." in body(as_ana.post(reverse("undo", args=[run.pk]), follow=True))
    testing.run_due()
    assert "It is undone" in body(as_ana.get(reverse("undo", args=[run.pk])))
    assert sessions(ana) == {frozenset({"watch.tcx"})}
    assert Activity.objects.get().name == ""


def test_the_page_of_questions_takes_as_many_queries_for_twenty_as_for_one(as_ana, ana, django_assert_max_num_queries):
    for number in range(3):
        hand_in(ana, (f"{number}.gpx", gpx(later(number * 10 - 50 * 365 * 86400))))
    with django_assert_max_num_queries(6):
        as_ana.get(reverse("doubts"))

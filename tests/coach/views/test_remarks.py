"""The form by which an athlete says what a session was."""

import re

import pytest
from django.urls import reverse

from coach.models import Activity, Correction
from tests.coach.views.rows import ridden


def sent(**values):
    return {f"said-{name}": value for name, value in values.items()}


def post(client, row, **values):
    return client.post(reverse("activity_remarks", args=[row.pk]), sent(**values))


def page(client, row):
    return client.get(reverse("activity", args=[row.pk])).content.decode()


def test_the_page_shows_what_the_data_says_and_takes_another_word(as_ana, ride):
    body = page(as_ana, ride)
    assert "As the data says: steady session" in body
    assert post(as_ana, ride, stated_type="intervals", effort="8", note="Hills").status_code == 302
    row = Activity.objects.get(pk=ride.pk)
    assert (row.stated_type, row.effort, row.note) == ("intervals", 8, "Hills")
    assert "interval session" in page(as_ana, ride)
    assert Correction.objects.filter(key=row.provenance.get().key).count() == 3


def test_a_wrong_value_gets_a_sentence_and_changes_nothing(as_ana, ride):
    response = post(as_ana, ride, distance="9e9", note="kept in the form")
    assert response.status_code == 422
    body = response.content.decode()
    assert "This should be at most 2,000." in body
    assert "kept in the form" in body
    assert Activity.objects.get(pk=ride.pk).note == ""


@pytest.mark.parametrize("values", [{"effort": "11"}, {"effort": "x"}, {"stated_type": "nap"}, {"distance": "-1"}])
def test_what_cannot_be_is_refused(as_ana, ride, values):
    assert post(as_ana, ride, **values).status_code == 422


def test_a_note_is_shown_as_text(as_ana, ride):
    post(as_ana, ride, note="<b>bold</b>")
    body = page(as_ana, ride)
    assert "&lt;b&gt;bold&lt;/b&gt;" in body
    assert "<b>bold" not in body


def test_distances_are_put_right_in_miles_by_those_who_read_miles(as_ana, ana, ride):
    ana.units = "imperial"
    ana.save()
    assert "Distance, put right (mi)" in page(as_ana, ride)
    post(as_ana, ride, distance="10")
    assert Correction.objects.get(field="distance_m").value == pytest.approx(16_093.44)
    assert 'value="10' in page(as_ana, ride)


def test_an_ignored_activity_is_struck_in_the_list_and_says_so_on_its_page(as_ana, ride):
    post(as_ana, ride, is_ignored="on")
    listed = as_ana.get(reverse("activities")).content.decode()
    assert re.search(r"<s>[^<]+</s>", listed)
    assert "it counts nowhere" in page(as_ana, ride)


def test_somebody_elses_activity_is_not_found(as_ben, ride):
    assert post(as_ben, ride, note="Mine").status_code == 404
    assert Activity.objects.get(pk=ride.pk).note == ""


def test_the_page_takes_few_queries(as_ana, source, ride, django_assert_max_num_queries):
    for day in range(1, 40):
        ridden(source, hours_ago=24 * day)
    page(as_ana, ride)
    with django_assert_max_num_queries(15):
        page(as_ana, ride)

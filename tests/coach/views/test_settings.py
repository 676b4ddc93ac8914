"""Settings: the profile, and thresholds that hold from a day on."""

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from coach.models import Athlete, Suggestion, Threshold
from jobs import api
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
PROFILE = {
    "time_zone": "Asia/Tokyo",
    "units": "imperial",
    "week_starts_on": "7",
    "language": "en",
    "sex": "f",
    "birth_year": "1990",
    "profile": "",
}


def enter(client, **values):
    given = {"kind": "ftp_w", "value": "250", "valid_from": "2026-03-01", "threshold": "1", **values}
    return client.post(reverse("settings"), given)


def test_the_profile_is_saved(as_ana, ana):
    assert as_ana.post(reverse("settings"), PROFILE).status_code == 302
    ana.refresh_from_db()
    assert (ana.time_zone, ana.units, ana.week_starts_on, ana.sex) == ("Asia/Tokyo", "imperial", 7, "f")


def test_sleep_need_and_weight_goal_are_said_in_hours_and_in_the_unit_on_the_form(as_ana, ana):
    as_ana.post(reverse("settings"), PROFILE | {"sleep_need": "7:30", "weight_goal": "70,5"})
    ana.refresh_from_db()
    assert (ana.sleep_need_min, ana.weight_goal_kg, ana.units) == (450, 70.5, "imperial")
    body = as_ana.get(reverse("settings")).content.decode()
    assert "Weight you aim at (lb)" in body
    assert 'value="155.4"' in body
    as_ana.post(reverse("settings"), PROFILE | {"sleep_need": "8", "weight_goal": "154"})
    ana.refresh_from_db()
    assert (ana.sleep_need_min, round(ana.weight_goal_kg, 2)) == (480, 69.85)
    as_ana.post(reverse("settings"), PROFILE | {"sleep_need": "", "weight_goal": ""})
    ana.refresh_from_db()
    assert (ana.sleep_need_min, ana.weight_goal_kg) == (480, None)


WRONG = ({"sleep_need": "2"}, {"sleep_need": "much"}, {"sleep_need": "nan"}, {"weight_goal": "9"}, {"weight_goal": "x"})


@pytest.mark.parametrize("wrong", WRONG)
def test_a_need_or_goal_that_nobody_has_is_refused(as_ana, wrong):
    assert as_ana.post(reverse("settings"), PROFILE | wrong).status_code == 422


def test_a_time_zone_that_does_not_exist_is_refused(as_ana):
    assert as_ana.post(reverse("settings"), PROFILE | {"time_zone": "Mars/Olympus"}).status_code == 422


def test_a_pace_is_written_as_minutes_and_seconds(as_ana, ana):
    enter(as_ana, kind="threshold_pace_s_per_km", value="4:30")
    assert ana.thresholds.get().value == 270
    assert "4:30 /km" in as_ana.get(reverse("settings")).content.decode()


def test_who_counts_in_miles_reads_and_writes_a_pace_by_the_mile(as_ana, ana):
    Athlete.objects.update(units="imperial")
    enter(as_ana, kind="threshold_pace_s_per_km", value="7:15")
    assert Threshold.objects.get().value == pytest.approx(435 / 1.609344)
    page = as_ana.get(reverse("settings")).content.decode()
    assert ("7:15 /mi" in page, "seconds per mile" in page, "/km" in page) == (True, True, False)
    refused = enter(as_ana, kind="threshold_pace_s_per_km", value="2:30").content.decode()
    assert "between 3:13 and 24:08" in refused
    Suggestion.objects.create(
        athlete=ana, activity=factories.activity(ana, ana.today()), kind="threshold_pace_s_per_km", value=270,
        day=ana.today(), sentence="So.",
    )  # fmt: skip
    Athlete.objects.update(language="zh-hans")
    assert "7:15/英里" in as_ana.get(reverse("settings")).content.decode()


def test_a_second_value_for_a_day_takes_the_place_of_the_first(as_ana, ana):
    enter(as_ana)
    enter(as_ana, value="262")
    assert [threshold.value for threshold in ana.thresholds.all()] == [262]


@pytest.mark.parametrize(("kind", "value"), [("ftp_w", "9000"), ("hr_max_bpm", "12"), ("ftp_w", "strong")])
def test_a_value_that_nobody_can_have_is_refused(as_ana, ana, kind, value):
    assert enter(as_ana, kind=kind, value=value).status_code == 422
    assert not ana.thresholds.exists()


def test_what_is_wrong_on_the_long_page_is_brought_into_view(as_ana):
    body = enter(as_ana, value="strong").content.decode()
    assert body.count("autofocus") == 1
    assert re.search(r'<input[^>]*name="value"[^>]*autofocus', body)
    assert "settings/#" not in body  # there the page would open below what was said


def test_an_edit_has_the_history_measured_again(as_ana, ana):
    enter(as_ana)
    assert api.ticket("recompute", ana.owner, "history").is_active


def test_a_threshold_can_be_removed(as_ana, threshold):
    as_ana.post(reverse("threshold_delete", args=[threshold.pk]))
    assert not Threshold.objects.exists()


def test_the_form_says_that_sessions_before_the_day_keep_what_they_have(as_ana, threshold):
    body = as_ana.get(reverse("settings")).content.decode()
    assert "Sessions before that day keep what they have" in body


def test_a_threshold_is_called_without_the_unit_that_its_value_has(as_ana):
    enter(as_ana, kind="threshold_pace_s_per_km", value="4:38")
    body = as_ana.get(reverse("settings")).content.decode()
    assert '<h3 id="threshold_pace_s_per_km">Threshold pace</h3>' in body
    assert "4:38 /km" in body.replace("\u00a0", " ").replace("\u2009", " ")
    assert "(s/km)" not in body


def test_a_threshold_holds_from_no_day_to_come(as_ana, ana):
    body = enter(as_ana, valid_from="2099-03-01").content.decode()
    assert "This day is still to come. Give today or a day before it." in body
    assert not ana.thresholds.exists()
    enter(as_ana, valid_from=str(ana.today()))
    assert ana.thresholds.count() == 1


def test_the_first_threshold_of_a_kind_holds_from_the_first_session_and_later_ones_from_today(as_ana, ana):
    first = ana.today() - timedelta(days=40)
    factories.activity(ana, first)
    enter(as_ana, valid_from="")
    assert ana.thresholds.get().valid_from == first
    enter(as_ana, valid_from="", value="260")
    assert ana.thresholds.order_by("-valid_from").first().valid_from == ana.today()


def test_a_session_names_the_threshold_of_its_load_and_leads_to_its_correction(as_ana, ana, ride):
    type(ride).objects.filter(pk=ride.pk).update(load_from="power")
    enter(as_ana, valid_from=str(ride.local_date))
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    assert "functional threshold power, 250 W from" in body
    address = f"{reverse('settings')}?kind=ftp_w&from={ride.local_date}"
    assert html.escape(address) in body
    form = as_ana.get(address).content.decode()
    assert '<option value="ftp_w" selected>' in form
    assert f'value="{ride.local_date}"' in form

"""The second step of staff: set up with a phone, asked for at the door, and never a way around."""

import re
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from coach import second_step
from tests.coach.doors.conftest import PASSWORD

SETUP, STEP = "second_step_setup", "second_step"


def code(device: TOTPDevice, *, ahead: int = 0) -> str:
    """Return what the phone shows now, or some steps later."""
    made = TOTP(device.bin_key)
    made.time = time.time() + 30 * ahead
    return f"{made.token():06d}"


@pytest.fixture
def device(boss: Any) -> TOTPDevice:
    return TOTPDevice.objects.create(user=boss, confirmed=True, name="app")


def through_the_door(**answer: str) -> tuple[Client, Any]:
    client = Client()
    response = client.post(reverse("login"), {"username": "boss", "password": PASSWORD, "next": "/admin/"})
    return client, client.post(response.url, answer) if answer else response


def can_see_the_console(client: Client) -> bool:
    return client.get(reverse("admin:index")).status_code == 200


def test_without_a_second_step_the_password_is_enough_where_it_is_optional(boss: Any) -> None:
    client, response = through_the_door()
    assert response.url == "/admin/"
    assert can_see_the_console(client)


def test_it_is_set_up_with_a_picture_that_is_drawn_in_the_page(as_boss: Client, boss: Any) -> None:
    page = as_boss.get(reverse(SETUP)).content.decode()
    assert "<svg" in page
    assert "style=" not in page
    device = TOTPDevice.objects.get(user=boss)
    assert second_step.secret_of(device) in page
    shown = as_boss.post(reverse(SETUP), {"code": code(device)})
    codes = re.findall(r"<code>([a-z0-9-]{11})</code>", shown.content.decode())
    assert len(codes) == second_step.CODES
    assert "no-store" in shown["Cache-Control"]
    assert can_see_the_console(as_boss)
    kept = str(list(StaticToken.objects.values_list("token", flat=True)))
    assert not any(one in kept or one.replace("-", "") in kept for one in codes)


def test_a_wrong_code_sets_nothing_up(as_boss: Client, boss: Any) -> None:
    as_boss.get(reverse(SETUP))
    assert as_boss.post(reverse(SETUP), {"code": "000000"}).status_code == 422
    assert not second_step.is_set_up(boss)


def test_the_password_alone_lets_nobody_in_once_it_is_set_up(device: TOTPDevice) -> None:
    client, response = through_the_door()
    assert response.url.startswith(reverse(STEP))
    assert "_auth_user_id" not in client.session
    assert not can_see_the_console(client)
    assert client.get(reverse("settings")).status_code == 302


def test_password_and_code_let_in(device: TOTPDevice) -> None:
    client, response = through_the_door(code=code(device))
    assert response.url == "/admin/"
    assert can_see_the_console(client)


def test_a_code_is_good_once(device: TOTPDevice) -> None:
    given = code(device)
    through_the_door(code=given)
    _, response = through_the_door(code=given)
    assert response.status_code == 422


def test_a_code_that_was_written_down_is_good_once(device: TOTPDevice, boss: Any) -> None:
    first, *_ = second_step.new_codes(boss)
    client, _ = through_the_door(code=first.upper())
    assert can_see_the_console(client)
    _, response = through_the_door(code=first)
    assert response.status_code == 422


def test_codes_are_not_guessed_one_after_another(device: TOTPDevice) -> None:
    client, _ = through_the_door(code="000000")
    there = reverse(STEP)
    assert client.post(there, {"code": code(device)}).status_code == 422  # too soon after the wrong one
    TOTPDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)
    assert client.post(there, {"code": code(device)}).status_code == 302


def test_a_password_that_was_changed_meanwhile_ends_the_way_in(device: TOTPDevice, boss: Any) -> None:
    client, _ = through_the_door()
    boss.set_password("another long password")
    boss.save()
    assert client.post(reverse(STEP), {"code": code(device)}).url == reverse("login")


def test_the_way_in_is_open_for_some_minutes(device: TOTPDevice, monkeypatch: Any) -> None:
    client, _ = through_the_door()
    late = time.time() + second_step.PENDING_S + 1
    monkeypatch.setattr(second_step.time, "time", lambda: late)
    assert client.post(reverse(STEP), {"code": code(device)}).url == reverse("login")


def test_a_session_from_before_does_not_see_the_console(as_boss: Client, device: TOTPDevice) -> None:
    assert not can_see_the_console(as_boss)
    response = as_boss.get(reverse("admin:index"), follow=True)
    assert response.request["PATH_INFO"] == reverse(STEP)
    assert as_boss.post(reverse(STEP), {"code": code(device), "next": "/admin/"}).url == "/admin/"
    assert can_see_the_console(as_boss)


def test_where_it_is_required_the_console_waits_until_it_is_set_up(as_boss: Client, settings: Any) -> None:
    settings.STAFF_TOTP = "required"
    assert not can_see_the_console(as_boss)
    response = as_boss.get(reverse("admin:index"), follow=True)
    assert response.request["PATH_INFO"] == reverse(SETUP)


def test_where_it_is_off_nobody_is_asked(device: TOTPDevice, settings: Any) -> None:
    settings.STAFF_TOTP = "off"
    client, _ = through_the_door()
    assert can_see_the_console(client)
    assert client.get(reverse(SETUP)).status_code == 403


def test_athletes_are_not_asked_for_any(ana: Any) -> None:
    client = Client()
    client.force_login(ana.user)
    assert client.get(reverse(SETUP)).status_code == 403


@pytest.mark.parametrize("wrong", ["password", "code"])
def test_it_is_taken_away_with_both_steps_only(as_boss: Client, boss: Any, device: TOTPDevice, wrong: str) -> None:
    sent = {"password": PASSWORD, "code": code(device)} | {wrong: "000000"}
    assert as_boss.post(reverse("second_step_remove"), sent).status_code == 422
    assert second_step.is_set_up(boss)


def test_it_is_taken_away_by_who_has_both(as_boss: Client, boss: Any, device: TOTPDevice) -> None:
    as_boss.post(reverse("second_step_remove"), {"password": PASSWORD, "code": code(device)})
    assert not second_step.is_set_up(boss)


def test_another_superuser_takes_it_away_from_who_lost_the_phone(as_boss: Client, db: None) -> None:
    from tests import factories

    other = factories.staff("other")
    TOTPDevice.objects.create(user=other, confirmed=True)
    as_boss.post(reverse("admin:auth_user_second_step", args=[other.pk]))
    assert not second_step.is_set_up(other)


def test_a_new_password_by_letter_is_no_way_around(device: TOTPDevice, boss: Any) -> None:
    from coach import mails

    client = Client()
    form = client.get(mails.reset_path(boss), follow=True).request["PATH_INFO"]
    client.post(form, {"new_password1": "correct horse battery", "new_password2": "correct horse battery"})
    assert not can_see_the_console(client)


@pytest.mark.parametrize("evil", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_no_door_leads_to_another_site(device: TOTPDevice, boss: Any, evil: str) -> None:
    client = Client()
    response = client.post(reverse("login"), {"username": "boss", "password": PASSWORD, "next": evil})
    assert "evil" not in response.url
    assert "javascript" not in response.url
    response = client.post(reverse(STEP), {"code": code(device), "next": evil})
    assert response.url == reverse("home") or response.url == reverse("today")
    assert client.get(reverse("admin:login"), {"next": evil}).url == reverse("admin:index")
    client.post(reverse("logout"))
    assert "evil" not in client.post(reverse("logout"), {"next": evil}).url

"""Sessions: they end some time after the last page somebody opened; what a page does by itself moves no end."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach import schedules
from jobs import testing
from tests.coach.doors.conftest import PASSWORD
from tests.coach.views.rows import HTMX

BY_ITSELF = [HTMX, {"Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Mode": "same-origin"}, {"Sec-Fetch-Mode": "no-cors"}]


@pytest.fixture
def client(ana: Any) -> Client:
    client = Client()
    client.post(reverse("login"), {"username": "ana", "password": PASSWORD})
    return client


def end() -> datetime:
    return Session.objects.get().expire_date


def move_end(client: Client, *, left: timedelta) -> datetime:
    """Have so much of the session left as if time had gone by."""
    session = client.session
    session.set_expiry(timezone.now() + left)
    session.save()
    return end()


def test_a_page_that_is_opened_moves_the_end(client: Client, settings: Any) -> None:
    before = move_end(client, left=timedelta(days=3))
    client.get(reverse("today"))
    assert end() > before + timedelta(days=10)


@pytest.mark.parametrize("headers", BY_ITSELF)
@pytest.mark.parametrize("page", ["today", "line", "account", "imports"])
def test_what_a_page_does_by_itself_moves_no_end(client: Client, page: str, headers: dict[str, str]) -> None:
    before = move_end(client, left=timedelta(minutes=5))
    client.get(reverse(page), headers=headers)
    assert end() == before


def test_what_a_poll_keeps_in_the_session_moves_no_end_either(client: Client) -> None:
    before = move_end(client, left=timedelta(minutes=5))
    session = client.session
    session["seen"] = "something"
    session.save()
    assert abs(end() - before) < timedelta(seconds=1)


def test_a_session_that_has_ended_is_not_revived_by_a_poll(client: Client) -> None:
    move_end(client, left=timedelta(seconds=-1))
    answer = client.get(reverse("line"), headers={**HTMX, "HX-Target": "line"})
    assert "You are signed out." in answer.content.decode()
    assert client.get(reverse("line")).status_code == 302


def test_not_every_page_writes_the_session(client: Client, django_assert_max_num_queries: Any) -> None:
    client.get(reverse("today"))
    before = end()
    client.get(reverse("today"))
    assert end() == before


def test_a_session_of_staff_is_shorter(boss: Any, settings: Any) -> None:
    client = Client()
    client.post(reverse("login"), {"username": "boss", "password": PASSWORD})
    left = end() - timezone.now()
    assert left <= timedelta(seconds=settings.STAFF_SESSION_AGE)
    assert left > timedelta(seconds=settings.STAFF_SESSION_AGE - 60)


def test_every_other_session_ends_with_the_password(client: Client, ana: Any) -> None:
    elsewhere = Client()
    elsewhere.force_login(ana.user)
    new = {"new_password1": "correct horse battery", "new_password2": "correct horse battery"}
    response = client.post(reverse("password_change"), {"old_password": PASSWORD, **new}, follow=True)
    assert "Everywhere else you are signed out." in response.content.decode()
    assert client.get(reverse("today")).status_code == 200
    assert elsewhere.get(reverse("today")).status_code == 302


def test_a_session_gets_a_new_key_at_the_sign_in(ana: Any) -> None:
    client = Client()
    client.get(reverse("welcome", args=["planted"]))
    planted = client.session.session_key
    client.post(reverse("login"), {"username": "ana", "password": PASSWORD})
    assert client.session.session_key != planted


def test_a_session_is_gone_from_the_server_at_the_sign_out(client: Client) -> None:
    client.post(reverse("logout"))
    assert not Session.objects.exists()


def test_cookies_are_kept_from_scripts_and_from_other_sites(client: Client) -> None:
    client.get(reverse("settings"))
    for name in ("sessionid", "csrftoken"):
        assert client.cookies[name]["httponly"], name
        assert client.cookies[name]["samesite"] == "Lax", name


def test_sessions_that_have_ended_are_swept_up(client: Client) -> None:
    move_end(client, left=timedelta(seconds=-1))
    schedules.sweep()
    testing.run_due()
    assert not Session.objects.exists()


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize(
    "address", ["/login/", "/today/", "/healthz", "/nowhere/", "/api/import/", "/admin/", "/week/%00/"]
)
def test_every_answer_carries_the_headers(client: Client, address: str) -> None:
    response = client.get(address)
    for name, value in HEADERS.items():
        assert response[name] == value, name
    assert "camera=()" in response["Permissions-Policy"]
    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy

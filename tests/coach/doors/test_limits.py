"""How often somebody may try: no stranger locks out another, no address tries a list of names."""

from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings as site
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from coach import addresses, throttle, tokens
from tests.coach.doors.conftest import PASSWORD

WRONG = "wrong"
LIMIT = site.AXES_FAILURE_LIMIT


def guess(name: str = "ana", password: str = WRONG, *, address: str = "192.0.2.1", door: str = "login", **more: str):
    headers = {"X-Forwarded-For": more.pop("forwarded")} if "forwarded" in more else {}
    sent = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(reverse(door), sent, headers=headers, **more)


def test_after_some_wrong_passwords_even_the_right_one_waits(ana: Any) -> None:
    for _ in range(LIMIT - 1):
        assert guess().status_code == 200
    assert guess().status_code == 429
    response = guess(password=PASSWORD)
    assert response.status_code == 429
    assert "Try again in 15 minutes." in response.content.decode()
    assert 800 < int(response["Retry-After"]) <= 900


def test_trying_on_while_it_waits_makes_it_no_longer(ana: Any) -> None:
    for _ in range(LIMIT):
        guess()
    AccessAttempt.objects.update(attempt_time=timezone.now() - site.AXES_COOLOFF_TIME * 0.8)
    guess()
    assert "Try again in 3 minutes." in guess().content.decode()
    AccessAttempt.objects.update(attempt_time=timezone.now() - site.AXES_COOLOFF_TIME)
    assert guess(password=PASSWORD).status_code == 302


def test_a_strangers_guesses_lock_out_the_stranger_only(ana: Any) -> None:
    for number in range(LIMIT * 4):
        guess(address=f"198.51.100.{number % 3}")
    assert guess(password=PASSWORD, address="192.0.2.1").status_code == 302


def test_one_address_does_not_try_a_list_of_names(ana: Any) -> None:
    for number in range(throttle.PER_ADDRESS):
        guess(f"name{number}")
    assert guess(password=PASSWORD).status_code == 429
    assert guess(password=PASSWORD, address="192.0.2.2").status_code == 302


def test_signing_in_in_between_does_not_make_room_for_more_names(ana: Any) -> None:
    for number in range(throttle.PER_ADDRESS - 1):
        guess(f"name{number}")
    assert guess(password=PASSWORD).status_code == 302
    guess("one more")
    assert guess("another").status_code == 429


def test_another_browser_makes_no_new_count(ana: Any) -> None:
    for number in range(LIMIT):
        guess(HTTP_USER_AGENT=f"browser {number}")
    assert guess(password=PASSWORD).status_code == 429


def test_the_door_of_the_console_is_the_same_door(boss: Any) -> None:
    response = guess("boss", PASSWORD, door="admin:login")
    assert response.url.startswith(reverse("login"))
    assert "_auth_user_id" not in response.wsgi_request.session


def test_a_header_that_a_client_makes_up_is_not_believed(ana: Any) -> None:
    for number in range(LIMIT):
        guess(forwarded=f"203.0.113.{number}")
    assert guess(password=PASSWORD, forwarded="203.0.113.99").status_code == 429


def test_behind_a_proxy_what_the_proxy_wrote_counts(ana: Any, settings: Any) -> None:
    settings.PROXIES = 1
    for number in range(LIMIT):
        guess(address="127.0.0.1", forwarded=f"203.0.113.{number}, 198.51.100.7")  # the first made up, the last written
    assert guess(password=PASSWORD, address="127.0.0.1", forwarded="1.2.3.4, 198.51.100.7").status_code == 429
    assert guess(password=PASSWORD, address="127.0.0.1", forwarded="198.51.100.8").status_code == 302


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "found"),
    [
        (0, "192.0.2.1", "203.0.113.1", "192.0.2.1"),
        (1, "127.0.0.1", "9.9.9.9, 203.0.113.1", "203.0.113.1"),
        (2, "127.0.0.1", "9.9.9.9, 203.0.113.1, 10.0.0.1", "203.0.113.1"),
        (2, "127.0.0.1", "203.0.113.1", "127.0.0.1"),
        (1, "127.0.0.1", "nonsense", "127.0.0.1"),
        (1, "127.0.0.1", "", "127.0.0.1"),
        (0, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::"),
        (0, "::ffff:192.0.2.1", "", "192.0.2.1"),
        (0, "", "", addresses.NOWHERE),
    ],
)
def test_where_a_request_comes_from(settings: Any, proxies: int, remote: str, forwarded: str, found: str) -> None:
    settings.PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=remote, headers={"X-Forwarded-For": forwarded})
    assert addresses.client(request) == found


def test_nothing_that_was_typed_is_kept_but_the_name(ana: Any) -> None:
    client = Client()
    client.force_login(ana.user)
    sent = {"old_password": "wrong", "new_password1": "correct horse", "new_password2": "correct horse"}
    client.post(reverse("password_change"), sent)
    assert "horse" not in str(AccessAttempt.objects.values_list())
    assert "wrong" not in str(AccessAttempt.objects.values_list())


@pytest.mark.parametrize(("page", "field"), [("account_delete", "password"), ("password_change", "old_password")])
def test_asking_for_the_password_again_is_no_place_to_guess_it(ana: Any, page: str, field: str) -> None:
    client = Client()
    client.force_login(ana.user)
    rest = {"sure": "on", "new_password1": "correct horse battery", "new_password2": "correct horse battery"}
    for _ in range(LIMIT):
        client.post(reverse(page), {field: "wrong", **rest})
    assert client.post(reverse(page), {field: PASSWORD, **rest}).status_code == 429
    ana.user.refresh_from_db()
    assert ana.user.is_active
    assert ana.user.check_password(PASSWORD)


# Tokens


def offer(secret: str) -> Any:
    headers = {"Authorization": f"Bearer {secret}"}
    return Client().post(reverse("api_import"), b"", content_type="application/octet-stream", headers=headers)


def test_different_wrong_tokens_are_guesses(ana: Any) -> None:
    good = tokens.make(ana, "phone")
    for number in range(throttle.TOKENS):
        assert offer(f"coach_{number}").status_code == 401
    response = offer("coach_one-more")
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert offer(good).status_code == 429


def test_a_phone_with_an_old_token_locks_out_nobody(ana: Any) -> None:
    good = tokens.make(ana, "phone")
    for _ in range(throttle.TOKENS * 2):
        offer("coach_old")
    assert offer(good).status_code == 422
    assert guess(password=PASSWORD, address="127.0.0.1").status_code == 302

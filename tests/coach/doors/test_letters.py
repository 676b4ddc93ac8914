"""Letters: new passwords and signing up, which tell nobody who has an account here."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from coach import throttle
from coach.models import Invite
from jobs import testing
from jobs.models import Job

NEW = {"new_password1": "correct horse battery", "new_password2": "correct horse battery"}
SENT = "Look into your mail"


def ask(client: Client, page: str, email: str) -> Any:
    response = client.post(reverse(page), {"email": email})
    testing.run_due()
    return response


def link() -> str:
    return re.search(r"http://testserver(\S+)", mail.outbox[-1].body)[1]  # type: ignore[index]


def test_without_a_mail_server_the_page_says_who_can_help(client: Client, ana: Any) -> None:
    response = ask(client, "password_reset", "ana@example.org")
    assert "This site sends no mail." in response.content.decode()
    assert not Job.objects.exists()


def test_a_new_password_is_chosen_by_a_link_in_a_letter(client: Client, ana: Any, with_mail: None) -> None:
    elsewhere = Client()
    elsewhere.force_login(ana.user)
    ask(client, "password_reset", "Ana@Example.org")
    assert mail.outbox[0].to == ["ana@example.org"]
    page = client.get(link(), follow=True)
    there = page.request["PATH_INFO"]
    assert client.post(there, NEW).url == reverse("password_reset_complete")
    ana.user.refresh_from_db()
    assert ana.user.check_password("correct horse battery")
    assert elsewhere.get(reverse("today")).status_code == 302  # every session ends with the old password


def test_a_link_for_a_new_password_is_good_once(client: Client, ana: Any, with_mail: None) -> None:
    ask(client, "password_reset", "ana@example.org")
    there = client.get(link(), follow=True).request["PATH_INFO"]
    client.post(there, NEW)
    assert "This link is used or too old." in Client().get(link(), follow=True).content.decode()


@pytest.mark.parametrize("page", ["password_reset", "sign_up"])
def test_the_answer_is_the_same_whether_or_not_there_is_an_account(
    client: Client, ana: Any, with_mail: None, settings: Any, page: str
) -> None:
    settings.SIGN_UP = True
    known = ask(client, page, "ana@example.org").content.decode()
    unknown = ask(client, page, "who@example.org").content.decode()
    assert SENT in known
    assert known.replace("ana@", "who@") == unknown
    assert Job.objects.filter(kind="letter").count() == 2  # and it takes as long


def test_a_reset_for_an_unknown_address_sends_nothing(client: Client, with_mail: None, db: None) -> None:
    ask(client, "password_reset", "who@example.org")
    assert mail.outbox == []


def test_who_signs_up_confirms_the_address_and_comes_in(
    client: Client, with_mail: None, settings: Any, db: None
) -> None:
    settings.SIGN_UP = True
    ask(client, "sign_up", "bo@example.org")
    page = client.get(link(), follow=True)
    assert "bo@example.org is confirmed" in page.content.decode()
    answer = {"username": "bo", "language": "en", "units": "metric", "time_zone": "UTC", "email": "evil@example.org"}
    passwords = {"password1": "correct horse battery", "password2": "correct horse battery"}
    assert client.post(reverse("welcome_form"), answer | passwords).status_code == 302
    assert User.objects.get().email == "bo@example.org"


def test_who_has_an_account_is_told_so_by_letter_only(client: Client, ana: Any, with_mail: None, settings: Any) -> None:
    settings.SIGN_UP = True
    ask(client, "sign_up", "ana@example.org")
    assert "belongs to the account ana" in mail.outbox[0].body
    assert not Invite.objects.exists()


def test_nobody_signs_up_where_it_is_not_switched_on(client: Client, with_mail: None, db: None) -> None:
    assert client.get(reverse("sign_up")).status_code == 404
    assert client.post(reverse("sign_up"), {"email": "bo@example.org"}).status_code == 404
    assert reverse("sign_up") not in client.get(reverse("login")).content.decode()
    assert not Job.objects.exists()


def test_nobody_is_buried_in_letters(client: Client, ana: Any, with_mail: None) -> None:
    for number in range(5):
        client.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
        assert SENT in ask(client, "password_reset", "ana@example.org").content.decode()
    assert len(mail.outbox) == throttle.LETTERS


def test_one_address_asks_for_a_few_letters_only(client: Client, with_mail: None, db: None) -> None:
    for number in range(throttle.LETTERS_PER_ADDRESS):
        assert ask(client, "password_reset", f"{number}@example.org").status_code == 200
    assert ask(client, "password_reset", "one-more@example.org").status_code == 429


@pytest.mark.parametrize("email", ["ana@example.org\nBcc: all@example.org", "ana@example.org,all@example.org"])
def test_an_address_cannot_smuggle_more_recipients(client: Client, ana: Any, with_mail: None, email: str) -> None:
    assert ask(client, "password_reset", email).status_code == 422
    assert mail.outbox == []


def test_a_letter_leads_to_this_site_only(client: Client, ana: Any, with_mail: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    response = client.post(reverse("password_reset"), {"email": "ana@example.org"}, headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert not Job.objects.exists()


def test_staff_make_a_link_where_no_mail_is_sent(as_boss: Client, ana: Any) -> None:
    page = as_boss.post(reverse("admin:auth_user_reset_link", args=[ana.user.pk]))
    assert "no-store" in page["Cache-Control"]
    there = re.search(r"http://testserver(/password/\S+?/)<", page.content.decode())[1]  # type: ignore[index]
    client = Client()
    form = client.get(there, follow=True).request["PATH_INFO"]
    client.post(form, NEW)
    ana.user.refresh_from_db()
    assert ana.user.check_password("correct horse battery")


def test_a_mail_server_that_fails_says_nothing_of_whom_it_was_for(
    client: Client, ana: Any, with_mail: None, settings: Any
) -> None:
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": 9, "timeout": 1},
        }
    }
    client.post(reverse("password_reset"), {"email": "ana@example.org"})
    testing.run_due()
    job = Job.objects.get(kind="letter")
    assert "The mail server did not take the letter" in job.error
    assert "ana@" not in job.error

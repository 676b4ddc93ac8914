"""Invitations: a link for one person, once, for some days; what is made by it has no rights."""

import re
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach import invites
from coach.models import Athlete, Invite

ANSWER = {
    "username": "bo", "password1": "correct horse battery", "password2": "correct horse battery",
    "language": "zh-hans", "units": "imperial", "time_zone": "Asia/Shanghai", "email": "bo@example.org",
}  # fmt: skip
FORM = "welcome_form"


def made(**values: Any) -> str:
    return invites.make(label="Bo", by=None, until=timezone.now() + timedelta(days=7), **values)


def come(secret: str, **changed: str) -> tuple[Client, Any]:
    client = Client()
    client.get(reverse("welcome", args=[secret]), follow=True)
    return client, client.post(reverse(FORM), {**ANSWER, **changed})


def test_staff_make_a_link_that_is_shown_once_and_kept_as_a_hash(as_boss: Client) -> None:
    response = as_boss.post(reverse("admin:coach_invite_add"), {"label": "Bo", "days": "3"})
    secret = re.search(r"/welcome/([\w-]+)/", response.content.decode())[1]  # type: ignore[index]
    invite = Invite.objects.get()
    assert "no-store" in response["Cache-Control"]
    assert secret not in str(Invite.objects.values_list())
    assert invite.digest == invites.digest(secret)
    assert timedelta(days=2.9) < invite.expires_at - timezone.now() < timedelta(days=3.1)
    assert secret not in as_boss.get(reverse("admin:coach_invite_changelist")).content.decode()


def test_who_accepts_it_is_signed_in_with_language_units_and_time_zone(db: None) -> None:
    client, response = come(made())
    assert response.url == reverse("imports")
    bo = Athlete.objects.get(user__username="bo")
    assert (bo.language, bo.units, bo.time_zone) == ("zh-hans", "imperial", "Asia/Shanghai")
    assert bo.user.email == "bo@example.org"
    assert client.get(reverse("today")).status_code == 200


def test_nobody_gives_themselves_rights_by_it(db: None) -> None:
    come(made(), is_staff="on", is_superuser="on", groups="1", user_permissions="1", id="1", pk="1")
    user = User.objects.get(username="bo")
    assert not user.is_staff
    assert not user.is_superuser
    assert not user.user_permissions.exists()


def test_a_link_is_good_once(db: None) -> None:
    secret = made()
    come(secret)
    _, response = come(secret, username="cy", email="")
    assert response.status_code == 410
    assert not User.objects.filter(username="cy").exists()


@pytest.mark.parametrize("spoil", ["over", "deleted", "made up"])
def test_a_link_that_is_over_taken_back_or_made_up_lets_nobody_in(db: None, spoil: str) -> None:
    secret = made()
    if spoil == "over":
        Invite.objects.update(expires_at=timezone.now())
    if spoil == "deleted":
        Invite.objects.all().delete()
    _, response = come("made-up" if spoil == "made up" else secret)
    assert response.status_code == 410
    assert "Ask whoever gave it to you for another one." in response.content.decode()
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_come_at_once_one_gets_in() -> None:
    invite = invites.find(made())
    assert invite is not None
    barrier, refused = Barrier(2), []

    def accept(name: str) -> None:
        user = User(username=name)
        user.set_unusable_password()
        barrier.wait()
        try:
            invites.accept(invite, user, Athlete())
        except invites.Refused:
            refused.append(name)
        connection.close()

    threads = [Thread(target=accept, args=[name]) for name in ("bo", "cy")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert User.objects.count() == Athlete.objects.count() == 1


def test_a_refused_answer_leaves_the_link_good(db: None) -> None:
    secret = made()
    _, response = come(secret, password2="another")
    assert response.status_code == 422
    _, response = come(secret)
    assert response.status_code == 302


@pytest.mark.parametrize("name", ["ANA", "ana"])
def test_a_name_that_is_taken_is_refused_in_whatever_case(ana: Any, name: str) -> None:
    _, response = come(made(), username=name)
    assert response.status_code == 422


def test_a_weak_password_is_refused(db: None) -> None:
    _, response = come(made(), password1="12345678", password2="12345678")
    assert response.status_code == 422
    assert not User.objects.exists()


def test_the_secret_stands_in_no_address_that_a_page_has(db: None) -> None:
    secret = made()
    client = Client()
    page = client.get(reverse("welcome", args=[secret]), follow=True)
    assert page.request["PATH_INFO"] == reverse(FORM)
    assert secret not in page.content.decode()


def test_only_staff_with_the_right_make_links(ana: Any) -> None:
    viewer = User.objects.create_user("viewer", password="x", is_staff=True)
    client = Client()
    client.force_login(viewer)
    assert client.post(reverse("admin:coach_invite_add"), {"label": "x", "days": "3"}).status_code == 403
    assert not Invite.objects.exists()


@pytest.mark.parametrize("name", ["bob", "BOB", "lost+found"])
def test_nobody_takes_the_name_of_a_folder_that_holds_anothers_files(
    db: None, settings: Any, tmp_path: Any, name: str
) -> None:
    settings.WATCH = tmp_path
    (tmp_path / "bob").mkdir()
    (tmp_path / "lost+found").mkdir()
    _, response = come(made(), username=name)
    assert response.status_code == 422
    assert not User.objects.exists()


def test_nobody_takes_any_name_while_the_disk_of_the_folders_is_away(db: None, settings: Any, tmp_path: Any) -> None:
    settings.WATCH = tmp_path / "away"
    _, response = come(made())
    assert response.status_code == 422

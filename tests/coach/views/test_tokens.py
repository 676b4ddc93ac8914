"""Ways in on the settings page: a token is shown once and kept as a hash; the watched folder is explained."""

import re

import pytest
from django.urls import reverse

from coach import tokens
from coach.models import Token, Watched

pytestmark = pytest.mark.django_db(transaction=True)


def make(client, name="Phone"):
    return client.post(reverse("token_make"), {"name": name})


def test_a_token_is_shown_once_and_only_its_hash_is_kept(as_ana, ana):
    response = make(as_ana)
    secret = re.search(r'id="secret">([^<]+)<', response.content.decode())[1]
    assert "no-store" in response["Cache-Control"]
    assert len(secret) > 40
    row = Token.objects.get(athlete=ana)
    assert row.digest == tokens.digest(secret)
    assert secret not in "".join(str(value) for value in vars(row).values())
    listed = as_ana.get(reverse("settings")).content.decode()
    assert "Phone" in listed
    assert "never used" in listed
    assert secret not in listed


def test_the_page_of_a_new_token_says_how_to_use_it(as_ana):
    body = make(as_ana).content.decode()
    assert "http://testserver/api/import/" in body
    assert "Get Contents of URL" in body


@pytest.mark.parametrize("name", ["", "   ", "Phone"])
def test_a_token_needs_a_name_of_its_own(as_ana, ana, name):
    make(as_ana)
    response = as_ana.post(reverse("token_make"), {"name": name}, follow=True)
    assert 'class="message error"' in response.content.decode()
    assert ana.tokens.count() == 1


def test_there_is_a_most_of_tokens(as_ana, ana, monkeypatch):
    monkeypatch.setattr(tokens, "MOST", 2)
    for name in "abc":
        make(as_ana, name)
    assert ana.tokens.count() == 2


def test_a_revoked_token_is_gone(as_ana, ana):
    secret = tokens.make(ana, "Phone")
    as_ana.post(reverse("token_revoke", args=[Token.objects.get().pk]))
    assert tokens.bearer(f"Bearer {secret}") is None


def test_another_athlete_cannot_revoke_it(as_ben, ana):
    tokens.make(ana, "Phone")
    assert as_ben.post(reverse("token_revoke", args=[Token.objects.get().pk])).status_code == 404
    assert "Phone" not in as_ben.get(reverse("settings")).content.decode()
    assert Token.objects.exists()


def test_without_a_watched_folder_nothing_is_said_of_one(as_ana):
    assert "Watched folder" not in as_ana.get(reverse("settings")).content.decode()
    assert as_ana.post(reverse("folder_make")).status_code == 404


def test_a_folder_is_made_on_demand(as_ana, settings, tmp_path):
    settings.WATCH = tmp_path / "watch"
    settings.WATCH.mkdir()
    assert "Make my folder" in as_ana.get(reverse("settings")).content.decode()
    as_ana.post(reverse("folder_make"))
    assert (settings.WATCH / "ana").is_dir()
    assert str(settings.WATCH / "ana") in as_ana.get(reverse("settings")).content.decode()


def test_a_watched_folder_that_is_not_there_is_said(as_ana, settings, tmp_path):
    settings.WATCH = tmp_path / "unmounted"
    assert "is not there" in as_ana.get(reverse("settings")).content.decode()


@pytest.mark.parametrize("name", ["..", ".hidden", "a/b"])
def test_a_user_name_that_leads_elsewhere_has_no_folder(as_ana, ana, settings, tmp_path, name):
    settings.WATCH = tmp_path / "watch"
    settings.WATCH.mkdir()
    ana.user.username = name
    ana.user.save()
    assert "cannot be the name of a folder" in as_ana.get(reverse("settings")).content.decode()
    as_ana.post(reverse("folder_make"))
    assert not list(settings.WATCH.iterdir())


def test_files_that_could_not_be_read_are_named_to_their_owner_only(as_ana, as_ben, ana, settings, tmp_path):
    settings.WATCH = tmp_path
    (tmp_path / "ana").mkdir()
    (tmp_path / "ben").mkdir()
    Watched.objects.create(athlete=ana, name="secret.fit", size=1, changed_ns=1, trouble="Permission denied.")
    assert "secret.fit" in as_ana.get(reverse("settings")).content.decode()
    assert "secret.fit" not in as_ben.get(reverse("settings")).content.decode()

"""Closing an account: signed out at once, what runs is stopped, and nothing of it is left anywhere."""

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.urls import reverse

from coach import accounts, exports, originals
from coach.models import Athlete, ImportFile
from jobs import testing
from jobs.models import Attempt, Item, Job, Payload
from tests import factories
from tests.coach.test_imports import gpx, hand_in
from tests.coach.views.rows import signed_in
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a long password"


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def kept(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_deletion_that_was_cut_short_leaves_no_file_behind(ana, data_folder, monkeypatch):
    hand_in(ana, *[(f"{hours}.gpx", gpx(hours)) for hours in range(3)])
    forget, calls = originals.forget, []

    def faulty(sha256):
        calls.append(sha256)
        if len(calls) == 2:
            raise OSError("the disk is away")
        forget(sha256)

    monkeypatch.setattr(originals, "forget", faulty)
    accounts.close(ana)
    testing.run_due()
    assert len(kept(data_folder)) == 2
    testing.drain()
    assert kept(data_folder) == []
    assert not User.objects.exists()


def test_nothing_is_left_of_a_closed_account(ana, data_folder):
    hand_in(ana, ("ride.gpx", gpx()))
    factories.ftp(ana)
    exports.ask(ana)
    testing.drain()
    owner = ana.owner
    accounts.close(ana)
    testing.drain()
    assert [model for model in apps.get_app_config("coach").get_models() if model.objects.exists()] == []
    assert not User.objects.exists()
    assert kept(data_folder) == []
    left = Job.objects.filter(owner=owner)
    assert not left.exists()
    ids = list(Job.objects.values_list("pk", flat=True))
    for beside in (Attempt, Item, Payload):
        assert not beside.objects.exclude(job__in=ids).exists()


def test_others_keep_what_is_theirs(ana, data_folder):
    hand_in(ana, ("ride.gpx", gpx()))
    ben = factories.athlete("ben")
    theirs = hand_in(ben, ("ride.gpx", gpx())).files.get()
    testing.drain()
    accounts.close(ana)
    testing.drain()
    assert list(Athlete.objects.all()) == [ben]
    assert len(kept(data_folder)) == 1
    assert ImportFile.objects.get() == theirs
    assert Job.objects.filter(owner=ben.owner).exists()


def test_it_is_signed_out_at_once(ana):
    client = signed_in(ana.user)
    accounts.close(ana)
    assert client.get(reverse("week")).status_code == 302
    sent = {"username": "ana", "password": PASSWORD}
    assert "No account has this name" in client.post(reverse("login"), sent).content.decode()


def test_what_waits_is_stopped(ana):
    run = hand_in(ana, ("ride.gpx", gpx()), read=False)
    accounts.close(ana)
    testing.drain()
    assert not Job.objects.filter(kind="import", subject=str(run.pk)).exists()
    assert not Athlete.objects.exists()


def test_what_runs_is_stopped_before_anything_is_deleted(ana, start_worker):
    from jobs import api

    ticket = api.enqueue("sleeps", ana.owner, "long", args={"seconds": 60})
    start_worker(slots=2)
    until(lambda: api.ticket_of(ticket.id).status == "running", what="it runs")
    accounts.close(ana)
    until(lambda: not Athlete.objects.exists(), seconds=30, what="the account goes")
    until(lambda: api.ticket_of(ticket.id) is None, what="its jobs go")


def test_the_page_asks_for_the_password(ana):
    client = signed_in(ana.user)
    response = client.post(reverse("account_delete"), {"password": "wrong", "sure": "on"})
    assert response.status_code == 422
    assert "That is not your password." in response.content.decode()
    assert User.objects.get().is_active


def test_the_page_asks_whether_it_is_meant(ana):
    assert signed_in(ana.user).post(reverse("account_delete"), {"password": PASSWORD}).status_code == 422
    assert User.objects.get().is_active


def test_the_page_closes_the_account_and_says_so(ana):
    client = signed_in(ana.user)
    response = client.post(reverse("account_delete"), {"password": PASSWORD, "sure": "on"}, follow=True)
    assert "Your account is closed" in response.content.decode()
    assert not User.objects.get().is_active


def test_the_last_who_runs_the_site_stays(ana):
    User.objects.filter(pk=ana.user.pk).update(is_superuser=True)
    response = signed_in(ana.user).post(reverse("account_delete"), {"password": PASSWORD, "sure": "on"})
    assert "You are the only person who runs this site." in response.content.decode()
    assert User.objects.get().is_active

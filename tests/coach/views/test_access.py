"""Every address: who may see it, and that nobody sees another's rows."""

from datetime import date

import pytest
from django.urls import reverse

from coach import weights
from coach.models import Doubt, Goal, Planned
from jobs import api

PAGES = [
    "week",
    "load",
    "trends",
    "records",
    "today",
    "plan",
    "recovery",
    "body",
    "activities",
    "calendar",
    "year",
    "imports",
    "line",
    "settings",
    "sources",
    "account",
    "doubts",
]
OWN = ["activity", "import_run", "original", "week_of", "panel", "source", "join", "undo", "sent"]
POSTED = [
    "split",
    "activity_remarks",
    "doubt_answer",
    "import_stop",
    "import_retry",
    "panel_stop",
    "panel_retry",
    "line_stop",
    "line_retry",
    "threshold_delete",
    "suggestion_answer",
    "source_rename",
    "source_check",
    "source_undo",
    "upload_discard",
    "token_revoke",
    "weight_delete",
    "goal_delete",
    "planned_delete",
]
OF_ONESELF = [  # without a row in the address
    "account_export",
    "account_delete",
    "uploads",
    "token_make",
    "folder_make",
    "model_switch",
]


def doubt(ride):
    values = {"athlete": ride.athlete, "provenance": ride.provenance.get(), "kind": "match"}
    return Doubt.objects.get_or_create(**values, defaults={"candidate": ride, "sentence": "Is it?"})[0]


def typed_weight(ride):
    return weights.put(ride.athlete, date(2026, 11, 1), 70).pk


def meant(ride):
    return Planned.objects.create(athlete=ride.athlete, title="ride.fit", day=ride.athlete.today())


def address(name, *, ride, run, file, threshold):
    known = {
        "activity": ("activity", ride.pk),
        "import_run": ("import_run", run.pk),
        "import_stop": ("import_stop", run.pk),
        "import_retry": ("import_retry", run.pk),
        "original": ("original", file.pk),
        "join": ("join", ride.pk),
        "undo": ("undo", run.pk),
        "activity_remarks": ("activity_remarks", ride.pk),
        "suggestion_answer": ("suggestion_answer", 1),
        "split": ("split", ride.provenance.get().pk),
        "doubt_answer": ("doubt_answer", doubt(ride).pk),
        "week_of": ("week", "2026-W48"),
        "panel": ("panel", "activity", ride.pk),
        "sent": ("sent", "activity", ride.pk),
        "panel_stop": ("panel_stop", "activity", ride.pk),
        "panel_retry": ("panel_retry", "activity", ride.pk),
        "line_stop": ("line_stop", 1),
        "line_retry": ("line_retry", 1),
        "threshold_delete": ("threshold_delete", threshold.pk),
        "upload_discard": ("upload_discard", "b2a0c8a6-52f2-4d0c-a0ee-000000000000"),
        "token_revoke": ("token_revoke", 1),
        "goal_delete": ("goal_delete", Goal.objects.create(athlete=ride.athlete, name="Race", day="2026-12-24").pk),
        "planned_delete": ("planned_delete", meant(ride).pk),
        "weight_delete": ("weight_delete", typed_weight(ride)),
        "source": ("source", ride.source_id),
        "source_rename": ("source_rename", ride.source_id),
        "source_check": ("source_check", ride.source_id),
        "source_undo": ("source_undo", ride.source_id),
    }
    found, *arguments = known.get(name, (name,))
    return reverse(found, args=arguments)


@pytest.mark.parametrize("name", PAGES + OWN)
def test_a_stranger_is_sent_to_the_sign_in_page(client, name, ride, run, file, threshold):
    there = address(name, ride=ride, run=run, file=file, threshold=threshold)
    response = client.get(there)
    assert response.status_code == 302
    assert response.url == f"{reverse('login')}?next={there}"


@pytest.mark.parametrize("name", POSTED + OF_ONESELF)
def test_a_stranger_changes_nothing(client, name, ride, run, file, threshold):
    response = client.post(address(name, ride=ride, run=run, file=file, threshold=threshold))
    assert response.status_code == 302
    assert response.url.startswith(reverse("login"))


@pytest.mark.parametrize("name", PAGES + OWN)
def test_the_owner_sees_every_page(as_ana, name, ride, run, file, threshold):
    response = as_ana.get(address(name, ride=ride, run=run, file=file, threshold=threshold))
    assert response.status_code == 200
    response.close()


@pytest.mark.parametrize("name", ["activity", "import_run", "original", "panel", "source", "join", "undo", "sent"])
def test_another_athlete_does_not_find_the_row(as_ben, name, ride, run, file, threshold):
    response = as_ben.get(address(name, ride=ride, run=run, file=file, threshold=threshold))
    assert response.status_code == 404


@pytest.mark.parametrize("name", POSTED)
def test_another_athlete_cannot_change_the_row(as_ben, name, ride, run, file, threshold):
    response = as_ben.post(address(name, ride=ride, run=run, file=file, threshold=threshold))
    assert response.status_code == 404
    threshold.refresh_from_db()


@pytest.mark.parametrize("name", POSTED + OF_ONESELF)
def test_what_changes_something_is_not_done_by_a_link(as_ana, name, ride, run, file, threshold):
    response = as_ana.get(address(name, ride=ride, run=run, file=file, threshold=threshold))
    assert response.status_code == 405


@pytest.mark.parametrize("name", PAGES)
def test_another_athletes_pages_hold_nothing_of_the_first(as_ben, name, ride, run, file, threshold):
    body = as_ben.get(reverse(name)).content.decode()
    assert "ride.fit" not in body
    assert reverse("activity", args=[ride.pk]) not in body
    assert "250 W" not in body


@pytest.mark.parametrize("name", PAGES)
def test_staff_without_an_athlete_get_a_page_with_the_way_to_the_console(as_boss, name):
    response = as_boss.get(reverse(name))
    assert response.status_code == 200
    assert reverse("admin:index") in response.content.decode()


def test_the_first_page_is_today(as_ana):
    assert as_ana.get("/").url == reverse("today")


def test_signing_in_and_out_works_without_script(client, ana):
    response = client.post(reverse("login"), {"username": "ana", "password": "a long password", "next": "/load/"})
    assert response.url == "/load/"
    assert client.post(reverse("logout")).url == reverse("login")


def test_a_wrong_password_is_answered_with_what_to_check(client, ana):
    response = client.post(reverse("login"), {"username": "ana", "password": "wrong"})
    assert "No account has this name and password." in response.content.decode()


def test_the_health_page_asks_the_database(client, db, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert client.get(reverse("healthz")).content == b"ok\n"


@pytest.mark.parametrize("name", PAGES + OWN)
def test_pages_are_kept_by_no_shared_cache_and_differ_for_htmx(as_ana, name, ride, run, file, threshold):
    response = as_ana.get(address(name, ride=ride, run=run, file=file, threshold=threshold))
    assert "private" in response["Cache-Control"]
    assert "HX-Request" in response["Vary"]
    response.close()


@pytest.mark.parametrize("address", ["/week/%00/", "/activities/?before=%00", "/admin/coach/insight/?scope=%00"])
def test_an_address_with_a_nul_is_turned_away(client, address):
    assert client.get(address).status_code == 400


def test_a_monitor_is_told_what_is_broken_and_not_whose_it_is(client, ana):
    assert client.get(reverse("readyz")).content == b"ok\n"
    api.enqueue("plain", ana.owner, "secret subject")
    told = client.get(reverse("readyz"))
    assert told.status_code == 503
    assert b"no worker serves them" in told.content
    assert b"secret" not in told.content

"""Exports: everything is in the zip, names are tame, secrets stay out, and old ones go."""

import csv
import io
import json
import zipfile
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from coach import exports, originals, tables
from coach.models import (
    Athlete,
    DayCurve,
    Evaluation,
    Export,
    Invite,
    Sketch,
    Streams,
    Token,
    Upstream,
    Watched,
    WriterScore,
)
from coach.streams import pack
from jobs import api, testing
from tests import factories
from tests.coach.test_imports import gpx, hand_in
from tests.coach.views.rows import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

# Streams are in the originals; what is on its way in or out is not the athlete's data.
NOT_EXPORTED = {Streams, Sketch, Export, Watched, Invite, WriterScore, Evaluation, Upstream}


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def exported(owner):
    exports.ask(owner)
    testing.run_due()
    with exports.opened(exports.ready(owner)[0]) as file:
        return zipfile.ZipFile(io.BytesIO(file.read()))


def table(archive, name):
    return json.loads(archive.read(f"data/{name}.json"))


def test_every_table_with_rows_of_an_athlete_is_exported():
    mine = set(apps.get_app_config("coach").get_models())
    assert mine == {model for model, _ in tables.TABLES.values()} | NOT_EXPORTED


def test_it_holds_the_originals_and_every_table_twice(ana):
    run = hand_in(ana, ("ride.gpx", gpx()))
    archive = exported(ana)
    file = run.files.get()
    assert archive.read(f"originals/{file.pk} ride.gpx") == gpx()
    assert [row["name"] for row in table(archive, "files")] == ["ride.gpx"]
    rows = list(csv.DictReader(io.StringIO(archive.read("data/activities.csv").decode())))
    assert [row["local_date"] for row in rows] == ["2026-05-01"]
    assert {name for name in archive.namelist() if name.endswith(".json")} == {
        f"data/{name}.json" for name in tables.TABLES
    }


def test_it_holds_nothing_of_others(ana):
    hand_in(factories.athlete("ben"), ("secret.gpx", gpx()))
    archive = exported(ana)
    assert not any("secret" in name for name in archive.namelist())
    assert table(archive, "activities") == []


def test_the_hash_of_a_token_stays_here(ana):
    Token.objects.create(athlete=ana, name="Phone", digest="d" * 64)
    assert "digest" not in table(exported(ana), "tokens")[0]


def test_a_curve_is_written_as_numbers(ana):
    run = hand_in(ana, ("ride.gpx", gpx()))
    packed = pack({"heart_rate_bpm": [61.0, float("nan")]})
    DayCurve.objects.create(
        athlete=ana,
        file=run.files.get(),
        provider="Watch",
        metric="heart_rate_bpm",
        local_date=date(2026, 5, 1),
        packed=packed,
    )
    assert table(exported(ana), "day_curves")[0]["packed"] == {"heart_rate_bpm": [61.0, None]}


@pytest.mark.parametrize("name", ["../../etc/passwd.gpx", "a\\b:c.gpx", "x" * 300 + ".gpx", "=cmd.gpx"])
def test_names_of_members_are_tame(ana, name):
    hand_in(ana, (name, gpx()))
    member = next(one for one in exported(ana).namelist() if one.startswith("originals/"))
    assert member.count("/") == 1
    assert ".." not in member.split("/")
    assert len(member) < 160


def test_a_cell_is_never_a_formula(ana):
    factories.activity(ana, date(2026, 5, 1), name="=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO(exported(ana).read("data/activities.csv").decode())))
    assert rows[0]["name"] == "'=HYPERLINK(1)"


def test_an_original_that_is_gone_is_named(ana):
    run = hand_in(ana, ("ride.gpx", gpx()))
    originals.path_of(run.files.get().sha256).unlink()
    assert exported(ana).read("missing.txt").decode() == f"{run.files.get().pk} ride.gpx\n"


def test_bytes_that_came_twice_are_packed_once(ana):
    hand_in(ana, ("a.gpx", gpx()), ("b.gpx", gpx()))
    assert sum(name.startswith("originals/") for name in exported(ana).namelist()) == 1


def test_a_full_disk_is_said(ana, monkeypatch):
    hand_in(ana, ("ride.gpx", gpx()))
    monkeypatch.setattr(exports.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 10})())
    exports.ask(ana)
    testing.run_due()
    assert "too little room" in exports.ticket(ana).error


def test_asking_twice_packs_once(ana):
    assert exports.ask(ana).id == exports.ask(ana).id


def test_an_export_that_is_a_week_old_goes(ana):
    exported(ana)
    old = Export.objects.get()
    Export.objects.update(created_at=timezone.now() - timedelta(days=8))
    exported(ana)
    assert not exports.path_of(old.pk).exists()
    assert Export.objects.count() == 1


def test_a_stop_leaves_no_half_zip(ana, data_folder, monkeypatch):
    hand_in(ana, ("ride.gpx", gpx()))

    def stopped(*args):
        raise api.Stopped("stop")

    monkeypatch.setattr(exports, "_table", stopped)
    exports.ask(ana)
    testing.run_due()
    assert list((data_folder / "exports").iterdir()) == []


def test_the_page_packs_and_gives_it_to_its_owner_alone(ana):
    client = signed_in(ana.user)
    client.post(reverse("account_export"))
    testing.run_due()
    address = reverse("account_download", args=[Export.objects.get().pk])
    assert address in client.get(reverse("account")).content.decode()
    response = client.get(address)
    assert response["Content-Disposition"].startswith('attachment; filename="coach-')
    assert zipfile.is_zipfile(io.BytesIO(b"".join(response.streaming_content)))
    assert signed_in(factories.athlete("ben").user).get(address).status_code == 404


def test_an_athlete_without_anything_can_be_exported(ana):
    assert table(exported(ana), "profile")[0]["id"] == Athlete.objects.get().pk

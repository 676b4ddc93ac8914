"""The way in with a token: JSON with one sentence for everything that can go wrong, and nothing of anybody else."""

import logging
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from coach import originals, tokens
from coach.models import ImportFile, ImportRun, Token
from jobs import testing
from tests.coach.test_imports import gpx

pytestmark = pytest.mark.django_db(transaction=True)
BINARY = "application/octet-stream"
WRONG = ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic YW5hOmE=", "Bearer \x7f", "bearer coach_x y", "Token x"]


@pytest.fixture
def secret(ana):
    return tokens.make(ana, "Phone")


def send(client, secret, data=b"buy milk", *, content_type=BINARY, name="notes.txt", **headers):
    given = {"Authorization": f"Bearer {secret}", **({"X-File-Name": name} if name else {}), **headers}
    return client.post(reverse("api_import"), data, content_type=content_type, headers=given)


def ask(client, secret, pk):
    return client.get(reverse("api_import_run", args=[pk]), headers={"Authorization": f"Bearer {secret}"})


def test_a_file_is_taken_in_and_its_outcome_is_told(client, ana, secret):
    response = send(client, secret, gpx(), name="morning%20ride.gpx")
    assert response.status_code == 201
    run = ImportRun.objects.get()
    assert response.json() == {"id": run.pk, "status": f"http://testserver/api/import/{run.pk}/"}
    assert (run.way, run.source.name, run.source.athlete) == ("token", "Phone", ana)
    testing.run_due()
    told = client.get(response.json()["status"], headers={"Authorization": f"Bearer {secret}"}).json()
    assert (told["state"], told["done"], told["total"]) == ("done", 1, 1)
    assert [(file["name"], file["outcome"]) for file in told["files"]] == [("morning ride.gpx", "imported")]


def test_a_form_may_hold_many_files(client, secret):
    files = [SimpleUploadedFile(f"{name}.gpx", gpx(day)) for day, name in enumerate("ab", start=1)]
    sent = client.post(reverse("api_import"), {"files": files}, headers={"Authorization": f"Bearer {secret}"})
    assert sent.status_code == 201
    assert [file.name for file in ImportRun.objects.get().files.all()] == ["a.gpx", "b.gpx"]


def test_the_name_may_stand_in_the_address(client, secret):
    there = f"{reverse('api_import')}?name=a.gpx"
    client.post(there, gpx(), content_type=BINARY, headers={"Authorization": f"Bearer {secret}"})
    assert ImportFile.objects.get().name == "a.gpx"


def test_no_session_and_no_form_token_is_needed(ana, secret):
    from django.test import Client

    assert send(Client(enforce_csrf_checks=True), secret).status_code == 201


@pytest.mark.parametrize("header", WRONG)
def test_every_wrong_token_gets_the_same_answer(client, secret, header):
    answers = [
        client.post(reverse("api_import"), b"x", content_type=BINARY, headers={"Authorization": header}),
        client.get(reverse("api_import_run", args=[1]), headers={"Authorization": header}),
    ]
    for answer in answers:
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == "Bearer"
        assert answer.json() == {"sentence": "This token is not known. Make one on the settings page."}
    assert not ImportRun.objects.exists()


def test_a_session_is_no_token(as_ana):
    assert as_ana.post(reverse("api_import"), b"x", content_type=BINARY).status_code == 401


def test_the_token_of_somebody_who_was_switched_off_is_not_known(client, ana, secret):
    ana.user.is_active = False
    ana.user.save()
    assert send(client, secret).status_code == 401


def test_another_token_does_not_see_the_import(client, ana, ben, secret):
    pk = send(client, secret).json()["id"]
    for other in (tokens.make(ben, "Phone"), tokens.make(ana, "Other phone")):
        assert ask(client, other, pk).status_code == 404
    assert ask(client, secret, pk).status_code == 200


def test_a_token_does_not_see_what_came_in_another_way(client, ana, secret, run):
    assert ask(client, secret, run.pk).status_code == 404


@pytest.mark.parametrize(
    ("status", "given"),
    [
        (422, {"data": b""}),
        (415, {"content_type": "application/json", "name": "", "data": b"{}"}),
        (415, {"content_type": "application/x-www-form-urlencoded", "name": "", "data": b"a=b"}),
        (415, {"Content-Encoding": "gzip"}),
        (400, {"content_type": "multipart/form-data", "data": b"x"}),
        (422, {"content_type": "multipart/form-data; boundary=x", "data": b"--x--\r\n"}),
    ],
)
def test_what_cannot_be_taken_is_answered_with_a_sentence(client, secret, status, given):
    response = send(client, secret, **given)
    assert response.status_code == status
    assert response.json()["sentence"].endswith(".")
    assert not ImportRun.objects.exists()


def test_curl_sends_a_file_as_a_form_and_that_is_taken_when_it_has_a_name(client, secret):
    assert send(client, secret, content_type="application/x-www-form-urlencoded").status_code == 201


def test_a_file_above_the_limit_is_refused_and_a_large_archive_is_not(client, secret, settings):
    settings.UPLOAD_FILE_BYTES, settings.UPLOAD_ARCHIVE_BYTES = 1000, 4000
    assert send(client, secret, b"x" * 1001).status_code == 413
    assert send(client, secret, b"PK\x03\x04" + b"x" * 1001).status_code == 201
    assert send(client, secret, b"PK\x03\x04" + b"x" * 4001).status_code == 413


def test_a_token_begins_a_limited_number_of_imports_an_hour(client, ana, secret, monkeypatch):
    monkeypatch.setattr(tokens, "MOST_RUNS", 2)
    assert [send(client, secret).status_code for _ in range(3)] == [201, 201, 429]
    assert send(client, tokens.make(ana, "Other phone")).status_code == 201
    ImportRun.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert send(client, secret).status_code == 201


def test_a_full_disk_is_said(client, secret, monkeypatch):
    monkeypatch.setattr(originals, "SPARE_BYTES", 10**18)
    assert send(client, secret).status_code == 507


def test_the_use_of_a_token_is_remembered(client, secret):
    send(client, secret)
    assert Token.objects.get().used_at > timezone.now() - timedelta(minutes=1)


def test_no_token_and_no_name_is_written_into_the_log(client, secret, caplog):
    caplog.set_level(logging.DEBUG)
    send(client, secret)
    send(client, f"{secret}x")
    assert secret not in caplog.text
    assert "notes.txt" not in caplog.text


@pytest.mark.parametrize("name", ["..%2F..%2Fescape", "%00nul.fit", "x" * 400, "%FF", "<b>.fit"])
def test_a_strange_name_is_cleaned_and_never_a_path(client, secret, name):
    assert send(client, secret, name=name).status_code == 201
    assert ImportFile.objects.get().name.isprintable()


@pytest.mark.parametrize("name", ["m%C3%BCde%20Beine.fit", "müde Beine.fit".encode().decode("latin-1")])
def test_a_name_may_be_percent_encoded_or_plain(client, secret, name):
    send(client, secret, name=name)
    assert ImportFile.objects.get().name == "müde Beine.fit"


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_only_post_hands_in(client, secret, method):
    answer = getattr(client, method)(reverse("api_import"), headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 405

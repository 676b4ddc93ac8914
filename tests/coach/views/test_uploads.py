"""Large files by pieces: what has arrived stays, and a piece that does not fit is told where to go on."""

import fcntl
import os
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from coach import originals, schedules, uploads
from coach.models import ImportFile, ImportRun, Upload
from jobs import testing
from tests.coach.views.rows import signed_in, upload

pytestmark = pytest.mark.django_db(transaction=True)
PIECE = "application/offset+octet-stream"


def begin(client, size, *, name="ride.zip", piece=b""):
    headers = {"Upload-Length": str(size), "Upload-Name": name}
    return client.post(reverse("uploads"), piece, content_type=PIECE, headers=headers)


def go_on(client, address, piece, *, at):
    return client.patch(address, piece, content_type=PIECE, headers={"Upload-Offset": str(at)})


def id_of(address):
    return address.split("/")[-2]


def hand_in(client, *addresses, **fields):
    ids = " ".join(id_of(address) for address in addresses)
    return client.post(reverse("imports"), {"uploads": ids, **fields})


def test_a_file_arrives_in_pieces_and_becomes_an_import_of_the_whole(as_ana, ana):
    address = begin(as_ana, 8)["Location"]
    assert go_on(as_ana, address, b"buy ", at=0)["Upload-Offset"] == "4"
    told = as_ana.head(address)
    assert (told["Upload-Offset"], told["Upload-Length"]) == ("4", "8")
    assert go_on(as_ana, address, b"milk", at=4).status_code == 204
    response = hand_in(as_ana, address)
    run = ImportRun.objects.get(source__athlete=ana)
    assert response.url.endswith(f"#run-{run.pk}")
    file = run.files.get()
    assert (file.name, file.size) == ("ride.zip", 8)
    with originals.reader(file.sha256) as kept:
        assert kept.read() == b"buy milk"
    assert not list(uploads.folder().iterdir())


def test_a_small_file_comes_with_the_request_that_announces_it(as_ana):
    response = begin(as_ana, 8, piece=b"buy milk")
    assert (response.status_code, response["Upload-Offset"]) == (201, "8")


def test_all_files_of_a_drop_are_one_import_of_the_source_that_was_named(as_ana, ana):
    addresses = [begin(as_ana, 1, name=f"{name}.fit", piece=name.encode())["Location"] for name in "abc"]
    hand_in(as_ana, *addresses, source="Old watch", recordings=[upload("d.fit", b"d")])
    run = ImportRun.objects.get()
    assert [file.name for file in run.files.all()] == ["a.fit", "b.fit", "c.fit", "d.fit"]
    assert (run.source.name, run.source.athlete) == ("Old watch", ana)


def test_a_piece_that_does_not_fit_is_told_where_the_file_ends(as_ana):
    address = begin(as_ana, 8)["Location"]
    go_on(as_ana, address, b"buy ", at=0)
    again = go_on(as_ana, address, b"buy ", at=0)
    assert (again.status_code, again["Upload-Offset"]) == (409, "4")


def test_while_one_page_sends_a_piece_another_is_told_to_come_later(as_ana):
    address = begin(as_ana, 8)["Location"]
    go_on(as_ana, address, b"buy ", at=0)
    with (uploads.folder() / id_of(address)).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert as_ana.head(address).status_code == 409  # it asks first, and does not send the piece for nothing
        second = go_on(as_ana, address, b"milk", at=4)
    assert (second.status_code, second["Upload-Offset"]) == (409, "4")
    assert go_on(as_ana, address, b"milk", at=4).status_code == 204
    assert as_ana.head(address).status_code == 200


def test_what_a_killed_process_wrote_beyond_the_row_is_written_over(as_ana):
    address = begin(as_ana, 8)["Location"]
    go_on(as_ana, address, b"buy ", at=0)
    with (uploads.folder() / id_of(address)).open("ab") as torn:
        torn.write(b"mi")
    assert as_ana.head(address)["Upload-Offset"] == "4"
    go_on(as_ana, address, b"MILK", at=4)
    hand_in(as_ana, address)
    with originals.reader(ImportFile.objects.get().sha256) as kept:
        assert kept.read() == b"buy MILK"


def test_more_than_was_announced_is_refused(as_ana):
    address = begin(as_ana, 4)["Location"]
    assert go_on(as_ana, address, b"buy milk", at=0).status_code == 413


def test_a_file_that_has_not_arrived_wholly_is_no_import_yet(as_ana):
    address = begin(as_ana, 8)["Location"]
    response = hand_in(as_ana, address)
    assert response.status_code == 422
    assert "ride.zip has not arrived wholly" in response.content.decode()
    assert not ImportRun.objects.exists()


def test_the_form_sent_twice_makes_one_import(as_ana):
    address = begin(as_ana, 8, piece=b"buy milk")["Location"]
    assert hand_in(as_ana, address).url == hand_in(as_ana, address).url
    assert ImportRun.objects.count() == 1


@pytest.mark.parametrize("ids", ["nonsense", "b2a0c8a6-52f2-4d0c-a0ee-000000000000"])
def test_an_upload_that_is_not_there_is_said(as_ana, ids):
    response = as_ana.post(reverse("imports"), {"uploads": ids})
    assert response.status_code == 422
    assert "Choose your files again." in response.content.decode()


def test_another_athlete_neither_sees_nor_touches_an_upload(as_ana, as_ben, ben):
    address = begin(as_ana, 8, piece=b"buy milk")["Location"]
    assert as_ben.head(address).status_code == 404
    assert go_on(as_ben, address, b"x", at=8).status_code == 404
    assert as_ben.post(f"{address}discard/").status_code == 404
    assert hand_in(as_ben, address).status_code == 422
    assert "ride.zip" not in as_ben.get(reverse("imports")).content.decode()
    assert Upload.objects.get().received == 8


def test_pieces_need_the_token_of_the_form(ana):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(ana.user)
    assert begin(client, 8).status_code == 403


@pytest.mark.parametrize("size", ["", "-1", "1.5", "9" * 30, "٣"])
def test_a_length_that_is_none_is_refused(as_ana, size):
    response = as_ana.post(
        reverse("uploads"), b"", content_type=PIECE, headers={"Upload-Length": size.encode().decode("latin-1")}
    )
    assert response.status_code == 400
    assert response.json()["sentence"].endswith(".")


def test_a_file_above_the_limit_is_refused_before_a_byte_is_sent(as_ana, settings):
    settings.UPLOAD_ARCHIVE_BYTES = 5 * 1024 * 1024
    response = begin(as_ana, 6 * 1024 * 1024)
    assert response.status_code == 413
    assert "larger than 5 MB" in response.json()["sentence"]


def test_what_is_too_large_for_a_recording_and_no_archive_is_refused_by_its_first_piece(as_ana, settings):
    settings.UPLOAD_FILE_BYTES = 1024 * 1024
    zipped, other, health = (begin(as_ana, 2 * 1024 * 1024)["Location"] for _ in range(3))
    assert go_on(as_ana, zipped, b"PK\x03\x04 and so on", at=0).status_code == 204
    assert go_on(as_ana, health, b'<?xml version="1.0"?>\n<!DOCTYPE HealthData [', at=0).status_code == 204
    assert go_on(as_ana, other, b"noise", at=0).status_code == 413
    assert as_ana.head(other).status_code == 404


def test_too_many_unfinished_uploads_are_refused(as_ana, settings):
    settings.UPLOAD_FILES = 1
    assert [begin(as_ana, 8).status_code for _ in range(3)] == [201, 201, 422]


def test_unfinished_uploads_have_a_common_limit_of_size(as_ana, as_ben, settings):
    settings.UPLOAD_ARCHIVE_BYTES = 100
    assert [begin(as_ana, 90).status_code for _ in range(3)] == [201, 201, 422]
    assert begin(as_ben, 90).status_code == 201


def test_a_disk_that_is_nearly_full_takes_nothing_in(as_ana, monkeypatch):
    monkeypatch.setattr(originals, "SPARE_BYTES", 10**18)
    response = begin(as_ana, 8)
    assert response.status_code == 507
    assert "disk of this server is full" in response.json()["sentence"]
    plain = as_ana.post(reverse("imports"), {"recordings": [upload()]})
    assert plain.status_code == 507
    assert "disk of this server is full" in plain.content.decode()


def test_a_disk_that_fills_up_keeps_what_has_arrived(as_ana):
    address = begin(as_ana, 8)["Location"]
    uploads.folder().mkdir(exist_ok=True)
    (uploads.folder() / id_of(address)).symlink_to("/dev/full")
    response = go_on(as_ana, address, b"buy ", at=0)
    assert response.status_code == 507
    assert as_ana.head(address)["Upload-Offset"] == "0"


def test_an_upload_that_waits_is_shown_and_can_be_discarded(as_ana):
    address = begin(as_ana, 8, name="big%20one.zip")["Location"]
    go_on(as_ana, address, b"buy ", at=0)
    body = as_ana.get(reverse("imports")).content.decode()
    assert "big one.zip" in body
    assert "4 bytes of 8 bytes" in body
    as_ana.post(f"{address}discard/")
    assert "big one.zip" not in as_ana.get(reverse("imports")).content.decode()
    assert not list(uploads.folder().iterdir())


@pytest.mark.parametrize("name", ["..%2F..%2Fescape", "%00nul", "x" * 400, "%FF%FE", "%E2%80%AEexe.fit", ""])
def test_a_strange_name_is_cleaned_and_never_a_path(as_ana, name):
    hand_in(as_ana, begin(as_ana, 1, name=name, piece=b"x")["Location"])
    file = ImportFile.objects.get()
    assert file.name.isprintable()
    assert 0 < len(file.name) <= 300


def test_a_file_of_no_bytes_is_handed_in_and_explained(as_ana):
    hand_in(as_ana, begin(as_ana, 0, name="empty.fit")["Location"])
    testing.run_due()
    file = ImportFile.objects.get()
    assert (file.outcome, file.size) == ("refused", 0)


def test_what_nobody_goes_on_with_is_swept_after_two_days(as_ana):
    old, young = (begin(as_ana, 8, name=name, piece=b"")["Location"] for name in ("old", "young"))
    for address in (old, young):
        go_on(as_ana, address, b"buy ", at=0)
    long_ago = timezone.now() - timedelta(days=3)
    Upload.objects.filter(name="old").update(touched_at=long_ago)
    stray, orphan = uploads.folder() / "stray", originals.folder() / "arriving-x"
    for path in (stray, orphan, uploads.folder() / id_of(old), uploads.folder() / id_of(young)):
        path.touch()
        os.utime(path, (long_ago.timestamp(), long_ago.timestamp()))
    schedules.sweep(nominal="2026-11-30T05:17:00+00:00")
    testing.run_due()
    assert [row.name for row in Upload.objects.all()] == ["young"]
    assert [path.name for path in uploads.folder().iterdir()] == [id_of(young)]
    assert not orphan.exists()


def test_an_upload_goes_on_in_another_session(as_ana, ana):
    address = begin(as_ana, 8)["Location"]
    go_on(as_ana, address, b"buy ", at=0)
    call_command("clearsessions")
    later = signed_in(ana.user)
    assert go_on(later, address, b"milk", at=4)["Upload-Offset"] == "8"

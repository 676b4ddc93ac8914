"""`manage.py import`: files, folders and zips of this machine, with a sentence for what went wrong."""

import io
import os

import pytest
from django.core.management import CommandError, call_command

from coach import originals
from coach.models import ImportFile, ImportRun
from jobs import testing
from tests import factories
from tests.coach.test_imports import gpx, zipped

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def rides(settings, tmp_path):
    settings.DATA = tmp_path / "data"
    folder = tmp_path / "rides"
    (folder / "2026" / "may").mkdir(parents=True)
    (folder / "one.gpx").write_bytes(gpx(1))
    (folder / "2026" / "may" / "two.gpx").write_bytes(gpx(2))
    return folder


@pytest.fixture
def ana():
    return factories.athlete()


def run_import(*paths, **options):
    said = io.StringIO()
    given = {"athlete": "ana", **options}
    try:
        call_command("import", *map(str, paths), stdout=said, stderr=said, **given)
    except CommandError as error:
        return 1, f"{said.getvalue()}{error}"
    return 0, said.getvalue()


def names():
    return sorted(ImportFile.objects.filter(parent=None).values_list("name", flat=True))


def test_a_folder_is_handed_in_with_all_below(ana, rides):
    code, said = run_import(rides)
    run = ImportRun.objects.get()
    assert (code, said) == (0, f"Import {run.pk}: 2 files for My files, in line.\n")
    assert names() == ["2026/may/two.gpx", "one.gpx"]
    assert (run.way, run.source.name) == ("command", "My files")


def test_files_and_zips_are_handed_in_for_the_source_that_was_named(ana, rides, tmp_path):
    (tmp_path / "all.zip").write_bytes(zipped(three_gpx=gpx(3)))
    code, _ = run_import(rides / "one.gpx", tmp_path / "all.zip", source="Old watch")
    assert code == 0
    assert names() == ["all.zip", "one.gpx"]
    assert ImportRun.objects.get().source.name == "Old watch"


def test_wait_says_what_became_of_every_file(ana, rides, start_worker, settings):
    (rides / "notes.txt").write_text("buy milk")
    start_worker(env={"COACH_DATA": str(settings.DATA)})
    code, said = run_import(rides, wait=True)
    assert code == 1
    assert "  one.gpx: imported." in said
    assert "  notes.txt: refused. " in said
    (rides / "notes.txt").unlink()
    code, said = run_import(rides, wait=True)
    assert code == 0
    assert "  one.gpx: already there. " in said


def test_an_athlete_nobody_knows_is_said(rides):
    assert run_import(rides) == (1, "No athlete is called ana. A staff user adds athletes in the admin.")


@pytest.mark.parametrize("name", ["missing", "bad\0name"])
def test_a_path_that_is_not_there_is_said(ana, rides, name):
    code, said = run_import(rides.parent / name)
    assert code == 1
    assert said.startswith("Left out: ")
    assert said.endswith("Nothing was found that could be handed in.")


def test_an_empty_folder_is_said(ana, tmp_path):
    (tmp_path / "empty").mkdir()
    assert run_import(tmp_path / "empty") == (1, "Nothing was found that could be handed in.")


def test_a_pipe_is_no_file_and_the_others_are_taken(ana, rides):
    os.mkfifo(rides.parent / "pipe")
    code, said = run_import(rides.parent / "pipe", rides)
    assert code == 1
    assert "pipe: It is no plain file." in said
    assert len(names()) == 2


def test_a_link_out_of_the_folder_is_not_followed(ana, rides, tmp_path):
    (tmp_path / "secret.gpx").write_bytes(gpx(5))
    (rides / "link.gpx").symlink_to(tmp_path / "secret.gpx")
    (rides / "away").symlink_to(tmp_path)
    run_import(rides)
    assert names() == ["2026/may/two.gpx", "one.gpx"]


def test_a_full_disk_takes_nothing_in(ana, rides, monkeypatch):
    monkeypatch.setattr(originals, "SPARE_BYTES", 10**18)
    code, said = run_import(rides)
    assert code == 1
    assert "The disk of this server is full" in said
    assert not ImportRun.objects.exists()


def test_many_files_are_imports_of_as_many_as_the_page_takes_in_few_queries(
    ana, rides, settings, django_assert_max_num_queries
):
    for number in range(198):
        (rides / f"{number}.txt").write_text(f"{number}")
    settings.UPLOAD_FILES = 50
    with django_assert_max_num_queries(4 * 25):
        run_import(rides)
    assert [run.files.count() for run in ImportRun.objects.order_by("pk")] == [50, 50, 50, 50]
    testing.run_due()

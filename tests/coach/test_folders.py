"""The watched folder: what has stopped growing is taken in once, and what is no plain file is left alone."""

import logging
import os
from itertools import count

import pytest

from coach import checks, folders, schedules
from coach.models import ImportFile, ImportRun, Watched
from jobs import testing
from jobs.models import Job
from tests import factories
from tests.coach.test_imports import gpx

pytestmark = pytest.mark.django_db(transaction=True)
minutes = count()


@pytest.fixture
def ana():
    return factories.athlete()


@pytest.fixture
def folder(settings, tmp_path, ana):
    settings.DATA = tmp_path / "data"
    settings.WATCH = tmp_path / "watch"
    path = settings.WATCH / "ana"
    path.mkdir(parents=True)
    return path


def scan(times=1):
    for _ in range(times):
        number = next(minutes)
        schedules.watch(nominal=f"2026-11-30T{number // 60:02}:{number % 60:02}:00+00:00")
        testing.run_due()
    return Job.objects.filter(kind=folders.KIND).latest("id")


def taken():
    return sorted(ImportFile.objects.filter(run__way="folder").values_list("name", flat=True))


def test_a_file_is_taken_in_once_it_was_the_same_in_two_looks(folder, ana):
    (folder / "ride.gpx").write_bytes(gpx())
    scan()
    assert taken() == []
    scan()
    assert taken() == ["ride.gpx"]
    run = ImportRun.objects.get()
    assert (run.source.name, run.source.athlete) == ("Watched folder", ana)
    assert ImportFile.objects.get().outcome == "imported"
    scan(3)
    assert taken() == ["ride.gpx"]


def test_a_file_that_grows_waits(folder):
    path = folder / "ride.gpx"
    for size in (100, 200, 300):
        path.write_bytes(gpx()[:size])
        scan()
    assert taken() == []
    scan()
    assert taken() == ["ride.gpx"]


def test_a_file_that_is_touched_moved_or_copied_is_not_taken_twice(folder):
    path = folder / "ride.gpx"
    path.write_bytes(gpx())
    scan(2)
    os.utime(path, (1, 1))
    (folder / "copy.gpx").write_bytes(gpx())
    scan(3)
    path.rename(folder / "renamed.gpx")
    scan(3)
    assert taken() == ["ride.gpx"]
    assert not Watched.objects.filter(taken_at=None).exists()
    assert Watched.objects.count() == 2


def test_other_bytes_under_the_same_name_are_a_new_file(folder):
    path = folder / "ride.gpx"
    path.write_bytes(gpx(1))
    scan(2)
    path.write_bytes(gpx(2))
    scan(2)
    assert taken() == ["ride.gpx", "ride.gpx"]


def test_links_pipes_hidden_and_unfinished_files_are_left_alone(folder, tmp_path):
    secret = tmp_path / "secret.gpx"
    secret.write_bytes(gpx(1))
    (folder / "link.gpx").symlink_to(secret)
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.gpx")
    for name in (".hidden.gpx", "a.gpx.part", "b.crdownload", "c.TMP", "d.gpx~"):
        (folder / name).write_bytes(gpx(2))
    (folder / ".trash").mkdir()
    (folder / ".trash" / "e.gpx").write_bytes(gpx(3))
    (folder / "2026").mkdir()
    (folder / "2026" / "good.gpx").write_bytes(gpx(4))
    scan(3)
    assert taken() == ["2026/good.gpx"]
    assert [row.name for row in Watched.objects.all()] == ["2026/good.gpx"]


def test_a_folder_that_became_a_link_after_the_look_is_not_followed(folder, tmp_path):
    from coach import walking

    (folder / "sub").mkdir()
    (folder / "sub" / "a.gpx").write_bytes(gpx())
    [found] = walking.walk(folder)
    (folder / "sub").rename(tmp_path / "elsewhere")
    (folder / "sub").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="directory"):
        found.arrival().keep()


def test_a_file_that_changes_while_it_is_read_is_taken_the_next_time(folder):
    from coach import walking

    path = folder / "a.gpx"
    path.write_bytes(gpx())
    [found] = walking.walk(folder)
    path.write_bytes(gpx() + b" ")
    with pytest.raises(OSError, match=r"It changed while it was being read\."):
        found.arrival().keep()


def test_nothing_in_the_folder_is_changed(folder):
    path = folder / "ride.gpx"
    path.write_bytes(gpx())
    before = path.stat()
    scan(2)
    after = path.stat()
    assert (before.st_mtime_ns, before.st_size, before.st_ino) == (after.st_mtime_ns, after.st_size, after.st_ino)


def test_each_athlete_has_a_folder_of_their_own(folder, ana):
    ben = factories.athlete("ben")
    (folder.parent / "ben").mkdir()
    (folder.parent / "nobody").mkdir()
    (folder.parent / "loose.gpx").write_bytes(gpx(3))
    for name, day in (("ana", 1), ("ben", 2), ("nobody", 3)):
        (folder.parent / name / "ride.gpx").write_bytes(gpx(day))
    scan(2)
    assert {run.source.athlete for run in ImportRun.objects.all()} == {ana, ben}
    assert len(taken()) == 2


def test_the_folder_of_somebody_who_was_switched_off_is_left_alone(folder, ana):
    ana.user.is_active = False
    ana.user.save()
    (folder / "ride.gpx").write_bytes(gpx())
    scan(2)
    assert not Watched.objects.exists()


def test_a_file_that_cannot_be_read_is_named_once_and_taken_when_it_can(folder, caplog, monkeypatch):
    """Root may read everything, so a link on the way stands for what the system refuses."""
    from coach import walking

    def refused(found):
        raise PermissionError(13, "Permission denied")
        yield b""

    (folder / "ride.gpx").write_bytes(gpx())
    caplog.set_level(logging.WARNING, logger="coach.folders")
    monkeypatch.setattr(walking, "pieces", refused)
    scan(4)
    told = [record for record in caplog.records if folders.UNREADABLE in record.message]
    assert len(told) == 1
    assert "ride.gpx" in told[0].message
    assert Watched.objects.get().trouble == "Permission denied."
    monkeypatch.undo()
    scan()
    assert taken() == ["ride.gpx"]
    assert Watched.objects.get().trouble == ""


def test_names_that_are_no_text_or_very_long_are_kept_apart(folder):
    names = [b"caf\xe9.gpx", b"n\nl.gpx", b"x" * 200 + b"/" + b"y" * 200 + b"/" + b"z" * 200 + b".gpx"]
    for day, name in enumerate(names, start=1):
        path = os.path.join(os.fsencode(folder), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(gpx(day))
    scan(3)
    assert len(taken()) == 3
    assert all(name.isprintable() for name in taken())


def test_a_look_at_many_files_takes_few_queries(folder, settings, django_assert_max_num_queries):
    for number in range(300):
        (folder / f"{number}.txt").write_text(f"{number}")
    settings.UPLOAD_FILES = 100
    scan(2)
    assert ImportRun.objects.count() == 3
    with django_assert_max_num_queries(30):
        scan()


def test_a_folder_that_is_not_there_is_said_and_forgets_nothing(folder, settings, ana):
    (folder / "ride.gpx").write_bytes(gpx())
    scan(2)
    away = folder.parent.with_name("away")
    folder.parent.rename(away)
    job = scan()
    assert job.status == "succeeded"
    assert [warning.id for warning in checks.watched_folder(None)] == ["coach.W010"]
    away.rename(folder.parent)
    scan(2)
    assert taken() == ["ride.gpx"]
    assert checks.watched_folder(None) == []


def test_without_a_watched_folder_the_clock_asks_for_nothing(settings):
    settings.WATCH = None
    schedules.watch()
    assert not Job.objects.filter(kind=folders.KIND).exists()

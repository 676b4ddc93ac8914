"""Backups that cannot be written or restored: each is refused in one sentence, and nothing is left half done."""

import io
import json
import os
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection

from coach import dumps, imports
from tests import factories
from tests.coach.outings import gpx
from tests.deploy.test_backup import asked, manage
from tests.processes import database_url

pytestmark = pytest.mark.django_db(transaction=True)
ABOUT, DUMP = "coach-backup.json", "database.dump"


@pytest.fixture
def ana(settings, tmp_path):
    """Somebody with one original."""
    settings.DATA = tmp_path / "data"
    owner = factories.athlete()
    imports.receive(factories.source(owner), [SimpleUploadedFile("a.gpx", gpx())], by=owner.user)
    return owner


@pytest.fixture
def backup(ana, tmp_path) -> Path:
    call_command("backup", tmp_path / "coach.tar")
    return tmp_path / "coach.tar"


@pytest.fixture
def there(elsewhere, tmp_path) -> dict[str, str]:
    return {"DATABASE_URL": elsewhere, "COACH_DATA": str(tmp_path / "new")}


@pytest.fixture
def refused(there, elsewhere) -> Callable[[Path], str]:
    """Restore a file that must be refused; return what was said."""

    def refuse(file: Path) -> str:
        done = manage("restore", file, **there)
        assert done.returncode == 1
        assert done.stderr.strip().count("\n") == 0, done.stderr
        assert asked(elsewhere)("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
        assert not list(Path(there["COACH_DATA"]).glob("originals/*"))
        return done.stderr

    return refuse


def members(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}


def packed(file: Path, held: dict[str, bytes]) -> Path:
    with tarfile.open(file, "w") as tar:
        for name, content in held.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return file


def foreign_dump() -> bytes:
    """A dump by the same program, of tables that are none of ours."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA foreigner CREATE TABLE thing (id int)")
    try:
        options = ["--format=custom", "--schema=foreigner", f"--dbname={database_url()}"]
        return subprocess.run([dumps._newest("pg_dump"), *options], capture_output=True, check=True).stdout
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA foreigner CASCADE")


DAMAGES: dict[str, Callable[[dict[str, bytes]], dict[str, bytes]]] = {
    "the description is a list": lambda held: {**held, ABOUT: b"[1]"},
    "the description is no text": lambda held: {**held, ABOUT: b"\xff\xfe"},
    "the description is of another format": lambda held: {**held, ABOUT: b'{"format": 99}'},
    "the description is not there": lambda held: {name: held[name] for name in held if name != ABOUT},
    "the dump is not there": lambda held: {name: held[name] for name in held if name != DUMP},
    "the dump is empty": lambda held: {**held, DUMP: b""},
    "the dump is no dump": lambda held: {**held, DUMP: b"a letter"},
    "the dump breaks off": lambda held: {**held, DUMP: held[DUMP][: len(held[DUMP]) // 2]},
    "the dump has holes": lambda held: {**held, DUMP: held[DUMP][:-20000] + bytes(20000)},
}


@pytest.mark.full
def test_what_is_damaged_restores_nothing(backup, refused, tmp_path):
    held = members(backup)
    for damage, done in DAMAGES.items():
        assert "Nothing was restored." in refused(packed(tmp_path / "bad.tar", done(held))), damage


def test_a_dump_of_another_program_restores_nothing(backup, refused, tmp_path):
    other = {**members(backup), DUMP: foreign_dump()}
    assert "is no backup of Coach" in refused(packed(tmp_path / "other.tar", other))


def test_a_file_that_breaks_off_between_two_originals_restores_nothing(backup, refused, tmp_path):
    """What follows the last whole member is missed, or the missing ones would pass for undone ones."""
    with tarfile.open(backup) as tar:
        *_, last = tar
    cut = tmp_path / "cut.tar"
    cut.write_bytes(backup.read_bytes()[: last.offset])
    assert "it breaks off" in refused(cut)


def test_a_backup_of_a_newer_version_restores_nothing(backup, refused, tmp_path):
    held = members(backup)
    about = json.loads(held[ABOUT])
    about["migrations"].append(["jobs", "9999_of_tomorrow"])
    said = refused(packed(tmp_path / "newer.tar", {**held, ABOUT: json.dumps(about).encode()}))
    assert "a newer version of Coach, which has jobs.9999_of_tomorrow. Install that version" in said


def test_a_backup_of_before_versions_were_listed_is_restored(backup, there, tmp_path):
    held = members(backup)
    about = {name: value for name, value in json.loads(held[ABOUT]).items() if name != "migrations"}
    older = packed(tmp_path / "older.tar", {**held, ABOUT: json.dumps(about).encode()})
    assert manage("restore", older, **there).returncode == 0


def test_a_damaged_original_is_left_out_and_said(backup, there, tmp_path):
    held = {name: b"changed" if name.startswith("originals/") else value for name, value in members(backup).items()}
    done = manage("restore", packed(tmp_path / "bad.tar", held), **there)
    assert done.returncode == 0
    assert "1 originals are damaged in the file and were left out." in done.stdout
    assert "missing" not in done.stdout
    assert not list(Path(there["COACH_DATA"]).glob("originals/*/*"))


# Writing


@pytest.mark.parametrize(
    ("target", "said"),
    [("nowhere/coach.tar", "There is no folder"), ("", "is a folder: name a file in it, such as")],
)
def test_what_cannot_be_written_is_said_and_leaves_nothing(ana, tmp_path, target, said):
    with pytest.raises(CommandError, match=f"No backup was written. .*{said}"):
        call_command("backup", tmp_path / target)
    assert list(tmp_path.glob("coach*")) == []


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of 64 KB."""
    if os.geteuid() != 0:
        pytest.skip("only root mounts a disk")
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], check=False)
    if mounted.returncode:
        pytest.skip("this machine mounts no disk")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_full_is_said_and_keeps_the_backup_of_before(ana, small_disk):
    kept = small_disk / "coach.tar"
    kept.write_bytes(b"the one of before")
    with pytest.raises(CommandError, match=r"No backup was written\. The disk of .*small is full"):
        call_command("backup", kept)
    assert [(path, path.read_bytes()) for path in small_disk.iterdir()] == [(kept, b"the one of before")]


def test_a_restore_onto_a_full_disk_restores_nothing(backup, there, elsewhere, small_disk):
    done = manage("restore", backup, **{**there, "COACH_DATA": str(small_disk)})
    assert "is full. Nothing was restored." in done.stderr
    assert asked(elsewhere)("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
    assert not list(small_disk.glob("originals/*"))


def test_a_database_without_coach_makes_no_backup(there, tmp_path):
    done = manage("backup", tmp_path / "empty.tar", **there)
    assert "This database holds nothing of Coach." in done.stderr
    assert not (tmp_path / "empty.tar").exists()


def test_a_stranger_in_a_backup_is_left_out(backup, there, tmp_path):
    with tarfile.open(backup, "a") as tar:
        tar.add(__file__, "../outside.py")
        tar.add(__file__, "originals/ab/cd/deep.py")
    assert manage("restore", backup, **there).returncode == 0
    assert not list(tmp_path.rglob("*.py"))

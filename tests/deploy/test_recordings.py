"""What deploy/try hands in."""

from pathlib import Path

import pytest

from deploy.tryout import recordings


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(path.name.encode())
    return path


def test_a_folder_is_walked_for_what_ends_as_recordings_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ["b.FIT", "deep/er/a.gpx", "c.fit.gz", "d.tcx", "all.zip", "notes.txt", ".hidden.fit", ".git/x.fit"]:
        touch(tmp_path / "rides" / name)
    found = [file.name for file in recordings.given([tmp_path / "rides"])]
    assert found == ["all.zip", "b.FIT", "c.fit.gz", "d.tcx", "a.gpx"]
    assert capsys.readouterr().out.startswith("Left alone: 1 files")


def test_a_file_that_was_named_is_handed_in_whatever_its_name(tmp_path: Path) -> None:
    path = touch(tmp_path / "recording")
    assert [file.name for file in recordings.given([path])] == ["recording"]


def test_the_same_bytes_have_the_same_hash_on_disk_and_in_memory(tmp_path: Path) -> None:
    path = touch(tmp_path / "a.fit")
    on_disk = recordings.Candidate(name="a.fit", path=path)
    assert on_disk.sha256() == recordings.Candidate(name="b.fit", made=b"a.fit").sha256()

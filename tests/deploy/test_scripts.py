"""The shell scripts are plain sh, and what they find they have run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = ["database", "find-python", "package", "prepare", "test", "try"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_is_valid_sh(name: str) -> None:
    done = subprocess.run(["sh", "-n", ROOT / "deploy" / name], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def executable(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)
    return path


def find_python(*, path: str, pyenv: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": path, "PYENV_ROOT": str(pyenv), "HOME": str(pyenv)}
    command = ["/bin/sh", ROOT / "deploy" / "find-python"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_shim_that_exists_but_fails_is_passed_over(tmp_path: Path) -> None:
    executable(tmp_path / "shims" / "python3.14", "#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
    real = executable(tmp_path / "real" / "python3.12", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    found = find_python(path=f"{tmp_path}/shims:{tmp_path}/real", pyenv=tmp_path / "none")
    assert found.stdout.strip() == str(real)


def test_a_version_of_pyenv_is_found_when_the_path_has_none(tmp_path: Path) -> None:
    real = executable(
        tmp_path / "versions" / "3.13.9" / "bin" / "python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
    )
    assert find_python(path=str(tmp_path / "empty"), pyenv=tmp_path).stdout.strip() == str(real)


def test_a_second_folder_of_the_path_is_tried_for_the_same_name(tmp_path: Path) -> None:
    executable(tmp_path / "first" / "python3", "#!/bin/sh\nexit 1\n")
    real = executable(tmp_path / "second" / "python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    found = find_python(path=f"{tmp_path}/first:{tmp_path}/second", pyenv=tmp_path / "none")
    assert found.stdout.strip() == str(real)


def test_without_a_fit_python_the_script_fails_and_says_what_it_tried(tmp_path: Path) -> None:
    old = executable(tmp_path / "bin" / "python3", "#!/bin/sh\necho 'is Python 3.9, too old'\nexit 1\n")
    found = find_python(path=str(old.parent), pyenv=tmp_path / "none")
    assert found.returncode == 1
    assert found.stderr == (
        "Coach needs Python 3.12 or later with venv, and found none: "
        "install python3.12 and run this again. Tried:\n"
        f"  {old} is Python 3.9, too old\n"
    )


def test_the_scripts_work_from_a_path_with_spaces(tmp_path: Path) -> None:
    copy = tmp_path / "a clone" / "deploy" / "find-python"
    copy.parent.mkdir(parents=True)
    copy.write_bytes((ROOT / "deploy" / "find-python").read_bytes())
    done = subprocess.run(["sh", copy], env=os.environ, capture_output=True, text=True, check=False)
    assert Path(done.stdout.strip()).exists()

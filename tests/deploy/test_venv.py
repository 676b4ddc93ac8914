"""The environment is made once, kept while the requirements stay the same, and made anew when it broke."""

from pathlib import Path

import pytest

from deploy import venv


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tests").mkdir()
    for name in (venv.RUN, venv.TESTS):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(venv, "ROOT", tmp_path)
    return tmp_path


def test_an_environment_is_made_once_and_again_when_an_installation_broke_off(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    venv.prepare(with_tests=True)
    assert "Making .venv with Python" in capsys.readouterr().out
    venv.prepare(with_tests=True)
    venv.prepare(with_tests=False)
    assert capsys.readouterr().out == ""
    (clone / venv.RUN).write_text("# another line\n")
    venv.prepare(with_tests=False)
    assert "Installing requirements.txt" in capsys.readouterr().out
    (clone / ".venv" / "installing").touch()
    venv.prepare(with_tests=False)
    assert "Making .venv anew" in capsys.readouterr().out


def test_a_python_that_does_not_run_is_no_environment(clone: Path) -> None:
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to("/nonexistent/python")
    assert not venv.works(clone / ".venv")


def test_pip_that_fails_is_one_sentence_and_leaves_a_mark(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clone / ".venv" / "bin").mkdir(parents=True)
    python = clone / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\necho no such package\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(venv.SetupError, match=r"^pip could not install requirements\.txt; its last lines are above\.$"):
        venv.install(clone / ".venv", venv.RUN)
    assert (clone / ".venv" / "installing").exists()

"""Which code a worker says it runs: from the environment, a file, or what git has written down."""

from pathlib import Path

import pytest

from coach import revision

COMMIT = "8dbf5550c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6"


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    "files",
    [
        {"REVISION": f"{COMMIT}\n"},
        {".git/HEAD": f"{COMMIT}\n"},
        {".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": f"{COMMIT}\n"},
        {".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": f"# pack-refs\n{COMMIT} refs/heads/main\n"},
        {
            ".git": "gitdir: there/worktrees/it\n",
            "there/worktrees/it/HEAD": "ref: refs/heads/main\n",
            "there/worktrees/it/commondir": "../..\n",
            "there/refs/heads/main": f"{COMMIT}\n",
        },
    ],
)
def test_the_revision_is_read_from_files(tmp_path: Path, files: dict[str, str]) -> None:
    assert revision.of(write(tmp_path, files), told="") == "8dbf5550c1d2"


def test_the_environment_goes_first(tmp_path: Path) -> None:
    assert revision.of(write(tmp_path, {"REVISION": COMMIT}), told="release-7") == "release-7"


@pytest.mark.parametrize("text", ["", "<b>", "a" * 80, "ref: refs/heads/gone", "two words"])
def test_what_is_no_revision_is_left_out(tmp_path: Path, text: str) -> None:
    assert revision.of(write(tmp_path, {".git/HEAD": text}), told="") == ""

"""Which revision of the code this is, where one is known."""

import re
from contextlib import suppress
from pathlib import Path

SHOWN = 12  # characters of a revision: git finds it by them
REVISION = re.compile(r"[\w.+-]{1,40}")


def of(root: Path, *, told: str) -> str:
    """Take what the environment says, the file REVISION of an unpacked archive, or what git has left; it is not run."""
    said = told or _read(root / "REVISION") or _checked_out(root / ".git")
    short = said[:SHOWN] if re.fullmatch(r"[0-9a-f]{40,64}", said) else said
    return short if REVISION.fullmatch(short) else ""


def _checked_out(git: Path) -> str:
    if linked := _read(git).removeprefix("gitdir:").strip():  # a worktree's .git is a file
        git = git.parent / linked
    common = git / (_read(git / "commondir") or ".")
    head = _read(git / "HEAD")
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    packed = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", _read(common / "packed-refs"), re.MULTILINE)
    return _read(common / name) or (packed[1] if packed else "")


def _read(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip()
    return ""

"""The audit of packages fails on a hole that is known, and passes with a reason where no list can be reached."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy import audit

HOLE = {"name": "lib", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
FINE = {"name": "other", "version": "1", "vulns": []}
UNKNOWN = {"name": "third", "skip_reason": "not found"}


def pretend(folder: Path, *, said: Any = None, error: str = "") -> list[str]:
    """Return a command that answers like pip-audit."""
    script = folder / "pip_audit.py"
    answer = json.dumps({"dependencies": said}) if said is not None else ""
    script.write_text(f"import sys\nprint({answer!r})\nsys.stderr.write({error!r})\n")
    return [sys.executable, str(script)]


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        ([HOLE, FINE], 1, "CVE-1"),
        ([FINE], 0, "1 packages looked up (pypi), 0 with known holes."),
        ([FINE, UNKNOWN], 0, "not known there: third"),
        ([UNKNOWN], 0, "it knows none of the 1 packages"),
        (None, 0, "Not looked up"),
    ],
)
def test_what_the_audit_says(tmp_path: Path, capsys: Any, said: Any, code: int, sentence: str) -> None:
    assert audit.main(pretend(tmp_path, said=said, error="ConnectionError: no route")) == code
    assert sentence in capsys.readouterr().out


def test_without_a_network_the_reason_is_named(tmp_path: Path, capsys: Any) -> None:
    assert audit.main(pretend(tmp_path, error="Traceback\nConnectionError: no route")) == 0
    assert "ConnectionError: no route" in capsys.readouterr().out

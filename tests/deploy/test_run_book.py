"""The run-book's commands exist, and the files it speaks of."""

import re
from pathlib import Path

from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parent.parent.parent
RUN_BOOK = (ROOT / "deploy" / "README.md").read_text()
LINES = re.findall(r"(?:^|`)coach ([a-z][^`#\n]*)", RUN_BOOK, re.MULTILINE)


def test_every_command_of_manage_py_exists() -> None:
    assert {line.split()[0] for line in LINES} <= set(get_commands())


def test_every_verb_of_the_jobs_command_exists() -> None:
    parser = load_command_class("jobs", "jobs").create_parser("manage.py", "jobs")
    for line in LINES:
        command, *words = line.split()
        if command == "jobs":
            parser.parse_args([re.sub("ID|…", "1", word) for word in words])


def test_every_script_it_names_is_there() -> None:
    names = re.findall(r"deploy/([a-z][\w./-]*\w)", RUN_BOOK)
    assert [name for name in names if not (ROOT / "deploy" / name).exists()] == []

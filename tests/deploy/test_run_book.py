"""The run-book's commands exist, and the files it speaks of."""

import re
from pathlib import Path

import yaml
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


def test_every_service_it_tells_compose_about_is_there() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    named = re.findall(r"docker compose (?:run --rm|restart|logs|stop) (\w+)", RUN_BOOK)
    assert named
    assert set(named) <= set(services)


def test_a_restore_ends_with_all_that_pages_need() -> None:
    """A fresh machine has no gathered static files and no units yet: without them no page comes up."""
    steps = RUN_BOOK.split("## Restore")[1].split("```")[1]
    order = [steps.index(step) for step in ("coach restore", "collectstatic", "systemd/*.service", "enable --now")]
    assert order == sorted(order)


def test_every_script_it_names_is_there() -> None:
    names = re.findall(r"deploy/([a-z][\w./-]*\w)", RUN_BOOK)
    assert [name for name in names if not (ROOT / "deploy" / name).exists()] == []


def test_it_says_how_to_change_every_secret() -> None:
    """A secret is what the example leaves to the operator and no page may show."""
    example = (ROOT / "deploy" / "env.example").read_text()
    secrets = set(re.findall(r"^#?(COACH_(?:\w+_)?(?:KEY|PASSWORD|TOKEN))=", example, re.MULTILINE))
    section = RUN_BOOK.split("## Change a secret")[1].split("\n## ")[0]
    assert {name for name in secrets if name not in section and name != "COACH_SPARE_KEY"} == set()

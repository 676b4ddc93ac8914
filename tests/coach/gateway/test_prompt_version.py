"""Instructions and the way facts are put beside them are versioned: a new wording is a new number."""

import hashlib
import json

import pytest

from coach.gateway import prompt
from coach.scopes.facts import Fact, Facts

# The file of each version that ever wrote a text, and what is sent with the newest for facts that do not change.
FILES = {1: "85c8eb4e6981d87f", 2: "e53d4e5ac6eaffd0"}
SENT = {"en": "afa7c5ad3c23b206", "zh-hans": "891101fdaa539b29"}

FACTS = Facts(
    scope="load",
    subject="current",
    title="Load",
    facts=(
        Fact(key="ctl", label="Fitness", value=63.2, unit="points", display="63", meaning="A mean.",
             convention="42 days", good="up", history=(60.0, 63.2)),
        Fact(key="phase", label="Phase", value="building", unit="", display="building", meaning="The phase."),
        Fact(key="atl", label="Fatigue", value=None, unit="points", display="–", meaning="A shorter mean."),
    ),
    missing=("hrv",),
    notes="Legs were heavy.",
)  # fmt: skip


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("version", FILES)
def test_the_instructions_of_a_version_never_change(version: int) -> None:
    text = (prompt.FOLDER / f"insight-{version}.txt").read_text(encoding="utf-8")
    assert digest(text) == FILES[version], "New instructions are a new file and a new prompt.VERSION."


@pytest.mark.parametrize("language", SENT)
def test_what_is_sent_with_a_version_never_changes(language: str) -> None:
    asked = prompt.messages(FACTS, language=language, recent=[{"headline": "Said lately"}])
    assert digest(json.dumps(asked, ensure_ascii=False)) == SENT[language], "Raise prompt.VERSION, then this digest."


def test_there_is_a_file_for_every_version_and_the_newest_is_used() -> None:
    files = {int(path.stem.removeprefix("insight-")) for path in prompt.FOLDER.glob("insight-*.txt")}
    assert files == set(FILES)
    assert max(files) == prompt.VERSION

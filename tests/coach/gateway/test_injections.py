"""Orders in what people write change nothing: they arrive as cleaned data, and an obedient model is not believed."""

import json
import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from coach import insights, narrator, scopes, writing
from coach.gateway import client, prompt
from coach.gateway.completion import Completion
from coach.models import Activity, Athlete
from coach.scopes.facts import Fact, Facts
from tests import factories
from tests.coach import stories
from tests.coach.gateway.injections import PAYLOADS
from tests.coach.gateway.rendered import Page, judged, letter, squeezed, stored

pytestmark = pytest.mark.django_db
URL = "http://127.0.0.1:9/v1"


@pytest.fixture
def athlete(settings: Any) -> Athlete:
    settings.GATEWAY = {"url": URL, "key": "", "model": "obedient", "idle_seconds": 5}
    return factories.athlete()


def with_words(payload: str) -> Facts:
    """Return facts that carry the payload wherever somebody's words can stand."""
    worded = {"display": payload, "value": payload, "unit": "", "history": ()}
    facts = stories.load()
    more = (
        Fact(key="device", label="Device", meaning="The device that recorded it.", **worded),
        Fact(key="read_from_picture", label="Read from a picture", meaning="What a picture showed.", **worded),
        Fact(key="name", label="Name", meaning="The name of the session.", **worded),
    )
    return replace(facts, facts=(*more, *facts.facts), notes=payload)


def test_there_are_thirty() -> None:
    assert len(set(PAYLOADS)) == 30


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_people_write_reaches_the_model_as_short_clean_data(payload: str) -> None:
    system, user = prompt.messages(with_words(payload * 20), language="en")
    assert system["content"] == prompt.INSTRUCTIONS
    data = json.loads(user["content"])  # it did not leave its string
    assert set(data) <= {
        "scope", "question", "answer", "language", "write_in", "facts", "missing", "recent", "athlete_wrote",
    }  # fmt: skip
    assert all(unicodedata.category(each)[0] != "C" for each in user["content"])
    assert len(data["athlete_wrote"]) <= prompt.MOST_NOTE + 1
    name = data["facts"]["name"]
    assert re.fullmatch(r"Name: “[^“”]*”(\. The name of.*)?", name)
    assert len(name) <= prompt.MOST_DISPLAY + 50


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_model_that_obeys_gets_nothing_of_it_shown(
    athlete: Athlete, payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says everywhere what it was told to say, and is asked again, and says it again."""
    obedient = {
        "headline": payload,
        "summary": payload,
        "findings": [{"text": f"{payload} {{{{ctl}}}}", "facts": ["ctl"], "direction": "down", "weight": 3}] * 2,
        "suggestions": [{"text": payload, "facts": [], "when": payload}],
        "confidence": "high",
        "confidence_reasons": [payload],
        "missing": ["power", payload],
    }
    sent: list[Any] = []

    def obey(_run: Any, messages: Any, **_more: Any) -> Completion:
        sent.append(messages)
        return Completion(content=[json.dumps(obedient)], finish="stop")

    monkeypatch.setattr(client, "complete", obey)
    facts = with_words(payload.replace("\x00", ""))  # no table holds one
    row = stored(athlete, facts, fingerprint=insights.fingerprint(athlete, facts))
    page = Page(letter(athlete, facts))
    shown = [(key, text) for key, text in page.facts if key not in ("device", "read_from_picture", "name")]
    assert [problem for problem in judged(page, facts) if "shown as" not in problem] == []
    assert shown
    assert squeezed(payload) not in squeezed(" ".join(page.words))
    assert row.writer == narrator.WRITER
    assert row.text["headline"] != payload
    assert len(sent) == 2


def test_a_model_that_obeys_in_one_finding_loses_that_finding(
    athlete: Athlete, monkeypatch: pytest.MonkeyPatch
) -> None:
    decent = {"text": "Fatigue stands at {{atl}}.", "facts": ["atl"], "direction": "flat", "weight": 1}
    for number, payload in enumerate(PAYLOADS):
        bad = {"text": f"{payload} {{{{ctl}}}}", "facts": ["ctl"], "direction": "flat", "weight": 3}
        answer = {"headline": "Where you stand", "summary": "Fitness is {{ctl}}.", "findings": [bad, decent]}
        said = Completion(content=[json.dumps(answer)], finish="stop")
        monkeypatch.setattr(client, "complete", lambda *_args, said=said, **_more: said)
        row = stored(athlete, stories.load(), fingerprint=str(number))
        assert [each["text"] for each in row.text["findings"]] == [decent["text"]], payload
        row.delete()


def test_nothing_personal_is_ever_in_a_prompt(athlete: Athlete) -> None:
    """Not the name, the address, the user name, a serial number, or where somebody was."""
    user = athlete.user
    user.username, user.first_name, user.last_name = "ana.private", "Anastasia", "Privatowska"
    user.email = "ana@private.example"
    user.save()
    factories.season(athlete)
    newest = Activity.objects.filter(athlete=athlete).newest_first()[:1]
    Activity.objects.filter(pk=newest[0].pk).update(
        name="Home, Privatstrasse 5", route=[[52.520008, 13.404954], [52.530644, 13.383068]], note="Felt fine."
    )
    secrets = (
        "ana.private",
        "Anastasia",
        "Privatowska",
        "private.example",
        "Privatstrasse",
        "52.52",
        "13.40",
        "3912345678",
    )
    seen = set()
    for scope, subject in scopes.subjects_after(athlete, newest):
        asked = writing.as_sent(athlete, scopes.facts_for(scope, athlete, subject))
        seen.add(scope)
        assert [secret for secret in secrets if secret.lower() in asked.lower()] == []
        assert str(athlete.pk) + '"' not in asked
    assert "activity" in seen
    assert len(seen) >= 5

"""Two thousand hostile answers from one seed: nothing false or active is shown, and something true always is."""

from collections.abc import Iterator
from typing import Any

import pytest

from coach import insights, narrator
from coach.gateway import client, prompt
from coach.gateway.completion import Completion
from coach.models import Athlete
from coach.scopes.facts import Facts
from coach.trial import TrialGateway
from tests import factories
from tests.coach import stories
from tests.coach.gateway.adversary import DRESSES, Attack, attack
from tests.coach.gateway.lies import lies
from tests.coach.gateway.rendered import Page, judged, letter, stored, told

MANY = 2_000
OVER_A_SOCKET = 60
pytestmark = pytest.mark.django_db


@pytest.fixture
def athletes(settings: Any) -> dict[str, tuple[Athlete, Facts]]:
    settings.GATEWAY = {"url": "http://127.0.0.1:9/v1", "key": "", "model": "hostile", "idle_seconds": 5}
    settings.BUDGET = {"calls": 10**6, "tokens": 10**12}
    made = {}
    for language in ("en", "zh-hans"):
        owner = factories.athlete(f"a-{language}", language=language)
        made[language] = (owner, stories.in_language(stories.load(), language))
    return made


def completion(sent: Attack) -> Completion:
    """Return the answer as the client would hand it over."""
    text = [sent.raw]
    return Completion(content=[] if sent.reasoning else text, reasoning=text if sent.reasoning else [], finish="stop")


def test_of_two_thousand_hostile_answers_nothing_false_is_shown(
    athletes: dict[str, tuple[Athlete, Facts]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: Iterator[Completion] = iter(())
    monkeypatch.setattr(client, "complete", lambda *_args, **_more: next(answers))
    asked = {language: prompt.messages(facts, language=language) for language, (_athlete, facts) in athletes.items()}
    monkeypatch.setattr(prompt, "messages", lambda _facts, *, language, **_more: asked[language])  # always the same
    wrong: list[tuple[Attack, str]] = []
    drawn: dict[tuple[str, str], Page] = {}
    by_model = 0
    for number in range(MANY):
        sent, again = attack(number), attack(number + MANY)
        athlete, facts = athletes[sent.language]
        answers = iter((completion(sent), completion(again)))
        row = stored(athlete, facts, fingerprint=insights.fingerprint(athlete, facts))
        by_model += row.writer != narrator.WRITER
        seen = (sent.language, repr(row.text))
        if seen not in drawn:
            drawn[seen] = Page(letter(athlete, facts))
            wrong += [(sent, each) for each in judged(drawn[seen], facts)]
        wrong += [(each, "is told") for each in (sent, again) if told(each.lie, drawn[seen])]
        row.delete()
    assert [(each.number, each.kind, each.lie, why) for each, why in wrong] == []
    assert by_model > MANY / 8  # or the check would be one that lets nothing pass
    assert len(drawn) > 20


def test_the_attacks_are_of_every_kind() -> None:
    kinds = {attack(number).kind for number in range(MANY)}
    assert {kind.partition(", ")[2] for kind in kinds} == set(DRESSES)
    assert {kind.partition(", ")[0] for kind in kinds} == {*lies("en"), *lies("zh-hans")}
    assert any(len(attack(number).raw) > 9_000_000 for number in range(MANY))
    assert attack(7) == attack(7)


@pytest.mark.parametrize("number", range(5 * MANY, 5 * MANY + OVER_A_SOCKET, 15))
def test_over_a_socket_nothing_false_is_shown_either(
    athletes: dict[str, tuple[Athlete, Facts]], settings: Any, number: int
) -> None:
    with TrialGateway() as gateway:
        settings.GATEWAY = {**settings.GATEWAY, "url": gateway.url}
        for place in range(15):
            sent = attack(number + place)
            athlete, facts = athletes[sent.language]
            turn = {"do": "reasoning_only" if sent.reasoning else "answer", "text": sent.raw}
            gateway.script([turn, turn])
            fingerprint = insights.fingerprint(athlete, facts)
            row = stored(athlete, facts, fingerprint=fingerprint)
            page = Page(letter(athlete, facts))
            assert judged(page, facts) == []
            assert not told(sent.lie, page)
            row.delete()
            gateway.script([])

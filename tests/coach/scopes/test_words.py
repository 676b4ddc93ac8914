"""What the narrator makes of facts that were computed from rows stands up to the grounding rules."""

from datetime import timedelta

import pytest

from coach import narrator, scopes
from coach.gateway import grounding
from coach.models import Athlete
from tests.coach.metrics.recordings import streams
from tests.coach.scopes.rows import TODAY, activity, training, with_streams


def is_sound(scope: str, owner: Athlete, subject: str) -> bool:
    return all(is_sound_in(language, scope, owner, subject) for language in narrator.LANGUAGES)


def is_sound_in(language: str, scope: str, owner: Athlete, subject: str) -> bool:
    owner.language = language
    facts = scopes.facts_for(scope, owner, subject)
    texts = [narrator.write(facts, language=language, seed=seed) for seed in range(4)]
    return all(grounding.check(text, facts, language=language).violations == [] for text in texts)


@pytest.mark.parametrize("load", [0.0, 30.0, 60.0, 250.0])
@pytest.mark.parametrize("every", [1, 3, 9])
def test_texts_about_months_of_training(ana: Athlete, load: float, every: int) -> None:
    training(ana, days=90, every=every, load=load)
    assert is_sound("load", ana, "current")
    assert is_sound("week", ana, "2026-W48")
    assert is_sound("week", ana, "2026-W47")


def test_texts_about_a_first_session(ana: Athlete) -> None:
    made = streams(3600, speed_mps=3.0, heart_rate_bpm=150)
    row = with_streams(activity(ana, load_from="estimate", flags=["Something was doubted."]), made)
    assert is_sound("activity", ana, str(row.pk))
    assert is_sound("week", ana, "2026-W48")
    assert is_sound("load", ana, "current")


def test_texts_about_a_session_with_peers(ana: Athlete) -> None:
    for days in range(7, 60, 7):
        activity(ana, TODAY - timedelta(days=days), efficiency_factor=1.3 + days / 1000, heart_rate_avg_bpm=150)
    row = activity(ana, efficiency_factor=1.4, heart_rate_avg_bpm=148, intensity_factor=0.77)
    assert is_sound("activity", ana, str(row.pk))

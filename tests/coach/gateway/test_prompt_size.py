"""The size of prompts, with ten years of data, for every scope and in both languages."""

import json
from itertools import product
from typing import Any

import pytest

from coach import scopes
from coach.gateway import prompt
from coach.gateway.metering import estimate
from coach.models import Activity, Athlete
from coach.scopes.facts import Facts
from tests import history

MOST = 1500
LANGUAGES = ("en", "zh-hans")


def every_facts(athlete: Athlete) -> list[Facts]:
    newest = Activity.objects.filter(athlete=athlete).newest_first()[:3]
    subjects = {
        *scopes.subjects_after(athlete, newest),
        ("trends", "365d"),
        ("records", "running"),
        ("records", "cycling"),
    }
    return [scopes.facts_for(scope, athlete, subject) for scope, subject in sorted(subjects)]


@pytest.mark.django_db
def test_ten_years_of_data_fit_every_prompt_in_both_languages(settings: Any, tmp_path: Any) -> None:
    settings.DATA = tmp_path
    athlete = history.grown("rich", years=10)
    recent = [{"headline": "A headline of some length that was said lately, as long as one may be"[:80]}] * 3
    seen: dict[tuple[str, str], int] = {}
    for language in LANGUAGES:
        athlete.language = language
        for facts in every_facts(athlete):
            assert not facts.insufficient, facts.scope
            asked = prompt.messages(facts, language=language, recent=recent)
            sizes = sum(estimate(each["content"]) for each in asked)
            seen[facts.scope, language] = max(sizes, seen.get((facts.scope, language), 0))
            assert json.loads(asked[1]["content"])["facts"], facts.scope
    assert set(seen) == set(product(scopes.scopes(), LANGUAGES))
    assert all(size < MOST for size in seen.values()), seen

"""Every number of the eight screens leads to its meaning, its formula and its source, and what it leads to is there."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach import insights, panels, scopes
from coach.models import Athlete, Insight
from coach.scopes.facts import Facts
from tests.coach.scopes import rows
from tests.coach.scopes.rich import made, ride_of
from tests.coach.views.rows import signed_in

SCREENS = ("today", "week", "trends", "load", "activity", "records", "recovery", "body")
SUBJECTS = {"week": "2026-W48", "trends": "90d", "records": "running"}


class Page(HTMLParser):
    """What links lead to within the page, which ids there are, and what stands in each fact and each table."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.facts: dict[str, str] = {}
        self.tables: list[bool] = []  # whether each says how it is computed
        self._fact = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.add(given.get("id", ""))
        classes = given.get("class", "").split()
        if tag == "a" and given.get("href", "").startswith("#fact-"):
            self.links.append(given["href"].removeprefix("#"))
        if tag == "details" and "fact" in classes:
            self._fact = given["id"]
            self.facts[self._fact] = ""
        if tag == "table":
            self.tables.append(False)
        if "how" in classes and self.tables:
            self.tables[-1] = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._fact = ""

    def handle_data(self, data: str) -> None:
        if self._fact:
            self.facts[self._fact] += f" {data.strip()}"


@pytest.fixture
def rich(db: None, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Athlete:
    monkeypatch.setattr(timezone, "now", lambda: rows.MORNING)
    settings.JOBS = settings.JOBS | {"ENABLED": False}  # so that the text is there at once
    owner = made()
    ride_of(owner)
    return owner


def subject_of(owner: Athlete, scope: str) -> str:
    if scope == "activity":
        return str(owner.activities.filter(provenance__isnull=False).get().pk)
    return SUBJECTS.get(scope, "current")


def shown(client: Client, owner: Athlete, scope: str) -> tuple[Page, Facts]:
    subject = subject_of(owner, scope)
    address = reverse(scope) if subject == "current" else reverse(scope, args=[subject])
    return Page(client.get(address).content.decode()), scopes.facts_for(scope, owner, subject)


def test_every_number_leads_to_how_it_is_computed(rich: Athlete) -> None:
    client = signed_in(rich.user)
    for scope in SCREENS:
        page, facts = shown(client, rich, scope)
        assert set(page.facts) == {f"fact-{fact.key}" for fact in facts.facts}, scope
        assert set(page.links) <= page.ids, scope
        assert len(page.links) >= 3, scope
        for fact in facts.facts:
            said = page.facts[f"fact-{fact.key}"]
            assert fact.meaning in said, (scope, fact.key)
            if isinstance(fact.value, float):
                assert f"How: {fact.convention}" in said, (scope, fact.key)
                assert f"Source: {fact.source}" in said, (scope, fact.key)


def test_every_number_of_the_text_is_a_link(rich: Athlete) -> None:
    """Digits stand in facts alone; a date, a sport or a word that holds none may be a link as well."""
    for scope in SCREENS:
        panel = panels.panel(rich, scopes.facts_for(scope, rich, subject_of(rich, scope)), rich.user)
        text = " ".join((panel.headline, panel.summary, *panel.findings, *panel.suggestions))
        assert 'class="fact"' in text, scope
        bare = re.sub(r'<a class="fact"[^>]*>.*?</a>', "", text)
        assert not re.search(r"\d", re.sub(r"&#\w+;", "", bare)), (scope, bare)


def test_every_table_and_chart_leads_to_the_facts_behind_it(rich: Athlete) -> None:
    client = signed_in(rich.user)
    for scope in SCREENS:
        page, _ = shown(client, rich, scope)
        assert page.tables, scope
        assert all(page.tables), (scope, page.tables)


def test_a_text_about_a_fact_that_is_gone_does_not_lead_nowhere(rich: Athlete) -> None:
    facts = scopes.facts_for("load", rich, "current")
    gone = {"label": "Long gone", "display": "7", "meaning": "Something.", "convention": "a / b"}
    text = {"headline": "{{gone}} then", "summary": "{{ctl}} now", "findings": [], "suggestions": []}
    Insight.objects.create(
        athlete=rich, scope="load", subject="current", fingerprint=insights.fingerprint(rich, facts),
        writer="model/m/1", language="en", text=text, facts={"gone": gone, "ctl": gone | {"display": "63"}},
        as_of=rows.TODAY,
    )  # fmt: skip
    panel = panels.panel(rich, facts, rich.user)
    assert panel.headline == '<span class="fact" title="Long gone. Something. a / b">7</span> then'
    assert '<a class="fact" href="#fact-ctl"' in panel.summary


def test_the_panel_alone_has_the_facts_that_it_leads_to(rich: Athlete) -> None:
    client = signed_in(rich.user)
    page = Page(client.get(reverse("panel", args=["load", "current"])).content.decode())
    assert page.links
    assert set(page.links) <= page.ids

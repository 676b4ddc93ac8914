"""Judging two texts in a real browser: by keyboard, on a telephone too, with nothing that says whose they are."""

import pytest
from playwright.sync_api import expect

from coach import cases, comparing, evaluating, scopes
from coach.evaluating import Side
from coach.models import EvaluationText, EvaluationVerdict, Insight
from tests import factories
from tests.coach.views.rows import signed_in

SIDES = [Side(prompt=2, model="big"), Side(prompt=1)]


@pytest.fixture
def evaluation(ana, season, settings):
    """Two cases, written about by both sides."""
    settings.GATEWAY = {**settings.GATEWAY, "url": "http://127.0.0.1:9/v1", "model": "trial"}
    for scope in ("load", "today"):
        facts = scopes.facts_for(scope, ana, "current")
        Insight.objects.create(
            athlete=ana, scope=scope, subject="current", fingerprint=scope, writer="model/trial/2", language="en",
            text={"headline": "Said"}, facts=cases.kept(facts), asked="model/trial/2",
            checked={"answers": 2, "repaired": True, "tokens": 2210, "seconds": 41.5},
        )  # fmt: skip
    made, *_ = evaluating.make("Old or new prompt", Insight.objects.all(), SIDES, by="boss")
    for case in made.cases.all():
        key = next(iter(case.facts["facts"]))
        for side in (0, 1):
            EvaluationText.objects.create(
                case=case, side=side, writer=f"model/m{side}/{2 - side}",
                text={"headline": f"Words of {side}", "summary": f"It stands at {{{{{key}}}}}."},
                checked={"answers": 1 + side, "findings": 3, "tokens": 1900, "seconds": 30.5, "repaired": bool(side)},
            )  # fmt: skip
    return made


@pytest.fixture
def console(chromium, live_server, evaluation):
    """Open a page of the console as staff: `console("judge/", width=390)`."""
    session = signed_in(factories.staff("boss")).cookies["sessionid"].value
    opened = []

    def opens(address, *, width=1280):
        context = chromium.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
        context.set_default_timeout(10_000)
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        opened.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
        page.goto(address)
        return page

    yield opens
    for context in opened:
        context.close()


def address(evaluation, rest=""):
    return f"/admin/coach/evaluation/{evaluation.pk}/{rest}"


def test_arrows_judge_one_case_after_the_other(console, evaluation):
    page = console(address(evaluation, "judge/"))
    expect(page.get_by_text("0 of 2 judged")).to_be_visible()
    first = comparing.next_pair(evaluation, judge="boss").case
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("1 of 2 judged")).to_be_visible()
    liked = EvaluationVerdict.objects.get(case=first).better
    assert liked == (1 if comparing.is_turned(first, "boss") else 0)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text("There is nothing left for you to judge.")).to_be_visible()
    assert EvaluationVerdict.objects.exclude(case=first).get().better is None
    assert page.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("rest", ["judge/", "change/"])
def test_the_pages_fit_the_screen(console, evaluation, rest, width):
    page = console(address(evaluation, rest), width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.complaints == []

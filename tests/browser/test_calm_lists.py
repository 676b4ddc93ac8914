"""Nothing moves under the reader of a list that polls: imports, jobs in line, the checks of a source, an export."""

import logging

import pytest
from playwright.sync_api import Page, expect

from coach import exports, quality
from coach.models import Athlete, ImportRun
from jobs import api, testing
from tests import factories
from tests.browser.test_calm import MOST_SHIFT, WATCH, WIDTHS, shifted
from tests.coach.outings import gpx, hand_in, later

pytestmark = [pytest.mark.full, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FILES = 6
LOOK = "document.querySelectorAll('[data-poll]').forEach((part) => htmx.trigger(part, 'look'))"
STEPS = 12


@pytest.fixture
def ana(transactional_db, settings, tmp_path) -> Athlete:
    settings.DATA = tmp_path
    logging.getLogger("django.request").setLevel(logging.ERROR)
    ana = factories.athlete("ana")
    factories.season(ana)
    return ana


@pytest.fixture(params=WIDTHS)
def page(request, ana, open_context) -> Page:
    context = open_context(width=request.param, height=WIDTHS[request.param])
    context.add_init_script(f"({WATCH})()")
    return context.new_page()


def followed(page: Page, address: str, part: str) -> tuple[float, list[object]]:
    """Open a page and run what is in line, a job at a time, looking after each; return what moved."""
    page.goto(address)
    expect(page.locator(f"{part}[data-poll]")).to_be_attached()
    for _ in range(STEPS):
        if not testing.run_due(most=1):
            break
        page.evaluate(LOOK)
        page.wait_for_load_state("networkidle")
    expect(page.locator(f"{part}[data-poll]")).to_have_count(0, timeout=20_000)
    return shifted(page)


def test_an_import_is_followed_without_a_move(ana, page):
    files = [(f"{number}.gpx", gpx(later(number * 86_400))) for number in range(FILES)]
    hand_in(ana, *files, ("notes.txt", b"buy milk"), source="Phone", read=False)
    run = ImportRun.objects.first()
    moved, what = followed(page, "/import/", f"#run-{run.pk}")
    assert moved < MOST_SHIFT, what


def test_the_line_is_followed_without_a_move(ana, page):
    for row in ana.activities.all()[:FILES]:
        api.enqueue("insight", ana.owner, f"activity/{row.pk}")
    moved, what = followed(page, "/line/", "#line")
    assert moved < MOST_SHIFT, what


def test_the_checks_of_a_source_are_followed_without_a_move(ana, page):
    source = ana.sources.first()
    quality.ask(source)
    moved, what = followed(page, f"/sources/{source.pk}/", "#checks")
    assert moved < MOST_SHIFT, what


def test_an_export_is_followed_without_a_move(ana, page):
    exports.ask(ana)
    moved, what = followed(page, "/account/", "#exports")
    assert moved < MOST_SHIFT, what

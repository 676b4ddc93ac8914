"""axe on every page: full and empty, light and dark, phone and desk, with everything unfolded; not one violation."""

import logging

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from coach.models import Athlete
from jobs import testing
from tests import factories, history
from tests.browser.everywhere import DEAD_ENDS, addresses, screens
from tests.coach.views.rows import signed_in

pytestmark = [pytest.mark.full, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (390, 1280)
EVERY = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
IN_COLOUR = ["color-contrast", "link-in-text-block"]  # what another scheme of colours can change
SCHEMES = {"light": {"type": "tag", "values": EVERY}, "dark": {"type": "rule", "values": IN_COLOUR}}
UNFOLD = "() => document.querySelectorAll('details').forEach((part) => { part.open = true; })"


@pytest.fixture(params=["full", "empty"])
def ana(request, transactional_db, settings, tmp_path) -> Athlete:
    settings.DATA = tmp_path
    logging.getLogger("django.request").setLevel(logging.ERROR)
    return history.grown("ana", years=0.3) if request.param == "full" else factories.athlete("ana")


def broken(page: Page) -> list[str]:
    """Return what axe finds in the page as it stands, in all four looks."""
    found: list[str] = []
    page.evaluate(UNFOLD)
    page.evaluate(Axe().axe_script)
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # else colours are on their way for .1 s
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            said = page.evaluate("rules => axe.run({runOnly: rules, resultTypes: ['violations']})", rules)
            for one in said["violations"]:
                places = [node["html"][:120] for node in one["nodes"][:3]]
                found.append(f"{page.url} {scheme} {width}: {one['id']}: {one['help']}: {places}")
    return found


def test_axe_finds_nothing_on_any_page(ana, page):
    found = []
    for address in [*addresses(signed_in(ana.user)), *DEAD_ENDS]:
        page.goto(address)
        found += broken(page)
    assert found == []


def test_axe_finds_nothing_on_screens_whose_text_is_written(ana, page):
    shown = screens(signed_in(ana.user))
    testing.run_due(most=len(shown) + 6)
    found = []
    for address in shown:
        page.goto(address)
        found += broken(page)
    assert found == []


def test_axe_finds_nothing_in_a_form_that_was_filled_wrongly(ana, page):
    page.goto("/settings/")
    page.fill("#id_birth_year", "12")
    page.get_by_role("button", name="Save the profile").click()
    page.wait_for_selector(".error")
    assert broken(page) == []


def test_axe_finds_nothing_where_somebody_signs_in(ana, open_context):
    page = open_context().new_page()
    page.context.clear_cookies()
    page.goto("/load/")
    assert broken(page) == []

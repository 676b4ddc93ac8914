"""Every page by keyboard alone, without motion for those who want none, and on paper."""

import logging
import re

import pytest
from playwright.sync_api import Page, expect

from coach.models import Athlete
from jobs import testing
from tests import history
from tests.browser.everywhere import addresses
from tests.coach.views.rows import signed_in

pytestmark = [pytest.mark.full, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_STOPS = 45  # of a page; lists go on in the same way
# What may be reached by Tab: shown, not switched off, in the order of the document.
STOPS = """() => [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
)].filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled)
  .filter((one) => one.type !== "radio" || one === document.querySelector(`[type=radio][name="${one.name}"]`)).length"""
FOCUSED = """() => {
    const one = document.activeElement;
    const look = getComputedStyle(one);
    const session = one.querySelector(".session");
    const box = one.getBoundingClientRect();
    return {
        what: one === document.body ? "" : one.outerHTML.slice(0, 100),
        seen: (look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2)
            || (session !== null && getComputedStyle(session).fillOpacity > 0.3),
        within: box.bottom > 0 && box.top < innerHeight && box.width > 0,
        named: (one.innerText || one.ariaLabel || one.labels?.[0]?.innerText || "").trim() !== "",
    };
}"""
MOVING = """() => [...document.querySelectorAll("*")].filter((one) => {
    const look = getComputedStyle(one);
    return parseFloat(look.transitionDuration) > 0 || look.animationName !== "none";
}).length"""


@pytest.fixture
def ana(transactional_db, settings, tmp_path) -> Athlete:
    settings.DATA = tmp_path
    logging.getLogger("django.request").setLevel(logging.ERROR)
    return history.grown("ana", years=0.3)


def stops(page: Page) -> list[dict[str, object]]:
    """Press Tab through the page; return what was focused, in order."""
    found = []
    for _ in range(min(page.evaluate(STOPS), MOST_STOPS)):
        page.keyboard.press("Tab")
        found.append(page.evaluate(FOCUSED))
    return found


def test_on_every_page_tab_leads_through_everything_and_shows_where_it_is(ana, page):
    wrong = {}
    for address in addresses(signed_in(ana.user)):
        page.goto(address)
        found = stops(page)
        assert 'class="skip"' in found[0]["what"], address
        wrong[address] = [one for one in found if not (one["what"] and one["seen"] and one["within"] and one["named"])]
    assert {address: some for address, some in wrong.items() if some} == {}


def test_no_page_changes_the_order_of_tab(ana, page):
    for address in addresses(signed_in(ana.user)):
        page.goto(address)
        assert (
            page.evaluate("[...document.querySelectorAll('[tabindex]')].filter((one) => one.tabIndex > 0).length") == 0
        )


def test_a_fact_is_unfolded_and_a_session_is_opened_by_enter(ana, page):
    page.goto("/week/")
    fact = page.locator("details.fact").first
    fact.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(fact).to_have_attribute("open", "")
    page.locator(".week-chart a").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/activities/\d+/$"))


def test_nothing_moves_for_those_who_want_no_motion(ana, page):
    page.emulate_media(reduced_motion="reduce")
    for address in addresses(signed_in(ana.user)):
        page.goto(address)
        assert page.evaluate(MOVING) == 0, address


def test_a_week_fits_on_paper_and_carries_no_buttons(ana, page, tmp_path):
    page.goto("/week/")
    testing.run_due(most=6)
    page.goto("/week/")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 less its margins, at 96 dots an inch
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    for hidden in (".places", ".steps", "button", ".skip"):
        expect(page.locator(hidden).first).to_be_hidden()
    for shown in (".week-chart svg", "details.fact", "#insight-letter h2"):
        expect(page.locator(shown).first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media=None)
    paper = page.pdf(format="A4", path=tmp_path / "week.pdf")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) <= 2

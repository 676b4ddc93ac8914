"""Nothing moves under the reader: what pages shift by while their panels poll and are filled."""

import logging

import pytest
from playwright.sync_api import Page, expect

from coach.models import Athlete
from jobs import testing
from tests import history
from tests.browser.everywhere import addresses, screens
from tests.coach.views.rows import signed_in

pytestmark = [pytest.mark.full, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_SHIFT = 0.01
WIDTHS = {390: 844, 768: 1024, 1280: 900}
WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) {
            if (one.hadRecentInput) continue;
            const who = one.sources.map(({node}) => node && (node.id || node.className || node.nodeName));
            window.shifts.push([one.value, who]);
        }
    }).observe({type: "layout-shift", buffered: true});
}"""
HEIGHTS = "['insight', 'insight-letter'].map((id) => document.getElementById(id).offsetHeight)"
SETTLE_MS = 150


@pytest.fixture
def ana(transactional_db, settings, tmp_path) -> Athlete:
    settings.DATA = tmp_path
    logging.getLogger("django.request").setLevel(logging.ERROR)
    return history.grown("ana", years=0.3)


def shifted(page: Page) -> tuple[float, list[object]]:
    page.wait_for_timeout(SETTLE_MS)
    shifts = page.evaluate("window.shifts")
    return sum(value for value, _ in shifts), shifts


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_moves_while_it_loads(ana, open_context, width):
    context = open_context(width=width, height=WIDTHS[width])
    context.add_init_script(f"({WATCH})()")
    page = context.new_page()
    moved = {}
    for address in addresses(signed_in(ana.user)):
        page.goto(address)
        moved[address] = shifted(page)
    assert {address: said for address, said in moved.items() if said[0] >= MOST_SHIFT} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_no_screen_moves_when_its_text_arrives(ana, open_context, width):
    """Of load there is an older text, of the others a skeleton."""
    context = open_context(width=width, height=WIDTHS[width])
    context.add_init_script(f"({WATCH})()")
    pages = {address: context.new_page() for address in screens(signed_in(ana.user))}
    for address, page in pages.items():
        page.goto(address)
        expect(page.locator("#insight-status[data-poll]")).to_be_attached()
    testing.run_due()
    moved = {}
    for address, page in pages.items():
        page.bring_to_front()
        expect(page.locator("#insight-status[data-poll]")).to_have_count(0, timeout=30_000)
        expect(page.locator("#insight-letter h2")).to_be_visible()
        moved[address] = shifted(page), page.evaluate(HEIGHTS)
    assert {address: said for address, said in moved.items() if said[0][0] >= MOST_SHIFT} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_a_lost_connection_is_said_without_moving_anything(ana, open_context, width):
    context = open_context(width=width, height=WIDTHS[width])
    context.add_init_script(f"({WATCH})()")
    page = context.new_page()
    page.goto("/load/")
    context.set_offline(True)
    expect(page.locator("#insight-lost")).to_be_visible(timeout=20_000)
    assert shifted(page)[0] < MOST_SHIFT

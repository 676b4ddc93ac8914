"""Today, recovery, body and the plan in a browser: three widths, light and dark, with weeks of mornings and none."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from coach.models import Goal, Planned
from tests import factories
from tests.coach.views.mornings import mornings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = [360, 768, 1280]
PAGES = ["today", "recovery", "body"]


def planned(owner):
    today = owner.today()
    Planned.objects.create(athlete=owner, day=today, title="Easy hour", sport="running", duration_s=3600, load=50)
    Planned.objects.create(
        athlete=owner, day=today + timedelta(days=1), title="Hills", sport="cycling", duration_s=7200
    )
    Planned.objects.create(athlete=owner, day=today + timedelta(days=2), title="Something")
    Goal.objects.create(athlete=owner, name="Spring marathon", day=today + timedelta(days=140), sport="running")


def opened(open_context, name, *, width, scheme):
    page = open_context(width=width, height=844, color_scheme=scheme).new_page()
    page.goto(f"/{name}/")
    return page


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_screen_fits_and_its_chart_stands_still(open_context, ana, name, scheme, tmp_path):
    mornings(ana)
    factories.season(ana)
    planned(ana)
    for width in WIDTHS:
        page = opened(open_context, name, width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator("figure.daily svg").first).to_be_visible()
        before = page.locator("figure.daily").first.bounding_box()
        page.wait_for_timeout(300)
        assert page.locator("figure.daily").first.bounding_box() == before
        page.screenshot(path=tmp_path / f"{name}-{width}-{scheme}.png", full_page=True)


@pytest.mark.parametrize("name", PAGES)
def test_an_empty_screen_says_what_to_do(open_context, ana, name, tmp_path):
    page = opened(open_context, name, width=390, scheme="light")
    expect(page.get_by_role("link", name="Import recordings")).to_be_visible()
    page.screenshot(path=tmp_path / f"{name}-empty.png", full_page=True)


def test_a_weight_typed_in_without_script_is_on_the_page(open_context, ana):
    page = open_context(width=390, java_script_enabled=False).new_page()
    page.goto("/body/")
    page.get_by_label("Weight (kg)").fill("72,4")
    page.get_by_role("button", name="Save the weight").click()
    expect(page.locator("#fact-weight .value")).to_contain_text("72.4")
    page.get_by_role("button", name="Remove the weight").click()
    expect(page.locator("#fact-weight")).to_have_count(0)


def test_a_plan_is_written_and_stands_as_an_outline_in_the_week(open_context, ana, tmp_path):
    page = open_context(width=390, java_script_enabled=False).new_page()
    page.goto("/plan/")
    page.get_by_label("Session", exact=True).fill("Easy hour")
    page.locator("#id_session-day").fill(ana.today().isoformat())
    page.locator("#id_session-duration").fill("1:00")
    page.get_by_role("button", name="Save the session").click()
    expect(page.get_by_role("button", name="Remove Easy hour")).to_be_visible()
    page.screenshot(path=tmp_path / "plan.png", full_page=True)
    page.goto("/week/")
    expect(page.locator("rect.outline")).to_have_count(1)
    expect(page.locator("rect.session")).to_have_count(0)
    page.screenshot(path=tmp_path / "week.png", full_page=True)
    page.goto("/")
    expect(page).to_have_url("/today/")
    expect(page.locator(".planned")).to_contain_text("Easy hour")

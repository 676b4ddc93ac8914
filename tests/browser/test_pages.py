"""The pages in a browser: no complaint, no overflow, by keyboard, and without script."""

import pytest
from playwright.sync_api import expect

from coach.models import ImportFile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = [
    "/today/",
    "/week/",
    "/load/",
    "/recovery/",
    "/body/",
    "/plan/",
    "/trends/",
    "/records/running/",
    "/records/cycling/",
    "/activities/",
    "/import/",
    "/line/",
    "/settings/",
]


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_is_wider_than_the_screen(open_context, season, width):
    page = open_context(width=width).new_page()
    for address in [*PAGES, f"/activities/{season[0]}/"]:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_the_browser_complains_of_nothing(page, complaints, season):
    for address in [*PAGES, f"/activities/{season[0]}/"]:
        page.goto(address)
    assert complaints == []


def test_the_first_press_of_tab_leads_past_the_navigation(page, season):
    page.goto("/load/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_five_places_stand_at_the_bottom_of_a_phone(open_context, season):
    page = open_context(width=390, height=844).new_page()
    page.goto("/load/")
    places = page.locator(".places > ul > li:visible")
    assert [text.strip() for text in places.all_inner_texts()] == ["Today", "Week", "Load", "Activities", "More"]
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_url("/settings/")


def test_a_number_in_an_address_opens_its_fact(page, season):
    page.goto("/load/")
    fact = page.locator("details.fact").last
    page.goto(f"/load/#{fact.get_attribute('id')}")
    expect(page.locator("details.fact[open]")).to_have_count(1)


def test_files_dropped_on_the_page_are_handed_in(page, season):
    page.goto("/import/")
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File(["buy milk"], "notes.txt"));
            files.items.add(new File(["call Jo"], "more.txt"));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.locator(".run")).to_have_count(1)
    assert sorted(ImportFile.objects.values_list("name", flat=True)) == ["more.txt", "notes.txt"]


def test_everything_works_without_script(open_context, season, tmp_path):
    page = open_context(java_script_enabled=False).new_page()
    (tmp_path / "notes.txt").write_text("buy milk")
    page.goto("/import/")
    page.locator("#id_recordings").set_input_files(tmp_path / "notes.txt")
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".run")).to_have_count(1)
    page.goto("/activities/")
    page.locator("#older").click()
    expect(page.locator(".entry")).to_have_count(20)
    page.goto("/load/")
    page.locator("#insight-stop").click()
    expect(page.locator("#insight-sentence")).to_have_text("You stopped this.")
    page.locator("#insight-retry").click()
    expect(page.locator("#insight-stop")).to_be_visible()


def test_older_activities_are_put_below_the_newest(page, season):
    page.goto("/activities/")
    page.locator("#older").click()
    expect(page.locator(".entry")).to_have_count(60)
    expect(page.locator("#older")).to_have_count(0)

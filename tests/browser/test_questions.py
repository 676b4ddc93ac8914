"""Questions, joining and splitting on a phone, by keyboard and without script."""

import os

import pytest
from playwright.sync_api import expect

from coach.models import Activity, Doubt
from tests.coach.outings import gpx, hand_in, later, sessions, tcx

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def asked(ana, settings, tmp_path):
    """A question whether it is the same session, and one when it was."""
    settings.DATA = tmp_path
    hand_in(ana, ("watch.tcx", tcx()), source="Watch")
    hand_in(ana, ("a-long-name-of-an-export-from-a-phone-" * 3 + ".gpx", gpx(later(300), seconds=900)), source="Phone")
    hand_in(ana, ("unset.gpx", gpx(later(-50 * 365 * 86_400))), source="Phone")


def picture(page, name):
    if folder := os.environ.get("COACH_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_questions_fit_a_phone_and_are_answered_by_keyboard_without_script(open_context, ana, asked):
    page = open_context(width=390, java_script_enabled=False).new_page()
    page.goto("/import/doubts/")
    assert page.locator("main").bounding_box()["width"] <= 390
    picture(page, "doubts-390")
    page.get_by_role("button", name="The same session").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".message")).to_contain_text("That holds from now on")
    assert len(sessions(ana)) == 1
    page.locator("input[type=datetime-local]").fill("2026-05-03T07:30")
    page.get_by_role("button", name="That is when").press("Enter")
    expect(page.get_by_text("There is nothing to ask.")).to_be_visible()
    assert Activity.objects.count() == 2


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_of_recordings_is_wider_than_the_screen_or_complains(open_context, ana, asked, width):
    page = open_context(width=width).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    hand_in(ana, ("phone.gpx", gpx(bpm=140)), source="Phone")
    activity = Activity.objects.get()
    run = Doubt.objects.first().provenance.file.run_id
    page_of = f"/activities/{activity.pk}/"
    for address in ("/import/doubts/", page_of, f"{page_of}join/", f"/import/{run}/undo/"):
        page.goto(address)
        picture(page, f"{address.strip('/').replace('/', '-')}-{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    assert said == []

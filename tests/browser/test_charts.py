"""The charts of a recorded session in a browser: one cursor for all strips and the track, by pointer and by keys."""

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import expect

from coach import imports
from coach.demo.athlete import files_of
from coach.models import Activity
from jobs import testing
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def run_outdoors(ana, settings, tmp_path) -> int:
    """Import the first run outdoors of the demo athlete's autumn; return the activity's id."""
    settings.DATA = tmp_path
    source = factories.source(ana)
    day = date(2026, 9, 1)
    while not Activity.objects.filter(sport="running", indoor=False).exists():
        files = [SimpleUploadedFile(file.name, file.data) for file in files_of(day) if "run" in file.name]
        if files:
            imports.receive(source, files, by=ana.user)
            testing.run_due()
        day += timedelta(days=1)
    return Activity.objects.get(sport="running", indoor=False).pk


def cursors(page):
    return {line.get_attribute("x1") for line in page.locator(".streams .cursor[visibility=visible]").all()}


def test_the_pointer_reads_every_strip_at_one_time_and_shows_the_place(page, complaints, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    strips = page.locator("[data-strip]")
    strips.first.locator("> svg").hover(position={"x": 200, "y": 30})
    assert strips.count() > 1
    assert len(cursors(page)) == 1
    readings = [output.inner_text() for output in page.locator("[data-strip] output").all()]
    assert all(readings)
    expect(page.locator("[data-track] .here")).to_have_attribute("visibility", "visible")
    assert complaints == []


def test_the_arrow_keys_move_the_cursor_and_say_what_it_reads(page, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    slider = page.get_by_role("slider")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("10")
    assert "bpm" in slider.get_attribute("aria-valuetext")
    assert len(cursors(page)) == 1


def test_without_script_the_charts_are_drawn_and_no_dead_slider_is_shown(open_context, run_outdoors):
    page = open_context(java_script_enabled=False).new_page()
    page.goto(f"/activities/{run_outdoors}/")
    expect(page.locator(".strip path.series").first).to_be_visible()
    expect(page.locator("#scrub")).to_be_hidden()

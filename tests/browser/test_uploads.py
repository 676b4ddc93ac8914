"""Handing files in with a browser: in pieces, over a connection that breaks, and again after the page was closed."""

import os
import re
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect

from coach import originals
from coach.models import ImportFile, ImportRun, Upload
from tests.browser.cut import CutWeb

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MEGABYTE = 1_000_000
LONG_MS = 60_000
# What is said for a second only is written down, too.
LISTEN = """() => {
    const said = document.querySelector("[data-said]");
    new MutationObserver(() => console.log(said.textContent)).observe(said, {childList: true});
}"""


@pytest.fixture(autouse=True)
def _data(settings, tmp_path):
    settings.DATA = tmp_path / "data"


@pytest.fixture
def large(tmp_path) -> Path:
    """A zip by its first bytes, of 30 MB that do not repeat."""
    path = tmp_path / "large.zip"
    path.write_bytes(b"PK\x03\x04" + os.urandom(30 * MEGABYTE))
    return path


def choose(page, *paths):
    page.goto("/import/")
    page.locator("#id_recordings").set_input_files(list(paths))
    page.get_by_role("button", name="Import").click()


def imported(path):
    with originals.reader(ImportFile.objects.get(name=path.name).sha256) as kept:
        return kept.read() == path.read_bytes()


def test_three_dropped_files_become_one_import(page, complaints):
    page.goto("/import/")
    page.locator("#id_source").fill("Old watch")
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            for (const name of ["a.txt", "b.txt", "ü c.txt"]) files.items.add(new File([name], name));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.locator(".run")).to_have_count(1)
    run = ImportRun.objects.get()
    assert run.source.name == "Old watch"
    assert sorted(run.files.values_list("name", flat=True)) == ["a.txt", "b.txt", "ü c.txt"]
    assert complaints == []


def test_a_large_file_goes_on_after_its_connection_was_cut_half_way(open_context, live_server, large):
    with CutWeb(live_server.url, after_bytes=15 * MEGABYTE) as way:
        page = open_context(base_url=way.url).new_page()
        choose(page, large)
        expect(page.locator(".run")).to_have_count(1, timeout=LONG_MS)
        sent = way.received_bytes
    assert way.cut
    assert imported(large)
    assert Upload.objects.count() == 1
    assert sent < 42 * MEGABYTE  # what had arrived was not sent again, but for one piece


def test_a_large_file_goes_on_after_the_page_was_closed_and_opened_again(open_context, large):
    context = open_context()
    page = context.new_page()
    held = threading.Event()

    def hold(route):
        if route.request.method == "PATCH" and int(route.request.headers["upload-offset"]) > 0:
            held.set()  # the second piece never leaves
        else:
            route.continue_()

    page.route("**/import/uploads/**", hold)
    choose(page, large)
    expect(page.locator("[data-rate]")).to_contain_text("of 30.0 MB", timeout=LONG_MS)
    while not held.is_set():
        page.wait_for_timeout(50)
    page.close()
    had = Upload.objects.get().received
    assert had > 0
    again = context.new_page()
    offsets: list[int] = []
    again.on(
        "request", lambda one: offsets.append(int(one.headers["upload-offset"])) if one.method == "PATCH" else None
    )
    again.goto("/import/")
    expect(again.locator(".arriving")).to_contain_text("large.zip")
    choose(again, large)
    expect(again.locator(".run")).to_have_count(1, timeout=LONG_MS)
    assert offsets[0] >= had  # a browser that closes a page may let go of what was held, and that has come, too
    assert imported(large)
    assert Upload.objects.count() == 1


def test_a_lost_connection_and_a_server_that_restarts_are_said_and_waited_out(page, large):
    answers = iter(["lost", 502, 503])

    def fail(route):
        answer = next(answers, None) if route.request.method == "PATCH" else None
        if answer == "lost":
            route.abort("connectionreset")
        elif answer:
            route.fulfill(status=answer, body="<h1>Bad gateway</h1>")
        else:
            route.continue_()

    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto("/import/")
    page.evaluate(LISTEN)
    page.route("**/import/uploads/**", fail)
    page.locator("#id_recordings").set_input_files(large)
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".run")).to_have_count(1, timeout=LONG_MS)
    assert any("The connection is lost." in text for text in said)
    assert imported(large)


def test_a_refusal_is_said_on_the_page(page, tmp_path, settings):
    settings.UPLOAD_ARCHIVE_BYTES = MEGABYTE
    (tmp_path / "big.fit").write_bytes(b"x" * 2 * MEGABYTE)
    choose(page, tmp_path / "big.fit")
    expect(page.locator("[data-said]")).to_contain_text("It is larger than")
    expect(page.get_by_role("button", name="Import")).to_be_enabled()


def test_when_the_session_ended_the_page_says_to_sign_in(page, tmp_path):
    (tmp_path / "notes.txt").write_text("buy milk")
    page.goto("/import/")
    page.locator("#id_recordings").set_input_files(tmp_path / "notes.txt")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Import").click()
    expect(page.locator("[data-said]")).to_contain_text("You are signed out.")


def test_progress_shows_rate_and_time_left(page, large):
    page.route("**/import/uploads/**", lambda route: (page.wait_for_timeout(700), route.continue_()))
    choose(page, large)
    expect(page.locator("[data-rate]")).to_have_text(
        re.compile(r"^[\d.]+ of 30\.0 MB, [\d.]+ MB a second, about \d+ s left$"), timeout=LONG_MS
    )
    expect(page.locator("[data-sending]")).to_contain_text("they go on where they were")
    page.unroute_all(behavior="ignoreErrors")  # no piece may be on its way when the next test begins

"""The insight panel in a browser, with a real worker and a real slow gateway behind it."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from coach.trial import TrialGateway
from jobs import api
from jobs.models import Call, Seat
from tests.processes import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def gateway(settings) -> Iterator[TrialGateway]:
    with TrialGateway(delay_s=0.5) as trial:
        settings.GATEWAY = {**settings.GATEWAY, "url": trial.url, "key": "", "model": "trial"}
        yield trial


@pytest.fixture
def work(gateway, start_worker):
    def start():
        names = {"COACH_GATEWAY_URL": gateway.url, "COACH_GATEWAY_MODEL": "trial"}
        return start_worker(slots=2, env=names)

    return start


def test_the_panel_goes_from_waiting_to_written_without_a_reload(page, season, work):
    page.goto("/load/")
    page.evaluate("window.before = true")
    expect(page.locator("#insight-status")).to_have_attribute("hx-trigger", re.compile("every"))
    work()
    expect(page.locator("#insight-letter h2")).to_be_visible(timeout=30_000)
    expect(page.locator("#insight-status[hx-get]")).to_have_count(0)
    assert page.evaluate("window.before")


def test_stop_ends_a_running_call_and_try_again_brings_it_back(page, season, gateway, work, ana):
    gateway.script([{"do": "answer", "pace_s": 0.5}])
    work()
    page.goto("/load/")
    until(lambda: Call.objects.filter(spoke=True).exists(), what="the answer is being streamed")
    page.locator("#insight-stop").click()
    pressed = time.monotonic()
    expect(page.locator("#insight-sentence")).to_have_text("You stopped this.", timeout=2_000)
    assert time.monotonic() - pressed < 2
    assert api.ticket("insight", ana.owner, "load/current").status == "cancelled"
    assert Seat.objects.filter(pool="gateway", why="lingering").exists()
    expect(page.locator("#insight-retry")).to_have_text("Write it now")
    page.locator("#insight-retry").click()
    expect(page.locator("#insight-letter h2")).to_be_visible(timeout=30_000)
    assert gateway.stats()["max_in_flight"] == 1


def test_opening_a_screen_makes_its_job_the_next_one_to_start(page, season, gateway, work, ana):
    for pk in season[:20]:
        api.enqueue("insight", ana.owner, f"activity/{pk}")
    page.goto("/load/")
    work()
    expect(page.locator("#insight-letter h2")).to_be_visible(timeout=30_000)
    ticket = api.ticket("insight", ana.owner, "load/current")
    assert gateway.log()[0]["job"] == str(ticket.id)


def test_a_lost_connection_is_said_and_the_panel_goes_on_by_itself(page, season, gateway, work):
    page.goto("/load/")
    page.context.set_offline(True)
    expect(page.locator("#insight-lost")).to_be_visible()
    work()
    page.context.set_offline(False)
    expect(page.locator("#insight-letter h2")).to_be_visible(timeout=30_000)
    expect(page.locator("#insight-lost")).to_be_hidden()


def test_an_error_of_the_server_paints_nothing_into_the_panel(page, season, gateway):
    page.goto("/load/")
    waiting = page.locator("#insight-sentence").inner_text()
    page.route("**/insight/**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    expect(page.locator("#insight-lost")).to_be_visible()
    assert page.locator("#insight-sentence").inner_text() == waiting
    page.unroute("**/insight/**")
    expect(page.locator("#insight-lost")).to_be_hidden()


def test_after_the_session_ended_the_panel_asks_to_sign_in_and_polls_no_more(page, season, gateway):
    page.goto("/load/")
    page.context.clear_cookies()
    expect(page.locator("#insight-status")).to_contain_text("You are signed out.")
    expect(page.locator("#insight-status a")).to_have_attribute("href", "/login/?next=/load/")
    expect(page.locator("[data-poll]")).to_have_count(0)


def test_what_is_open_and_focused_stays_so_through_the_polls(page, season, gateway, work):
    page.goto("/load/")
    page.locator("#insight-why-summary").click()
    expect(page.locator("#insight-why[open]")).to_have_count(1)
    work()
    expect(page.locator("#insight-letter h2")).to_be_visible(timeout=30_000)
    focused = page.evaluate("document.activeElement.id || document.activeElement.tagName")
    assert focused != "BODY"


def test_a_hidden_page_does_not_poll_and_looks_at_once_when_it_is_shown(page, season, gateway):
    page.clock.install()
    page.goto("/load/")
    polls: list[str] = []
    page.on("request", lambda request: polls.append(request.url) if "/insight/" in request.url else None)
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.clock.run_for(60_000)
    assert polls == []
    with page.expect_response("**/insight/**"):
        page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")


def test_a_poll_that_finds_nothing_new_touches_nothing_and_the_next_one_follows(page, season, gateway):
    page.clock.install()
    page.goto("/load/")
    page.evaluate("document.getElementById('insight-status').before = true")
    for _ in range(2):
        with page.expect_response("**/insight/**") as poll:
            page.clock.run_for(15_000)
        assert poll.value.status == 204
    assert page.evaluate("document.getElementById('insight-status').before")

"""A real browser on a real server: Chromium, a live site, and an athlete who is signed in."""

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from coach.models import Athlete
from tests import factories
from tests.browser.chromium import FLAGS, executable
from tests.coach.views.rows import ridden, signed_in

SLOW_MS = 10_000


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = executable()
    if path is None:
        pytest.fail("Chromium is missing: run `sh deploy/package chromium chromium`.")
    # Playwright's loop runs in this thread, where Django would refuse to ask the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def ana(transactional_db) -> Athlete:
    return factories.athlete("ana")


@pytest.fixture
def season(ana) -> list[int]:
    """Sixty days of training; the ids, newest first."""
    source = factories.source(ana)
    sports = ["cycling", "running", "running", "swimming"]
    return [
        ridden(source, hours_ago=24 * day + 3, load=40 + day % 5 * 10, sport=sports[day % 4]).pk for day in range(60)
    ]


@pytest.fixture
def open_context(chromium, live_server, ana) -> Iterator[Callable[..., BrowserContext]]:
    """Open a browser in which ana is signed in: `open_context(width=390, java_script_enabled=False)`."""
    opened: list[BrowserContext] = []

    def opens(*, width: int = 1280, height: int = 900, **options: object) -> BrowserContext:
        base = options.pop("base_url", live_server.url)
        context = chromium.new_context(base_url=base, viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(SLOW_MS)
        session = signed_in(ana.user).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
        opened.append(context)
        return context

    yield opens
    for context in opened:
        context.close()


@pytest.fixture
def page(open_context) -> Page:
    return open_context().new_page()


@pytest.fixture
def complaints(page) -> list[str]:
    """What the browser complains of on this page, a blocked style or script included."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said

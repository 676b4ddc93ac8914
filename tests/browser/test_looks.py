"""What can be measured of how the screens look: ten years and nothing, a phone, a tablet and a desk, light and dark."""

import logging
import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from coach.models import Activity, Athlete
from tests import factories, history

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = {390: 844, 768: 1024, 1280: 900}
SCHEMES = ("light", "dark")
SCREENS = {
    "today": "/today/",
    "week": "/week/",
    "load": "/load/",
    "trends": "/trends/180d/",
    "records-cycling": "/records/cycling/",
    "records-running": "/records/running/",
    "recovery": "/recovery/",
    "body": "/body/",
    "activities": "/activities/",
    "calendar": "/activities/calendar/",
    "year": "/activities/year/",
    "plan": "/plan/",
    "import": "/import/",
}
LOOKS = Path(__file__).with_name("looks.js").read_text().split("\n", 1)[1]  # without its first line, a comment


@pytest.fixture
def years(transactional_db, settings, tmp_path) -> float:
    settings.DATA = tmp_path
    logging.getLogger("django.request").setLevel(logging.ERROR)
    return 0.3


@pytest.fixture(params=["rich", "empty"])
def ana(request, years) -> Athlete:
    return history.grown("ana", years=years) if request.param == "rich" else factories.athlete("ana")


def shown(ana: Athlete) -> dict[str, str]:
    newest = Activity.objects.filter(athlete=ana, provenance__streams__isnull=False).newest_first().first()
    return SCREENS | ({"activity": f"/activities/{newest.pk}/"} if newest else {})


def looked_at(page: Page, name: str, address: str, *, folder: Path) -> list[str]:
    """Open the screen, keep a picture of it, and return what is wrong with its looks."""
    width, scheme = page.viewport_size["width"], page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.goto(address)
    folder = Path(os.environ.get("COACH_PICTURES", folder))
    page.screenshot(path=folder / f"{name}-{width}-{'dark' if scheme else 'light'}.png", full_page=True)
    return [f"{name} {width}: {sentence}" for sentence in page.evaluate(LOOKS)]


def test_the_screens_look_right_on_a_phone(ana, open_context, tmp_path):
    page = open_context(width=390, height=844).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    wrong = [look for name, address in shown(ana).items() for look in looked_at(page, name, address, folder=tmp_path)]
    assert "\n".join(wrong + said) == ""


@pytest.mark.full
@pytest.mark.parametrize("years", [10])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_screens_look_right_at_every_width(ana, open_context, scheme, tmp_path, settings):
    settings.DATA = tmp_path
    page = open_context(color_scheme=scheme).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    wrong = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for name, address in shown(ana).items():
            wrong += looked_at(page, name, address, folder=tmp_path)
    assert "\n".join(wrong + said) == ""

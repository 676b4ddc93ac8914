"""The staff console on a phone and at a desk: axe finds nothing, nothing runs over the edge, the buttons work."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils.http import urlencode
from playwright.sync_api import Page, expect

from jobs import api, testing
from jobs.models import Job, Pool
from tests import factories
from tests.browser.test_accessible import broken
from tests.coach.views.rows import signed_in
from tests.jobs import rows
from tests.jobs.admin.test_pages import addresses, fill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = {390: 844, 1280: 900}
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"


@pytest.fixture
def staff(open_context, live_server, transactional_db) -> Page:
    context = open_context()
    session = signed_in(factories.staff("boss")).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto("/admin/")
    return page


@pytest.fixture
def day() -> dict[str, int]:
    """Leave behind what a day leaves: jobs in many states, attempts that failed, items; return ids by what they are."""
    fill()
    done = api.enqueue("items", "ana", "import/2026-11", items=["a.fit", "bad.fit", "part.fit"])
    testing.run_one(rows.take("items"))
    told = api.enqueue("talks", "ana", "2", args={"lines": ["It begins.", "It goes on. " * 30], "fails": True})
    for _ in range(3):
        testing.run_one(rows.take("talks"))
        api.retry(told.id, by="boss")
    waits = api.enqueue("pooled", "ben", "a-long-subject/" + "x" * 90)
    return {"items": done.id, "told": told.id, "waits": waits.id}


def everywhere(day: dict[str, int]) -> Iterator[tuple[str, str]]:
    yield from ((address.strip("/").replace("/", "-"), address) for address in addresses()[1:])
    for name, job in day.items():
        yield f"job-{name}", reverse("admin:jobs_job_change", args=[job])
    for query in ({"state": "trouble"}, {"q": "nothing there"}):
        yield f"jobs-{'-'.join(query)}", f"{reverse('admin:jobs_job_changelist')}?{urlencode(query)}"


def test_each_page_of_the_console_fits_a_phone_and_a_desk(staff, day, tmp_path):
    folder = Path(os.environ.get("COACH_PICTURES", tmp_path))
    wide = []
    for width, height in WIDTHS.items():
        staff.set_viewport_size({"width": width, "height": height})
        for name, address in everywhere(day):
            staff.goto(address)
            staff.screenshot(path=folder / f"{name}-{width}.png", full_page=True)
            wide += [f"{name} at {width}"] if staff.evaluate(WIDER) else []
    assert wide == []


@pytest.mark.full
def test_axe_finds_nothing_on_any_page_of_the_console(staff, day):
    found = []
    for _, address in everywhere(day):
        staff.goto(address)
        found += broken(staff)
    assert found == []


def test_staff_stop_all_that_match_and_see_what_came_of_it(staff, day):
    made = [api.enqueue("plain", "ana", str(number)).id for number in range(3)]
    staff.goto("/admin/jobs/job/?kind=plain")
    staff.get_by_label("all that match, not only those ticked").check()
    staff.locator("select[name=action]").select_option("stop")
    staff.get_by_role("button", name="Run").click()
    expect(staff.get_by_text("every job that matches “kind plain”")).to_be_visible()
    staff.get_by_role("button", name="Yes, stop").click()
    staff.locator(".messagelist a").click()
    testing.run_one(rows.take("operate"))
    staff.reload()
    expect(staff.locator("pre", has_text="3 stopped.")).to_be_visible()
    assert set(Job.objects.filter(pk__in=made).values_list("status", flat=True)) == {"cancelled"}


def test_a_pool_is_paused_and_resumed_from_the_overview(staff, day):
    staff.goto("/admin/jobs/")
    staff.get_by_role("button", name="Pause gateway").click()
    expect(staff.get_by_text("gateway: paused no → yes.")).to_be_visible()
    assert Pool.objects.get(pk="gateway").paused
    staff.get_by_role("button", name="Resume gateway").click()
    expect(staff.get_by_text("gateway: paused yes → no.")).to_be_visible()

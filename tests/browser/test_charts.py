"""The charts of a recorded session in a browser: one cursor for all, and a closer look by mouse, fingers and keys."""

import re

import pytest
from playwright.sync_api import expect

from coach.models import ImportFile, ImportRun, Provenance, Streams
from coach.streams import pack
from tests import factories
from tests.history.sessions import samples

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def run_outdoors(ana) -> int:
    """An hour's run with every stream and a way; return the activity's id."""
    row = factories.activity(ana, ana.today(), sport="running", pauses=[], laps=[{"start_s": 900.0}])
    run = ImportRun.objects.create(source=row.source)
    file = ImportFile.objects.create(run=run, name="run.fit", size=1, sha256="a" * 64)
    origin = Provenance.objects.create(
        activity=row, athlete=ana, file=file, sha256=file.sha256, session=0, format="fit"
    )
    Streams.objects.create(provenance=origin, samples=3600, packed=pack(samples()))
    return row.pk


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
    for part in ("#scrub", ".closer", "[data-streams] > .note"):
        expect(page.locator(part)).to_be_hidden()


def plot(page):
    """Return the first strip's box, in sight."""
    strip = page.locator("[data-strip] > svg").first
    strip.scroll_into_view_if_needed()
    return strip.bounding_box()


def drag(page, first, last):
    """Press the mouse at one share of the width and let go at another."""
    box = plot(page)
    page.mouse.move(box["x"] + box["width"] * first, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * last, box["y"] + 30, steps=4)
    expect(page.locator(".chosen").first).not_to_have_attribute("width", "0%")
    page.mouse.up()


def seconds(clock):
    return sum(int(part) * 60**place for place, part in enumerate(reversed(clock.split(":"))))


def seen(page):
    """Return the seconds that are shown, as the page says them."""
    words = page.locator("[data-part]").inner_text()
    return tuple(map(seconds, re.findall(r"[\d:]+\d", words)))


def lengths(page):
    """Return how long the whole session is, in seconds."""
    return float(page.locator("[data-streams]").get_attribute("data-to"))


def ways(page):
    return [way.get_attribute("d") for way in page.locator(".streams .series").all()]


def test_the_mouse_chooses_a_part_of_all_strips_and_the_way(page, complaints, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    whole, total = ways(page), lengths(page)
    with page.expect_response("**/closer/**") as part:
        drag(page, 0.25, 0.5)
    first, last = seen(page)
    assert first == pytest.approx(total * 0.25, abs=total * 0.02)
    assert last == pytest.approx(total * 0.5, abs=total * 0.02)
    expect(page.locator(".streams .series").first).not_to_have_attribute("d", whole[0])
    assert len(part.value.body()) < 40_000
    assert all(one != other for one, other in zip(ways(page), whole, strict=True))
    expect(page.locator("[data-track] .part")).to_have_attribute("d", re.compile(r"^M.+L"))
    expect(page.locator(".chosen").first).to_have_attribute("width", "0%")
    assert "Shown:" in page.get_by_role("slider").get_attribute("aria-valuetext")
    page.get_by_role("button", name="Show all").click()
    assert ways(page) == whole
    assert seen(page) == ()
    expect(page.get_by_role("button", name="Show all")).to_be_disabled()
    assert complaints == []


def test_the_wheel_alone_scrolls_and_with_control_looks_closer(page, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    box = plot(page)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    page.mouse.wheel(0, 40)
    assert seen(page) == ()
    box = plot(page)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(page.locator("[data-part]")).to_contain_text("Shown:")
    first, last = seen(page)
    assert (first + last) / 2 == pytest.approx(lengths(page) / 2, rel=0.05)


def test_keys_look_closer_along_and_back_to_all(page, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    slider, total = page.get_by_role("slider"), lengths(page)
    slider.focus()
    with page.expect_response("**/closer/**"):
        page.keyboard.press("+")
    first, last = seen(page)
    assert last - first == pytest.approx(total / 2, abs=2)
    page.keyboard.press("End")
    with page.expect_response("**/closer/**"):
        page.keyboard.press("ArrowRight")
    assert seen(page)[0] > first
    page.keyboard.press("-")
    page.keyboard.press("Escape")
    assert seen(page) == ()
    assert "Shown:" not in slider.get_attribute("aria-valuetext")


def test_closer_and_closer_ends_at_twenty_seconds(page, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    for _ in range(12):
        page.get_by_role("button", name="Closer").click()
    first, last = seen(page)
    assert last - first == 20


def touch(client, kind, box, *shares):
    points = [{"x": box["x"] + box["width"] * share, "y": box["y"] + 30, "id": n} for n, share in enumerate(shares)]
    client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_spread_the_strips_and_one_moves_the_cursor(open_context, run_outdoors):
    context = open_context(width=390, height=844, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"/activities/{run_outdoors}/")
    fingers, box, total = context.new_cdp_session(page), plot(page), lengths(page)
    touch(fingers, "touchStart", box, 0.5)
    touch(fingers, "touchMove", box, 0.7)
    touch(fingers, "touchEnd", box)
    assert seconds(page.locator(".scrub output").inner_text()) == pytest.approx(total * 0.7, abs=total * 0.02)
    assert seen(page) == ()
    with page.expect_response("**/closer/**"):
        touch(fingers, "touchStart", box, 0.4, 0.6)
        touch(fingers, "touchMove", box, 0.2, 0.8)
        touch(fingers, "touchEnd", box)
    first, last = seen(page)
    assert last - first == pytest.approx(total / 3, rel=0.1)
    assert (first + last) / 2 == pytest.approx(total / 2, rel=0.1)
    assert page.evaluate("visualViewport.scale") == 1
    page.get_by_role("button", name="Show all").tap()
    assert seen(page) == ()


def test_without_an_answer_the_coarse_picture_is_stretched(page, run_outdoors):
    page.goto(f"/activities/{run_outdoors}/")
    page.route("**/closer/**", lambda route: route.abort())
    whole = ways(page)
    drag(page, 0.2, 0.4)
    page.wait_for_timeout(300)
    assert ways(page) == whole
    width = page.locator("[data-strip] > svg > svg").first.get_attribute("width")
    assert float(width.rstrip("%")) == pytest.approx(500, rel=0.05)

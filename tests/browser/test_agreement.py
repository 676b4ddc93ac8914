"""No screen says two things: the last value of a chart, the fact shown and the newest row of the table are one."""

import re

import pytest
from playwright.sync_api import Page

from coach.models import Activity, Athlete
from tests import history

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Page, fact, chart, label at the end of its line, column of the table behind it.
ENDS = [
    ("/load/", "ctl", ".load-chart", "Fitness", "Fitness"),
    ("/load/", "atl", ".load-chart", "Fatigue", "Fatigue"),
    ("/load/", "tsb", ".load-chart", "Form", "Form that morning"),
    ("/recovery/", "hrv_7d", "#chart-hrv", "7 days", "Mean of 7 days"),
    ("/recovery/", "rhr_7d", "#chart-resting", "7 days", "Mean of 7 days"),
    ("/body/", "weight", "#chart-weight", "trend", "Trend"),
]


@pytest.fixture
def ana(transactional_db, settings, tmp_path) -> Athlete:
    settings.DATA = tmp_path
    return history.grown("ana", years=0.3)


def words(text: str | None) -> str:
    return " ".join((text or "").split())


def fact(page: Page, key: str) -> str:
    return words(page.locator(f"#fact-{key} .value").text_content())


def table(page: Page, within: str) -> list[dict[str, str]]:
    """Return the rows of the first table in there, by the heads of their columns."""
    found = page.locator(f"{within} table").first
    heads = [words(head) for head in found.locator("thead th").all_text_contents()]
    rows = found.locator("tbody tr").all()
    return [dict(zip(heads, map(words, row.locator("th, td").all_text_contents()), strict=True)) for row in rows]


def minutes(said: str) -> int:
    """Return the minutes of 3 h 02 min or 3:02; of nothing none."""
    hours, rest = re.search(r"(?:(\d+)(?: h |:))?(\d+)|–", said).groups()
    return int(hours or 0) * 60 + int(rest or 0)


def test_the_end_of_a_line_the_fact_and_the_newest_row_are_one(ana, page):
    for address, key, chart, label, column in ENDS:
        page.goto(address)
        shown = page.locator(f"{chart} .label", has_text=label).locator("tspan").text_content()
        newest = table(page, chart)[0][column]
        assert [fact(page, key).split()[0], newest.split()[0]] == [shown, shown], (address, key)


def test_a_trend_says_one_change_and_one_end(ana, page):
    page.goto("/trends/180d/")
    rows = {row["Line"]: row for row in table(page, ".rest > .data")}
    assert len(rows) == page.locator(".trend").count() > 2
    for drawn in page.locator(".trend").all():
        row = rows[words(drawn.locator("strong").text_content())]
        key = drawn.locator("> svg").get_attribute("aria-labelledby").split("-")[1]
        assert words(drawn.locator(".value").text_content()) == row["End"] == fact(page, f"{key}_end")
        assert row["In 30 days"] == fact(page, f"{key}_slope")
        assert f"{row['In 30 days']} {row['Interval']} in 30 days, n = {row['Points']}" in words(
            drawn.locator(".note").text_content()
        )
        assert row["Reading"] == fact(page, f"{key}_trend")
    clear = sum(row["Reading"] != "no clear change" for row in rows.values())
    assert words(page.locator(".answer").text_content()).startswith(
        f"{clear} of {len(rows)} lines" if clear else "No line moves clearly"
    )


def test_a_best_is_one_in_curve_table_and_facts(ana, page):
    page.goto("/records/cycling/")
    rows = {row["Over"]: row["Best"] for row in table(page, "section")}
    dots = [words(dot) for dot in page.locator(".curve-chart circle title").all_text_contents() if "W" in dot]
    assert dots == [f"{over}: {best}" for over, best in rows.items() if best.endswith("W")]
    assert fact(page, "best_power_300") == rows["5 min"]


def test_the_days_of_a_week_make_its_sum(ana, page):
    page.goto("/week/")
    page.get_by_role("link", name="Earlier").click()
    page.wait_for_url(re.compile(r"/week/2"))
    days = [minutes(row["Time"]) for row in table(page, ".week-chart")]
    drawn = [minutes(text) if text else 0 for text in page.locator(".week-chart .value").all_text_contents()]
    assert days == drawn
    assert sum(days) == pytest.approx(minutes(fact(page, "timer")), abs=len(days) / 2)
    assert sum(float(row["Load"].replace("–", "0")) for row in table(page, ".week-chart")) == pytest.approx(
        float(fact(page, "load")), abs=len(days) / 2
    )


def test_the_streams_of_a_session_say_the_averages_of_its_facts(ana, page):
    newest = Activity.objects.filter(sport="cycling", provenance__streams__isnull=False).newest_first().first()
    page.goto(f"/activities/{newest.pk}/")
    said = {
        words(strip.locator("b").text_content()): strip.locator(".summary") for strip in page.locator(".strip").all()
    }
    for label, key in {"Power": "power_avg", "Heart rate": "heart_rate_avg", "Speed": "speed"}.items():
        assert words(said[label].text_content()).startswith(f"average {fact(page, key)}"), label


def test_a_month_is_the_same_in_calendar_and_year(ana, page):
    today = ana.today()
    page.goto("/activities/calendar/")
    total = words(page.locator(".page p").text_content())
    page.goto("/activities/year/")
    row = next(row for row in table(page, "main") if row["Month"] == f"{today:%B}")
    sessions = "1 session" if row["Sessions"] == "1" else f"{row['Sessions']} sessions"
    assert total == f"{sessions}, {row['Time']}, load {row['Load']}"

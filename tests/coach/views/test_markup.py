"""What every page keeps to: nothing inline, one main heading, labels, and a size that a phone can bear."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.urls import reverse

from coach import views
from tests.coach.views.rows import ridden

STATIC = Path(views.__file__).parent.parent / "static" / "coach"
PAGES = [
    "today",
    "plan",
    "week",
    "load",
    "trends",
    "records",
    "recovery",
    "body",
    "activities",
    "calendar",
    "year",
    "imports",
    "line",
    "settings",
    "activity",
    "doubts",
    "join",
]


class Tags(HTMLParser):
    def __init__(self, body: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(body)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def named(self, tag):
        return [attributes for name, attributes in self.seen if name == tag]


@pytest.fixture(params=PAGES)
def tags(request, as_ana, source, ride, run, threshold):
    for day in range(1, 10):
        ridden(source, hours_ago=24 * day)
    arguments = [ride.pk] if request.param in ("activity", "join") else []
    return Tags(as_ana.get(reverse(request.param, args=arguments)).content.decode())


def test_no_page_carries_a_style_or_a_script_inside(tags):
    assert not tags.named("style")
    assert not [attributes for _, attributes in tags.seen if "style" in attributes]
    assert not [name for _, attributes in tags.seen for name in attributes if name.startswith("on")]
    assert all(attributes.get("src") for attributes in tags.named("script"))


def test_each_page_has_one_main_heading_and_a_way_past_the_navigation(tags):
    assert len(tags.named("h1")) == 1
    assert tags.named("a")[0]["href"] == "#main"


def test_every_field_has_a_label_and_every_id_is_given_once(tags):
    ids = [attributes["id"] for _, attributes in tags.seen if attributes.get("id")]
    labelled = {attributes.get("for") for attributes in tags.named("label")}
    fields = [*tags.named("input"), *tags.named("select")]
    assert len(ids) == len(set(ids))
    assert all(field["id"] in labelled for field in fields if field.get("type") != "hidden")


def test_every_part_that_htmx_fetches_has_a_link_or_form_of_the_same_kind(tags):
    for tag, attributes in tags.seen:
        if tag == "a" and "hx-get" in attributes:
            assert attributes["href"] == attributes["hx-get"]
        if tag == "form" and "hx-post" in attributes:
            assert attributes["action"] == attributes["hx-post"]


def test_the_policy_allows_nothing_from_elsewhere(client, db):
    policy = client.get(reverse("login"))["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_style_sheet_and_the_script_stay_small():
    assert sum(sheet.stat().st_size for sheet in STATIC.glob("*.css")) < 25 * 1024
    assert lines_of("coach.js", "facts.js", "streams.js") < 150  # the page of a session
    assert lines_of("coach.js", "upload.js") < 150  # the import page, which sends files in pieces


def lines_of(*scripts):
    """Return how many lines of these are no comment and not empty."""
    every = [line.strip() for name in scripts for line in (STATIC / name).read_text().splitlines()]
    return sum(bool(line) and not line.startswith("//") for line in every)

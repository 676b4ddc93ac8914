"""Lanes in the admin: what is at their head, and pausing them."""

from typing import Any

from django.test import Client

from jobs import api
from jobs.models import Audit, Lane
from jobs.transitions import lanes
from tests.jobs import rows
from tests.jobs.admin.conftest import said

LIST = "/admin/jobs/lane/"


def act(client: Client, action: str, *keys: str) -> Any:
    return client.post(LIST, {"action": action, "_selected_action": keys, "index": 0}, follow=True)


def test_the_list_shows_the_head_of_each_lane(queue: None, viewer: Client) -> None:
    job = api.enqueue("lined", "ana", "1").id
    lanes.place("lane:1")
    shown = viewer.get(LIST).content.decode()
    assert f"lined {job}, ready</a>" in shown


def test_pausing_demotes_the_head_and_says_so(queue: None, operator: Client) -> None:
    job = api.enqueue("lined", "ana", "1").id
    lanes.pause("lane:2", by="ana", paused=True)
    response = act(operator, "pause", "lane:1", "lane:2")
    assert said(response) == ["1 paused. Not moved: 1 paused already."]
    assert rows.status(job) == "waiting"
    assert said(act(operator, "resume", "lane:1")) == ["1 resumed."]
    assert rows.status(job) == "ready"


def test_who_paused_a_lane_is_in_the_audit(queue: None, operator: Client) -> None:
    lanes.place("lane:1")
    act(operator, "pause", "lane:1")
    entry = Audit.objects.get()
    assert (entry.actor, entry.action, entry.target) == ("operator", "lane.pause", "lane lane:1")


def test_staff_who_may_only_look_are_refused(queue: None, viewer: Client) -> None:
    lanes.place("lane:1")
    assert 'name="action"' not in viewer.get(LIST).content.decode()
    assert act(viewer, "pause", "lane:1").status_code == 403
    assert not Lane.objects.get().paused


def test_search_finds_a_lane_by_the_beginning_of_its_name(queue: None, viewer: Client) -> None:
    for key in ("source:1", "source:12", "other:1"):
        lanes.place(key)
    found = viewer.get(LIST, {"q": "source:1"}).context["cl"].result_list
    assert [lane.pk for lane in found] == ["source:1", "source:12"]

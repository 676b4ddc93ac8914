"""Every page of the admin that the queue has, as each of three people sees it."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs import api
from jobs.models import Job, Worker
from jobs.transitions import lanes, pools, workers
from tests.jobs import rows

MODELS = [model for model in apps.get_app_config("jobs").get_models() if admin.site.is_registered(model)]
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)[^>]*>")


def fill() -> None:
    """Have a row of each kind."""
    workers.register(rows.WORKER, host="box", pid=7, slots=2, pools=["gateway"], kinds=["pooled"], version="1")
    rows.end(rows.started("raises"), "retry", error="It did not work.", error_kind="ValueError")
    rows.called(rows.started("pooled"))
    api.enqueue("lined", "ana", "1")
    api.promote(api.enqueue("lined", "ana", "2").id, by="ana")
    pools.change("wide", by="ana", gap_s=3)


def addresses() -> list[str]:
    """Return each list, and the page of one row of each."""
    found = [reverse("admin:index"), reverse("admin:app_list", args=["jobs"])]
    for model in MODELS:
        name = f"admin:jobs_{model._meta.model_name}"
        row: Any = model._default_manager.first()
        assert row is not None, f"fill() makes no {model.__name__}"
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[quote(str(row.pk))])]
    return found


def test_the_walk_meets_every_table_that_staff_read() -> None:
    assert {model.__name__ for model in MODELS} == {"Job", "Pool", "Seat", "Lane", "Worker", "Attempt", "Audit"}


@pytest.mark.parametrize("person", ["root", "operator", "viewer"])
def test_each_page_opens_and_keeps_to_the_content_policy(
    queue: None, sign_in: Callable[[str], Client], person: str
) -> None:
    fill()
    client = sign_in(person)
    for address in addresses():
        response = client.get(address)
        assert response.status_code == 200, address
        page = response.content.decode()
        assert not INLINE.search(page), (address, INLINE.search(page))
        assert "jobs/admin.css" in page


@pytest.mark.parametrize("person", ["root", "operator", "viewer"])
def test_nothing_is_added_edited_or_deleted_past_the_transitions(
    queue: None, sign_in: Callable[[str], Client], person: str
) -> None:
    fill()
    client = sign_in(person)
    for model in MODELS:
        name, row = f"admin:jobs_{model._meta.model_name}", model._default_manager.first()
        key = quote(str(row.pk))  # type: ignore[union-attr]
        assert client.get(reverse(f"{name}_add")).status_code == 403
        assert client.post(reverse(f"{name}_delete", args=[key]), {"post": "yes"}).status_code == 403
        if model.__name__ != "Pool":
            assert client.post(reverse(f"{name}_change", args=[key]), {"status": "x"}).status_code == 403


def test_staff_without_permissions_see_nothing(queue: None, sign_in: Callable[[str], Client]) -> None:
    fill()
    client = sign_in("viewer")
    client.get("/admin/")
    User.objects.get(username="viewer").user_permissions.clear()
    for address in addresses()[2:]:
        assert client.get(address).status_code == 403, address
    assert client.get("/admin/jobs/").status_code == 404


def test_the_overview_is_a_picture_of_the_machine(queue: None, viewer: Client) -> None:
    fill()
    api.enqueue("pooled", "ana", "2")
    Job.objects.filter(subject="2", kind="lined").update(kind="forgotten")
    Worker.objects.create(
        id="00000000-0000-0000-0000-000000000002", host="late", pid=1, slots=3, pools=[], kinds=[], draining=True
    )
    page = viewer.get("/admin/jobs/").content.decode()
    shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Pooled 1 in line, 1 running" in shown
    assert "forgotten 1 in line nobody here knows this kind" in shown
    assert "box:7 working 1 of 2" in shown
    assert "late:1 draining 0 of 3" in shown


def test_the_overview_tells_silent_workers(queue: None, viewer: Client) -> None:
    fill()
    Worker.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    assert "state-silent" in viewer.get("/admin/jobs/").content.decode()


def test_the_overview_says_what_to_do_without_a_worker(queue: None, viewer: Client) -> None:
    assert "No worker is running, so nothing starts." in viewer.get("/admin/jobs/").content.decode()


def test_no_list_asks_more_than_eleven_times(queue: None, root: Client, django_assert_max_num_queries: Any) -> None:
    fill()
    for n in range(30):
        lanes.place(f"lane:{n}")
        rows.end(rows.started("plain", str(n)))
    for model in MODELS:
        with django_assert_max_num_queries(11):
            root.get(reverse(f"admin:jobs_{model._meta.model_name}_changelist"))

"""Rows whose every text is hostile: no page of the queue runs it, none breaks."""

import re
from typing import Any
from urllib.parse import quote as in_address

import pytest
from django.apps import apps
from django.contrib.admin.utils import quote
from django.db import models
from django.test import Client
from django.urls import reverse

from jobs import api
from jobs.models import Attempt, Audit, Item, Job, Lane, Payload, Pool, Progress, Seat, Worker
from tests.jobs.admin.test_pages import MODELS, fill

EVIL = "\"'><svg onload=alert(1)><script>alert(1)</script>&{{ x }}{% x %}../%2e\\\u202e;\r\n=1+1"
# What a browser would make an element of; as text it stands with &lt; before it.
RUNS = re.compile(r"<svg onload|<script>|(href|action|src|hx-get)=\"?(javascript|data):")
ODD: list[Any] = [EVIL, [EVIL], {EVIL: EVIL}, {"said": {EVIL: [EVIL]}}, 5, 1e308, True, [], [[{}]], {"said": None}]
CHECKED = {"status", "outcome", "name"}  # columns that a constraint or a key of others holds


def spoil() -> None:
    """Write the hostile text into each text column of each table of the queue, as long as it holds."""
    for model in apps.get_app_config("jobs").get_models():
        for field in model._meta.concrete_fields:
            is_text = isinstance(field, models.CharField | models.TextField) and field.name not in CHECKED
            if is_text and not field.primary_key and not field.choices:
                longest = field.max_length or 1000
                for row in model._default_manager.all():
                    unique = f"{row.pk}{EVIL}"[:longest]
                    model._default_manager.filter(pk=row.pk).update(**{field.name: unique})
    Lane.objects.create(key=EVIL[:120], label=EVIL, paused=True)
    Job.objects.filter(status="waiting").update(lane=EVIL[:120])
    Pool.objects.create(name=EVIL[:60], capacity=1)
    Seat.objects.create(pool=EVIL[:60])
    Worker.objects.update(kinds=[EVIL[:60]], pools=[EVIL[:60]])


def pages() -> list[str]:
    found = [reverse("admin:app_list", args=["jobs"]), f"/admin/jobs/job/?q={in_address(EVIL)}"]
    for name in ("kind", "owner", "pool", "lane", "error", "state", "age"):
        found.append(f"/admin/jobs/job/?{name}={in_address(EVIL)}")
    for model in MODELS:
        where = f"admin:jobs_{model._meta.model_name}"
        found.append(reverse(f"{where}_changelist"))
        found += [reverse(f"{where}_change", args=[quote(str(row.pk))]) for row in model._default_manager.all()]
    return found


def test_no_page_runs_or_breaks_over_what_its_rows_say(queue: None, root: Client) -> None:
    fill()
    spoil()
    seen = 0
    for page in pages():
        response = root.get(page)
        assert response.status_code == 200, page
        body = response.content.decode()
        assert not RUNS.search(body), page
        seen += "&lt;script&gt;" in body
    assert seen > 10  # it did get there, as text


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: str(odd)[:20])
def test_a_page_survives_whatever_json_its_rows_hold(queue: None, root: Client, odd: Any) -> None:
    job = api.enqueue("plain", "ana", "1").id
    Payload.objects.filter(pk=job).update(args=odd, result=odd)
    Item.objects.create(job=job, key=EVIL, position=1, status="ok", result=odd)
    Progress.objects.create(job=job, done=5, total=0, note=EVIL)
    for target in (f"job {job}", "pool gateway", "lane x"):
        Audit.objects.create(actor=EVIL, action="x", target=target, old=odd, new=[odd])
        Audit.objects.create(actor=EVIL, action="x", target=target, old={"a": 1}, new={"a": odd})
        Audit.objects.create(actor=EVIL, action="x", target=target, old=None, new=odd)
    for page in (f"/admin/jobs/job/{job}/change/", "/admin/jobs/audit/", "/admin/jobs/pool/gateway/change/"):
        response = root.get(page)
        assert response.status_code == 200, page
        assert not RUNS.search(response.content.decode()), page


def test_a_page_survives_times_that_run_backwards(queue: None, root: Client) -> None:
    fill()
    job = Attempt.objects.get().job
    newest = Attempt.objects.get()
    Attempt.objects.update(ended_at=newest.started_at.replace(year=1), started_at=newest.started_at.replace(year=9999))
    Worker.objects.update(heartbeat_at=newest.started_at.replace(year=9999), memory_mb=-5)
    for page in ("/admin/jobs/", f"/admin/jobs/job/{job}/change/", "/admin/jobs/attempt/", "/admin/jobs/worker/"):
        assert root.get(page).status_code == 200, page

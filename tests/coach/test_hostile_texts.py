"""Whatever a file, a model or an athlete calls something, no page runs it and no table program does."""

import csv
import io
import json
import zipfile
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib import admin
from django.db import models
from django.test import Client
from django.urls import reverse

from coach import exports
from coach.models import Athlete, Export, ImportFile
from jobs import api, testing
from tests import factories, walk
from tests.coach import everything
from tests.coach.views.rows import signed_in

EVIL = "\"'><img src=x onerror=alert(1)><script>alert(1)</script>{{ evil }}{% evil %}</textarea>javascript:alert(1)"
LONGEST_WORD = 64  # shorter texts are words of the program: names of zones, sports and formats, digests
WITHOUT_HOSTILE_TEXT = {  # digests; a checked address; the name of somebody of the staff, which signing up checks
    "Ruling.one", "Ruling.other", "Correction.key", "Invite.email", "Evaluation.created_by",
}  # fmt: skip
FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", " =1+1", "＝1+1"]

pytestmark = pytest.mark.django_db


class Alarm(HTMLParser):
    """Notes what a browser would run, or build that the page did not mean."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "srcdoc"):
                self.heard.append(f"{tag} {name}")
            if name in ("href", "src", "action", "formaction", "xlink:href") and ":" in (value or "").split("/")[0]:
                self.heard.append(f"{tag} {name}={value}")
        if tag == "script" and not dict(attrs).get("src") and dict(attrs).get("type") != "application/json":
            self.heard.append("script")
        if tag == "img" and not (dict(attrs).get("src") or "").startswith("/static/"):
            self.heard.append("img")


@pytest.fixture
def ana(settings: Any, tmp_path: Any) -> Athlete:
    settings.DATA = tmp_path
    settings.WATCH = tmp_path
    ana = factories.athlete()
    everything.of(ana, mark=EVIL)
    return ana


def test_no_page_of_the_athlete_runs_what_something_is_called(ana: Athlete) -> None:
    client = signed_in(ana.user)
    pages = walk.pages(client)
    seen = 0
    for page in pages:
        body = page.get(client).content.decode()
        assert Alarm(body).heard == [], page.kind
        seen += "onerror" in body
    assert seen > 5  # it did get there, as text


def test_no_page_of_staff_runs_what_something_is_called(ana: Athlete) -> None:
    job = api.ticket("insight", ana.owner, f"activity/{ana.activities.get().pk}")
    client = signed_in(factories.staff())
    seen = 0
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses = [reverse(f"{name}_changelist"), f"{reverse(f'{name}_changelist')}?q={EVIL[:20]}"]
        row = model._default_manager.order_by("-pk").first()
        addresses += [reverse(f"{name}_change", args=[row.pk])] if row else []
        for address in addresses:
            body = client.get(address, follow=True).content.decode()
            assert Alarm(body).heard == [], address
            seen += "onerror" in body
    assert job is not None
    assert seen > 5


def test_no_page_runs_what_a_job_failed_with(ana: Athlete) -> None:
    ticket = api.enqueue("raises", ana.owner, "1", args={"message": EVIL})
    testing.run_due()
    body = signed_in(factories.staff()).get(reverse("admin:jobs_job_change", args=[ticket.id])).content.decode()
    assert Alarm(body).heard == []


@pytest.mark.parametrize(
    "address", ["/line/?q={}", "/activities/?sport={}&q={}&before={}", "/login/?next={}", "/week/?{}={}"]
)
def test_no_page_runs_what_an_address_says(ana: Athlete, address: str) -> None:
    for client in (signed_in(ana.user), Client()):
        response = client.get(address.replace("{}", EVIL), follow=True)
        assert Alarm(response.content.decode()).heard == []


def test_a_file_is_given_back_as_a_download_that_no_browser_shows(ana: Athlete) -> None:
    client = signed_in(ana.user)
    file = ImportFile.objects.filter(run__source__athlete=ana)[0]
    file.name = "evil.html\r\nSet-Cookie: a=b"
    file.save()
    response = client.get(reverse("original", args=[file.pk]))
    assert b"".join(response.streaming_content)
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "application/octet-stream"
    assert "Set-Cookie" not in response.headers
    assert "\n" not in response["Content-Disposition"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_an_export_begins_like_a_formula(settings: Any, tmp_path: Any, formula: str) -> None:
    settings.DATA = tmp_path
    bo = factories.athlete("bo")
    everything.of(bo, mark=formula)
    Export.objects.all().delete()
    exports.ask(bo)
    testing.run_due()
    (export,) = exports.ready(bo)
    with zipfile.ZipFile(exports.path_of(export.pk)) as archive:
        names = archive.namelist()
        for name in names:
            assert ".." not in name
            assert not name.startswith("/")
        # An original is given back byte by byte; what Coach writes is safe to open.
        for name in (name for name in names if name.endswith(".csv") and not name.startswith("originals/")):
            rows = csv.reader(io.StringIO(archive.read(name).decode(), newline=""))
            for cell in (cell for row in rows for cell in row):
                is_number = cell.lstrip("+-").replace(".", "", 1).replace("e", "", 1).isalnum() and cell[:1] in "+-"
                assert is_number or cell.lstrip()[:1] not in tuple("=+-@＝"), (name, cell)
        activities = json.loads(archive.read("data/activities.json"))
    assert activities[0]["name"] == formula  # what is not a table keeps it as it was


def test_every_text_of_every_table_is_among_those_tried(ana: Athlete) -> None:
    """A new text somebody else writes belongs into tests.coach.everything."""
    untried = []
    for model in Athlete._meta.apps.get_app_config("coach").get_models():
        for field in model._meta.concrete_fields:
            is_text = isinstance(field, models.CharField | models.TextField)
            if not is_text or field.choices or (field.max_length or 0) <= LONGEST_WORD:
                continue
            marked = model._default_manager.filter(**{f"{field.name}__contains": "onerror"}).exists()
            if not marked:
                untried.append(f"{model.__name__}.{field.name}")
    assert set(untried) == WITHOUT_HOSTILE_TEXT

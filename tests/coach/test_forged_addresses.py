"""What somebody writes into an address or a form of the console by hand: refused, never a page that breaks."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.coach import everything
from tests.coach.views.rows import HTMX, signed_in

OWN = [model for model in admin.site._registry if model._meta.app_label in ("coach", "jobs")]
KEYSET = [model for model, of in admin.site._registry.items() if hasattr(of, "keyset")]
KEYS = [
    '["\\u0000"]', '["\\ud800"]', "[null]", "[1e999]", "[NaN]", "[true]", "[[1]]", '{"a": 1}', "5", "[" * 3000,
    '["99999999999999999999999999"]', '["1e400", "2026-01-01T00:00:00+00:00", "1"]', "[1e999, 1e999, 1e999]",
    "[1e999, 1e999]", '["infinity", "1"]', '["0001-01-01T00:00:00+14:00", "x"]',
    '["0", "2026-01-01", "1"]', '["2026-01-01T00:00:00", "1"]',
]  # fmt: skip

pytestmark = pytest.mark.django_db


@pytest.fixture
def root() -> Client:
    everything.of(factories.athlete(), mark="zebra")
    return signed_in(factories.staff("root"))


def page(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def columns() -> Iterator[tuple[type[Model], str]]:
    """Yield each column that no filter of its list offers, and what a row leads to."""
    for model in OWN:
        for field in model._meta.concrete_fields:
            for lookup in (
                "__startswith",
                "__gte",
                *(["__password__startswith"] if field.related_model is User else []),
            ):
                yield model, f"{field.name}{lookup}"


def test_a_list_is_narrowed_by_its_filters_and_by_nothing_else(root: Client) -> None:
    """A column that can be narrowed can be read letter by letter, and one without an index reads the whole table."""
    for model, lookup in columns():
        assert root.get(page(model), {lookup: "1"}).status_code == 400, (model, lookup)


@pytest.mark.parametrize("name", ["age", "left", "since"])
def test_what_a_list_adds_to_its_rows_is_no_filter(root: Client, name: str) -> None:
    for model in OWN:
        if model.__name__ not in ("Job",) or name != "age":
            assert root.get(page(model), {name: "%"}).status_code == 400, (model, name)


def test_what_the_filters_offer_works(root: Client) -> None:
    for address in ("/admin/jobs/lane/?paused__exact=1", "/admin/coach/insight/?language__exact=en&scope=week",
                    "/admin/coach/importfile/?run__id__exact=1", "/admin/jobs/job/?state=failed&age=day"):  # fmt: skip
        assert root.get(address).status_code == 200, address


@pytest.mark.parametrize("key", KEYS)
def test_a_page_that_begins_nowhere_is_refused(root: Client, key: str) -> None:
    assert len(KEYSET) > 3
    for model in KEYSET:
        for name in ("after", "before"):
            for state in ({}, {"state": "queued"}, {"state": "running"}) if model.__name__ == "Job" else ({},):
                response = root.get(page(model), {name: key, **state})
                assert response.status_code in (200, 302), (model, name, key)


@pytest.mark.parametrize("ticked", ["abc", "", "1e5", "\0", "9" * 30, "-1"])
def test_an_action_on_what_is_no_id_is_refused(root: Client, ticked: str) -> None:
    for model in admin.site._registry:
        for action in ("delete_selected", "evaluate", "stop", "pause"):
            sent = {"action": action, "_selected_action": ticked, "index": "0"}
            assert root.post(page(model), sent).status_code in (200, 302, 400, 403), (model, action)


def test_a_name_longer_than_any_is_a_wrong_name() -> None:
    response: Any = Client().post(reverse("login"), {"username": "n" * 5000, "password": "x"})
    assert response.status_code == 200
    assert response.context["form"].errors["username"]


@pytest.mark.parametrize("there", ["//evil.example/x", "/\\evil.example", "////evil.example", "/%0d//evil.example"])
def test_no_part_of_a_page_leads_to_another_site(there: str) -> None:
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{there}"}
    for address in ("/today/", "/admin/jobs/", "/login/"):
        body = Client().get(address, headers=headers).content.decode()
        assert "You are signed out." in body
        assert 'href="//' not in body
        assert 'href="/\\' not in body

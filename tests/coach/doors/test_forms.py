"""No form takes more than it shows."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.urls import reverse

import coach
from coach.models import Athlete, Source, Threshold
from tests import factories
from tests.coach.views.rows import signed_in

NEVER = {
    "user", "athlete", "is_staff", "is_superuser", "groups", "user_permissions", "password", "id", "digest", "made_by",
    "used_at", "source", "run", "sha256",
}  # fmt: skip


def of_models() -> Iterator[type[forms.ModelForm]]:
    for module in pkgutil.walk_packages(coach.__path__, "coach."):
        if module.name.endswith(("forms", "_form")) or ".admin" in module.name:
            for found in vars(importlib.import_module(module.name)).values():
                if isinstance(found, type) and issubclass(found, forms.ModelForm) and found.__module__ == module.name:
                    yield found


def test_every_form_over_a_table_names_its_fields_and_none_that_says_whose_it_is() -> None:
    found = list(of_models())
    assert len(found) > 3
    for form in found:
        fields = form._meta.fields
        assert form._meta.exclude is None, form
        if fields is None:  # the fields are those of the page of the admin
            assert "admin" in form.__module__, form
            continue
        assert fields != "__all__", form
        assert not set(fields) & NEVER, form


@pytest.mark.django_db(transaction=True)
def test_what_a_form_does_not_show_is_not_taken_from_it() -> None:
    ana, ben = factories.athlete("ana"), factories.athlete("ben")
    source, threshold = factories.source(ana), factories.ftp(ben)
    client = signed_in(ana.user)
    more = {"user": ben.user.pk, "athlete": ben.pk, "id": threshold.pk, "pk": ben.pk, "is_staff": "on"}
    profile = {
        "time_zone": "Europe/Berlin", "units": "imperial", "week_starts_on": "1", "language": "en", "sex": "f",
        "birth_year": "", "sleep_need": "8", "weight_goal": "", "profile": "",
    }  # fmt: skip
    given: dict[str, Any] = {"kind": "ftp_w", "value": "300", "valid_from": "2026-05-01", "threshold": "1"}
    assert client.post(reverse("settings"), profile | more).status_code == 302
    assert client.post(reverse("settings"), given | more).status_code == 302
    assert client.post(reverse("source_rename", args=[source.pk]), {"name": "Mine"} | more).status_code in (302, 200)
    assert Athlete.objects.get(pk=ana.pk).user == ana.user
    assert not Athlete.objects.get(pk=ana.pk).user.is_staff
    assert Source.objects.get(pk=source.pk).athlete == ana
    assert Threshold.objects.get(pk=threshold.pk).value == 250
    assert ana.thresholds.get().value == 300

"""Every address, as each of six people and with each method: who gets in, and that nobody touches another's rows.

The addresses are read from the URL conf itself. A new one fails here until CASES says whose it is.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import models, transaction
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from coach.models import Athlete
from jobs.models import Job
from tests.coach import everything
from tests.coach.everything import Everything
from tests.coach.views.rows import HTMX, signed_in
from tests.jobs.admin.conftest import create

MARK = "zebra crossing"
LEAVING = ("logout", "account_delete")  # ends the session of whoever asks
METHODS = ("get", "head", "options", "post", "put", "patch", "delete", "trace")
type Arguments = Callable[[Everything], dict[str, Any]]


def none(rows: Everything) -> dict[str, Any]:
    return {}


def key(name: str) -> Arguments:
    return lambda rows: {"pk": rows[name]}


def fixed(**values: str) -> Arguments:
    return lambda rows: values


def panel(rows: Everything) -> dict[str, Any]:
    return {"scope": "activity", "subject": str(rows["activity"])}


# Whose an address is: nobody's; everybody's own, about themselves; a row's, whose owner alone it is; a token's.
OPEN, OWN, ROW, TOKEN, PERSON = "open", "own", "row", "token", "person"
OPEN_PAGES = (
    "home", "login", "logout", "healthz", "readyz", "metrics", "second_step", "welcome_form", "sign_up",
    "password_reset", "password_reset_complete",
)  # fmt: skip
OWN_PAGES = (
    "today", "week", "load", "trends", "records", "recovery", "body", "plan", "activities", "calendar", "year",
    "doubts", "imports", "uploads", "sources", "line", "measuring", "settings", "token_make", "folder_make", "account",
    "account_export", "account_delete", "model_switch",
)  # fmt: skip
CASES: dict[str, tuple[str, Arguments]] = {
    **dict.fromkeys(OPEN_PAGES, (OPEN, none)),
    **dict.fromkeys(OWN_PAGES, (OWN, none)),
    "welcome": (OPEN, fixed(secret="none")),
    "password_reset_confirm": (OPEN, fixed(uidb64="MQ", token="none")),
    "password_change": (PERSON, none),
    "second_step_setup": (PERSON, none),
    "second_step_remove": (PERSON, none),
    "activity": (ROW, key("activity")),
    "opinion": (ROW, key("insight")),
    "activity_closer": (ROW, key("activity")),
    "activity_remarks": (ROW, key("activity")),
    "join": (ROW, key("activity")),
    "split": (ROW, key("recording")),
    "doubt_answer": (ROW, key("doubt")),
    "undo": (ROW, key("run")),
    "upload": (ROW, key("upload")),
    "upload_discard": (ROW, key("upload")),
    "import_run": (ROW, key("run")),
    "import_stop": (ROW, key("run")),
    "import_retry": (ROW, key("run")),
    "original": (ROW, key("file")),
    "columns": (ROW, key("table")),
    **{name: (ROW, key("source")) for name in ("source", "source_rename", "source_undo", "source_check")},
    **{name: (ROW, key("source")) for name in ("source_sentences", "source_sentences_stop")},
    **dict.fromkeys(("panel", "panel_stop", "panel_retry", "versions", "sent"), (ROW, panel)),
    **{name: (ROW, key("job")) for name in ("line_stop", "line_retry")},
    "weight_delete": (ROW, key("weight")),
    "goal_delete": (ROW, key("goal")),
    "planned_delete": (ROW, key("planned")),
    "token_revoke": (ROW, key("token")),
    "threshold_delete": (ROW, key("threshold")),
    "suggestion_answer": (ROW, key("suggestion")),
    "account_download": (ROW, key("export")),
    "api_import": (TOKEN, none),
    "api_import_run": (TOKEN, key("run")),
}  # fmt: skip


def product() -> Iterator[URLPattern]:
    """Yield the addresses of the product; what is included under a prefix is the console, walked in test_every_page."""
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern


NAMES = sorted({str(pattern.name) for pattern in product()})


@pytest.fixture
def rows(ana: Athlete, settings: Any, tmp_path: Path) -> Everything:
    settings.WATCH = tmp_path
    return everything.of(ana, mark=MARK)


@pytest.fixture
def client_of(ana: Athlete, ben: Athlete) -> Callable[[str], Client]:
    known = {"ana": ana.user, "ben": ben.user}

    def enter(person: str) -> Client:
        if person == "nobody":
            return Client()
        if person not in known:
            known[person] = create(person)
        return signed_in(known[person])

    return enter


def addresses(name: str, rows: Everything) -> list[str]:
    """Return the plain address of a name, and each address by which its pages are reached besides."""
    _, arguments = CASES[name]
    given = arguments(rows)
    found = [reverse(name, kwargs=given)]
    for pattern in product():
        takes = pattern.pattern.converters
        if pattern.name == name and takes and not given:  # the same page of another week, month or year
            found.append(reverse(name, kwargs={key: {"month": "2026-11", "year": 2026}.get(key, "x") for key in takes}))
    return found


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def hers(athlete: Athlete) -> dict[str, Any]:
    """Return everything that belongs to an athlete, whatever it is; what a token was last used at aside."""
    found: dict[str, Any] = {"jobs": sorted(Job.objects.filter(owner=athlete.owner).values_list("pk", "status"))}
    for model in apps.get_app_config("coach").get_models():
        path = to_athlete(model)
        if path:
            kept = model._default_manager.filter(**{path: athlete.pk}).order_by("pk")
            found[model.__name__] = [
                {name: value for name, value in row.items() if name != "used_at"} for row in kept.values()
            ]
    user = type(athlete.user).objects.get(pk=athlete.user.pk)
    return found | {"user": (user.username, user.password, user.is_staff, user.is_superuser, user.is_active)}


def to_athlete(model: type[Model], seen: frozenset[type[Model]] = frozenset()) -> str:
    """Return the way from a table to the athlete, by its foreign keys."""
    if model is Athlete:
        return "pk"
    for field in model._meta.get_fields():
        if isinstance(field, models.ForeignKey) and field.related_model not in seen | {model}:
            further = to_athlete(field.related_model, seen | {model})  # type: ignore[arg-type]
            if further:
                return field.name if further == "pk" else f"{field.name}__{further}"
    return ""


def test_every_address_says_whose_it_is() -> None:
    assert set(NAMES) == set(CASES)


def test_every_table_of_an_athlete_is_looked_at() -> None:
    without = [model.__name__ for model in apps.get_app_config("coach").get_models() if not to_athlete(model)]
    assert without == ["Evaluation", "Invite", "WriterScore", "Upstream"]


@pytest.mark.parametrize("name", NAMES)
def test_who_gets_in_and_what_they_change(name: str, rows: Everything, client_of: Callable[[str], Client]) -> None:
    whose, _ = CASES[name]
    before = hers(rows.athlete)
    for person in ("nobody", "ben", "viewer", "operator", "root"):
        client = client_of(person)
        for address in addresses(name, rows):
            for method in METHODS:
                response = getattr(client, method)(address)
                told = (person, method, address, response.status_code)
                body = body_of(response)
                assert MARK.encode() not in body, told
                assert rows.secret.encode() not in body, told
                if whose in (OWN, ROW, PERSON) and person == "nobody":
                    is_turned_away(response, told)
                if whose == ROW and person == "ben":
                    assert response.status_code in (404, 405), told
                if whose == TOKEN:
                    assert response.status_code in (401, 405, 429), told
                client = client if name not in LEAVING else client_of(person)
        assert hers(rows.athlete) == before, person


@pytest.mark.parametrize("name", NAMES)
def test_each_address_answers_to_some_method_of_its_owner(name: str, rows: Everything, as_ana: Client) -> None:
    as_ana.raise_request_exception = False  # an edit takes hold of its line, which it may not in a transaction
    statuses = []
    for method in METHODS:
        with transaction.atomic():
            response = getattr(as_ana, method)(addresses(name, rows)[0])
            body_of(response)
            statuses.append(response.status_code)
            transaction.set_rollback(True)
    asks_more = name == "activity_closer"  # for a part of the streams; test_closer asks
    unfound = (
        (404, 405) if CASES[name][0] in (OWN, ROW) and not asks_more else (405,)
    )  # or nobody would find it, whoever asks
    assert [status for status in statuses if status not in unfound]


def is_turned_away(response: Any, told: object) -> None:
    if response.status_code == 302:
        assert response.url.startswith(reverse("login")), told
    else:
        assert response.status_code in (405,), told


@pytest.mark.parametrize("name", [name for name in NAMES if name in CASES and CASES[name][0] in (OWN, ROW)])
def test_a_part_of_a_page_is_never_the_page_to_sign_in(name: str, rows: Everything) -> None:
    """A poll of a session that has ended gets a word in its place, and nothing that polls on."""
    client = Client()
    for address in addresses(name, rows):
        response = client.get(address, headers={**HTMX, "HX-Target": "part"})
        if response.status_code != 405:
            body = response.content.decode()
            assert "You are signed out." in body, address
            assert 'id="part"' in body, address
            assert "<form" not in body, address
            assert "hx-" not in body, address


@pytest.mark.parametrize("name", NAMES)
def test_what_changes_something_wants_a_token_of_the_form(name: str, rows: Everything, ana: Athlete) -> None:
    """Another site can have a browser send a form, but not with this token: every POST asks for it."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana.user)
    if CASES[name][0] == TOKEN:  # a token in a header, which no other site can have a browser send
        return
    response = client.post(addresses(name, rows)[0])
    assert response.status_code in (403, 405)

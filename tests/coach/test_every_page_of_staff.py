"""Every address of the console, from its URL conf: strangers and athletes stay out, who may look changes nothing."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django_q.models import Schedule

from coach.models import Athlete
from jobs.models import Job
from tests import factories
from tests.coach import everything
from tests.coach.views.rows import HTMX, signed_in
from tests.jobs.admin.conftest import create

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
# What an argument of an address stands for, where it is not the key of the row that the address is about.
FIXED: dict[str, Any] = {
    "app_label": "coach",
    "verb": "stop",
    "form": "csv",
    "content_type_id": "1",
    "url": "no/",
    "key": "gateway",
    "worker": "00000000-0000-0000-0000-000000000001",
}
KEYS = {"object_id", "pk", "id"}
# What anybody may do to themselves, and what only leads elsewhere; these have no table.
WITHOUT_TABLE = {
    "index", "login", "logout", "password_change", "password_change_done", "autocomplete", "jsi18n", "view_on_site",
    "app_list", None,
}  # fmt: skip
SENT = {
    "post": "yes", "action": "delete_selected", "_save": "Save", "username": "mallory", "name": "mallory", "label": "x",
    "is_superuser": "on", "is_staff": "on", "days": "7", "password1": "a long password", "password2": "a long password",
    "capacity": "9", "gap_seconds": "0", "func": "os.system", "usable_password": "true",
}  # fmt: skip

pytestmark = pytest.mark.django_db


def addresses() -> Iterator[URLPattern]:
    def walk(patterns: list[Any], below: str = "") -> Iterator[Any]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            else:
                yield pattern

    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns)


@pytest.fixture
def ana(settings: Any, tmp_path: Any) -> Athlete:
    settings.DATA = tmp_path
    ana = factories.athlete()
    everything.of(ana, mark="zebra")
    Group.objects.create(name="Staff")
    return ana


def table_of(name: str | None) -> type[Model] | None:
    """Return the table that an address is about, by its name; None for those that are about none."""
    if name in WITHOUT_TABLE:
        return None
    for model in admin.site._registry:
        if str(name).startswith(f"{model._meta.app_label}_{model._meta.model_name}_"):
            return model
    raise AssertionError(f"{name}: say what this address is about")


def address(pattern: URLPattern) -> str:
    """Return the address with the first row of its table."""
    model = table_of(pattern.name)
    row = model._default_manager.first() if model else None
    takes = set(pattern.pattern.regex.groupindex) if hasattr(pattern.pattern, "regex") else set()
    unknown = takes - KEYS - set(FIXED)
    assert not unknown, f"{pattern.name}: say what {unknown} stands for"
    given = {key: FIXED.get(key, row.pk if row else 1) for key in takes}
    if pattern.name is None:
        return f"{reverse('admin:index')}no/" if "url" in takes else f"{reverse('admin:index')}auth/user/1/"
    return reverse(f"admin:{pattern.name}", kwargs=given)


def walk(client: Client, **headers: str) -> Iterator[tuple[str, str, Any]]:
    """Yield every address of the console, each method, and what came back."""
    for pattern in addresses():
        where = address(pattern)
        for method in METHODS:
            if pattern.name == "logout" and method == "post":
                continue
            row = (re.search(r"/(\d+)/", where) or ["", "1"])[1]
            sent = {"data": {**SENT, "_selected_action": row}} if method == "post" else {}
            yield method, where, getattr(client, method)(where, **sent, headers=headers)


def state() -> dict[str, list[Any]]:
    """Return every row of every table but those in which a visit leaves a trace."""
    traces = {"Session", "LogEntry", "AccessAttempt", "Permission", "ContentType"}
    return {
        model.__name__: sorted(map(str, model._default_manager.values_list()))
        for model in apps.get_models()
        if model.__name__ not in traces and not model._meta.proxy
    }


def test_a_stranger_is_sent_to_the_door_from_everywhere(ana: Athlete) -> None:
    before = state()
    for method, where, response in walk(Client()):
        told = (method, where, response.status_code)
        assert response.status_code in (302, 405), told
        if response.status_code == 302:
            assert "login" in response.url or response.url == reverse("admin:index"), told
    assert state() == before


def test_an_athlete_gets_no_further_than_the_door(ana: Athlete) -> None:
    client = signed_in(ana.user)
    before = state()
    for method, where, response in walk(client):
        told = (method, where, response.status_code)
        if response.status_code == 302 and response.url.startswith(reverse("admin:login")):
            response = client.get(response.url)
        elif response.status_code == 302:
            assert response.url == reverse("admin:index"), told
            continue
        assert response.status_code in (403, 405), told
    assert state() == before


def test_who_may_only_look_changes_nothing_and_learns_no_secret(ana: Athlete) -> None:
    client = signed_in(create("viewer"))
    before = state()
    for method, where, response in walk(client):
        told = (method, where, response.status_code)
        assert response.status_code in (200, 302, 400, 403, 404, 405), told
        if method == "post" and where.rstrip("/").endswith(("/add", "/delete")):
            assert response.status_code in (403, 404), told
        if not response.streaming:
            body = response.content.decode()
            assert ana.tokens.get().digest not in body, told
            assert ana.user.password not in body, told
    assert state() == before


def test_who_operates_the_queue_changes_nothing_but_the_queue(ana: Athlete) -> None:
    client = signed_in(create("operator"))
    before = state()
    for method, where, response in walk(client):
        assert response.status_code in (200, 302, 400, 403, 404, 405, 422), (method, where, response.status_code)
    after = state()
    queue = {model.__name__ for model in apps.get_app_config("jobs").get_models()}
    assert {name for name in before if before[name] != after[name]} <= queue
    assert Job.objects.get().status == "cancelled"  # it did reach the button


def test_a_part_of_a_page_is_never_the_page_to_sign_in(ana: Athlete) -> None:
    for method, where, response in walk(Client(), **HTMX):
        if method in ("get", "post") and not where.endswith(("/login/", "/jsi18n/")):
            assert response.status_code == 200, where
            assert "You are signed out." in response.content.decode(), where
            assert "<form" not in response.content.decode(), where


@pytest.mark.parametrize("person", ["root", "viewer"])
def test_nothing_stands_inline_on_any_page(ana: Athlete, person: str) -> None:
    inline = re.compile(
        r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)(?![^>]*application/json)[^>]*>"
    )
    client = signed_in(create(person))
    for pattern in addresses():
        response = client.get(address(pattern))
        if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
            assert not inline.search(response.content.decode()), address(pattern)


# Rights: nobody makes more of them than they have


@pytest.fixture
def keeper() -> User:
    """Somebody of the staff with every right over users, short of being a superuser."""
    keeper = create("keeper")
    keeper.user_permissions.add(*Permission.objects.filter(content_type__app_label="auth"))
    return keeper


def test_staff_who_may_change_users_cannot_raise_themselves(keeper: User) -> None:
    client = signed_in(keeper)
    sent = {"username": "keeper", "is_superuser": "on", "is_staff": "on", "is_active": "on"}
    assert client.post(reverse("admin:auth_user_change", args=[keeper.pk]), sent).status_code == 403
    keeper.refresh_from_db()
    assert not keeper.is_superuser


def test_staff_who_may_change_users_cannot_raise_another(keeper: User, ana: Athlete) -> None:
    client = signed_in(keeper)
    sent = {"username": "ana", "is_superuser": "on", "is_staff": "on", "is_active": "on", **dates(ana.user)}
    client.post(reverse("admin:auth_user_change", args=[ana.user.pk]), sent)
    ana.user.refresh_from_db()
    assert not ana.user.is_superuser
    assert not ana.user.is_staff


def dates(user: User) -> dict[str, str]:
    return {"date_joined_0": f"{user.date_joined:%Y-%m-%d}", "date_joined_1": f"{user.date_joined:%H:%M:%S}"}


@pytest.mark.parametrize("page", ["auth_user_reset_link", "auth_user_second_step"])
def test_staff_who_may_change_users_get_no_way_into_an_account_above_theirs(keeper: User, page: str) -> None:
    boss = factories.staff("boss")
    client = signed_in(keeper)
    assert client.post(reverse(f"admin:{page}", args=[boss.pk])).status_code == 403
    assert client.post(f"/admin/auth/user/{boss.pk}/password/", SENT).status_code == 403
    assert client.post(reverse("admin:auth_user_delete", args=[boss.pk]), {"post": "yes"}).status_code == 403


def test_staff_who_may_change_users_cannot_give_a_group_more_rights(keeper: User) -> None:
    group = Group.objects.create(name="All")
    sent = {"name": "All", "permissions": [1, 2, 3]}
    assert signed_in(keeper).post(reverse("admin:auth_group_change", args=[group.pk]), sent).status_code == 403
    assert not group.permissions.exists()


def test_not_even_a_superuser_has_the_clock_call_what_they_write() -> None:
    """A schedule names a function by its path: with os.system, the console would be a shell."""
    client = signed_in(factories.staff("boss"))
    assert client.post(reverse("admin:django_q_schedule_add"), SENT).status_code == 403
    row = Schedule.objects.first() or Schedule.objects.create(name="watch", func="coach.schedules.watch")
    page = reverse("admin:django_q_schedule_change", args=[row.pk])
    sent = {"name": "x", "func": "os.system", "hook": "os.system", "schedule_type": "D", "repeats": "-1",
            "next_run_0": "2026-12-01", "next_run_1": "05:00:00"}  # fmt: skip
    assert client.post(page, sent).status_code == 302
    changed = Schedule.objects.get(pk=row.pk)
    assert (changed.func, changed.hook) == (row.func, row.hook)
    assert changed.schedule_type == "D"

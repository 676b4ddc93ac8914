"""Three permissions, view, operate and configure: nobody sees a button that would fail, and no server trusts a page."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.test import Client

from jobs import api
from jobs.models import Audit, Job, Pool, Worker
from tests.jobs import rows
from tests.jobs.admin.test_pages import addresses, fill
from tests.processes import until

PEOPLE = ("operator", "configurer", "viewer")


class Forms(HTMLParser):
    """Collects the forms that post, each with what it would send; of a list also each of its actions."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.open: dict[str, Any] | None = None
        self.actions: list[str] = []
        self.has_button = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and given.get("method", "").lower() == "post":
            self.open, self.actions, self.has_button = {}, [], False
            self.address = given.get("action") or ""
        if self.open is None:
            return
        self.has_button |= tag == "button" or given.get("type") == "submit"
        if tag in ("input", "button") and given.get("name"):
            self.open[given["name"]] = given.get("value") or ""
        elif tag == "textarea":
            self.open[given["name"]] = ""
        elif tag == "option" and given.get("value"):
            self.actions.append(str(given["value"]))

    def handle_endtag(self, tag: str) -> None:
        if tag != "form" or self.open is None:
            return
        chosen: list[dict[str, str]] = [{"action": action} for action in self.actions] or [{}]
        if self.has_button:
            self.found += [(self.address, self.open | one | {"sure": "yes"}) for one in chosen]
        self.open = None


def forms(client: Client) -> dict[tuple[str, str], dict[str, Any]]:
    """Return every form of every console page that this person sees, by where it goes and what it does."""
    seen: dict[tuple[str, str], dict[str, Any]] = {}
    for page in addresses():
        response = client.get(page)
        if response.status_code != 200:
            continue
        parser = Forms()
        parser.feed(response.content.decode())
        for address, sent in parser.found:
            where = address or page
            if where.startswith("/admin/jobs/"):
                seen[where, sent.get("action", "")] = sent
    return seen


def made() -> None:
    """Have a row of each kind, and jobs for which each button makes sense."""
    fill()
    rows.end(rows.started("plain", "over"), "rejected")


def state() -> dict[str, list[str]]:
    return {
        model.__name__: sorted(map(str, model._default_manager.values_list()))
        for model in apps.get_app_config("jobs").get_models()
    }


def post(client: Client, form: tuple[str, str], sent: dict[str, Any]) -> Any:
    return client.post(form[0], sent | {"_selected_action": [str(job.pk) for job in Job.objects.all()] or "0"})


def test_the_root_of_all_sees_what_there_is_to_do(queue: None, root: Client) -> None:
    made()
    seen = {f"{where.split('/')[3]}:{where.rstrip('/').split('/')[-1]}{action}" for where, action in forms(root)}
    for what in ("pool:pause", "pool:change", "worker:drain", "job:jobpromote", "job:jobpriority", "lane:lanepause"):
        assert what in seen, seen
    assert any("/do/" in address for address, _ in forms(root))


@pytest.mark.parametrize("person", PEOPLE)
def test_nobody_sees_a_button_that_would_fail(queue: None, sign_in: Callable[[str], Client], person: str) -> None:
    made()
    client = sign_in(person)
    seen = forms(client)
    assert bool(seen) == (person != "viewer")
    for form, sent in seen.items():
        assert post(client, form, sent).status_code in (200, 302), form


@pytest.mark.parametrize(
    ("codenames", "sees"),
    [
        (("operate_job",), set()),
        (("change_pool",), {"change"}),
        (("view_pool", "operate_job"), {"pause"}),
        (("view_worker", "operate_job"), {"drain"}),
        (("view_lane", "operate_job"), {"lane"}),
        (("change_job", "delete_job", "add_pool", "delete_pool", "change_audit", "delete_audit"), set()),
    ],
)
def test_a_permission_without_the_others_shows_no_button_that_would_fail(
    queue: None, sign_in: Callable[[str], Client], codenames: tuple[str, ...], sees: set[str]
) -> None:
    made()
    client = sign_in("viewer")
    user = User.objects.get(username="viewer")
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames, content_type__app_label="jobs"))
    seen = forms(client)
    assert {where.rstrip("/").split("/")[-1] for where, _ in seen} == sees
    for form, sent in seen.items():
        assert post(client, form, sent).status_code in (200, 302), form


@pytest.mark.parametrize("person", [*PEOPLE, "stranger", "nobody"])
def test_what_one_may_not_is_refused_on_the_server_and_changes_nothing(
    queue: None, sign_in: Callable[[str], Client], person: str
) -> None:
    made()
    everything = forms(sign_in("root"))
    client = Client() if person == "nobody" else sign_in(person)
    mine = forms(client) if person in PEOPLE else {}
    before = state()
    for form, sent in everything.items():
        if form in mine:
            continue
        response = post(client, form, sent)
        if person in PEOPLE:
            assert response.status_code == 403, form
        else:
            assert response.status_code == 302, form
            assert "/login/" in response["Location"], form
    assert state() == before


def test_operating_and_configuring_are_apart(queue: None, operator: Client, configurer: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert operator.post("/admin/jobs/pool/gateway/change/", {"capacity": "9", "gap_seconds": "0"}).status_code == 403
    assert configurer.post("/admin/jobs/pool/gateway/pause/").status_code == 403
    assert configurer.post(f"/admin/jobs/job/{job}/do/stop/").status_code == 403
    assert Pool.objects.get(pk="gateway").capacity == 1
    assert not Audit.objects.exists()


def test_a_worker_that_is_asked_to_leave_is_on_record_once(queue: None, operator: Client) -> None:
    fill()
    worker = Worker.objects.get()
    address = f"/admin/jobs/worker/{worker.pk}/drain/"
    assert operator.get(address).status_code == 405
    for _ in range(2):
        assert operator.post(address).status_code == 302
    entry = Audit.objects.get(action="worker.drain")
    assert (entry.actor, entry.target, entry.old, entry.new) == ("operator", "worker box:7", False, True)
    assert "state-draining" in operator.get("/admin/jobs/").content.decode()


def test_a_real_worker_that_is_asked_to_leave_ends_what_it_runs_and_leaves(
    queue: None, operator: Client, start_worker: Any
) -> None:
    worker = start_worker()
    until(lambda: Worker.objects.exists(), what="the worker is there")
    job = api.enqueue("sleeps", "ana", "1", args={"seconds": 1}).id
    until(lambda: rows.status(job) == "running", what="it runs")
    operator.post(f"/admin/jobs/worker/{Worker.objects.get().pk}/drain/")
    until(lambda: worker.process.poll() is not None, what="the worker leaves")
    assert rows.status(job) == "succeeded"
    assert worker.process.poll() == 0


@pytest.mark.parametrize(
    ("act", "old", "new"),
    [
        ("promote", {"promoted": ""}, {"promoted": "staff"}),
        ("stop", {"status": "ready"}, {"status": "cancelled"}),
        ("run_now", {"status": "ready", "promoted": ""}, {"status": "ready", "promoted": "now"}),
        ("priority", {"priority": 10}, {"priority": 3}),
    ],
)
def test_each_act_is_on_record_with_the_old_and_the_new(
    queue: None, operator: Client, act: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    job = api.enqueue("plain", "ana", "1").id
    operator.post(f"/admin/jobs/job/{job}/do/{act}/", {"priority": "3", "sure": "yes"})
    entry = Audit.objects.get()
    assert (entry.actor, entry.target, entry.old, entry.new) == ("operator", f"job {job}", old, new)

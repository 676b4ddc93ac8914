"""One job's page in the admin."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from jobs import api
from jobs.console import operate
from jobs.models import Attempt, Item, Payload
from jobs.testing import run_one
from jobs.transitions import calls, workers
from tests.jobs import rows
from tests.jobs.admin.conftest import said


def address(job: int, verb: str = "") -> str:
    return f"/admin/jobs/job/{job}/{f'do/{verb}' if verb else 'change'}/"


def page(client: Client, job: int) -> str:
    response = client.get(address(job))
    assert response.status_code == 200
    return response.content.decode()


def test_it_shows_the_ticket_and_the_order(queue: None, viewer: Client) -> None:
    api.enqueue("plain", "ana", "first")
    job = api.enqueue("plain", "ana", "second").id
    shown = page(viewer, job)
    assert "No worker that serves it is running." in shown
    assert "Place 2 (before it: plain (1))." in shown


def test_it_shows_attempts_and_items_those_that_failed_first(queue: None, viewer: Client) -> None:
    job = api.enqueue("items", "ana", "1", items=["good.fit", "bad.fit"]).id
    run_one(rows.take("items"))
    shown = page(viewer, job)
    assert "bad.fit cannot be done." in shown
    assert shown.index("bad.fit") < shown.index("good.fit")
    assert "items: 1 of 2 did not succeed." in shown
    assert '<span class="state state-partial">partial</span>' in shown


def test_attempts_lie_on_one_line_of_time_with_what_they_logged(queue: None, viewer: Client) -> None:
    job = api.enqueue("talks", "ana", "1", args={"lines": ["<b>It begins.</b>"], "fails": True}).id
    for number in (10, 40, 100):  # seconds after it was put in line, each lasted ten
        run_one(rows.take("talks"))
        began = rows.row(job).created_at + timedelta(seconds=number - 10)
        newest = Attempt.objects.filter(job=job).latest("number")
        Attempt.objects.filter(pk=newest.pk).update(started_at=began, ended_at=began + timedelta(seconds=10))
        api.retry(job, by="ana")
    shown = page(viewer, job)
    assert [float(x) for x in re.findall(r'<rect class="outcome-rejected" x="([\d.]+)"', shown)] == [0, 72, 216]
    assert re.findall(r'<td class="number">(\d+ s)</td>', shown) == ["0 s", "10 s", "20 s", "10 s", "50 s", "10 s"]
    assert "WARNING tests.talks: &lt;b&gt;It begins.&lt;/b&gt;" in shown


def test_an_item_tells_what_came_of_it(queue: None, viewer: Client) -> None:
    job = api.enqueue("items", "ana", "1", items=["good.fit"]).id
    run_one(rows.take("items"))
    assert "{&quot;key&quot;: &quot;good.fit&quot;}" in page(viewer, job)
    Item.objects.update(result={"api_key": "abcdef"})
    assert "abcdef" not in page(viewer, job)


def test_it_shows_some_of_many_items_and_says_how_many_more(queue: None, viewer: Client) -> None:
    job = api.enqueue("items", "ana", "1").id
    Item.objects.bulk_create(Item(job=job, key=f"{n}.fit", position=n) for n in range(203))
    assert "3 more are not shown" in page(viewer, job)


def test_secrets_are_hidden(queue: None, viewer: Client) -> None:
    args = {"api_key": "abcdef", "deep": [{"Authorization": "x"}], "note": "Bearer abcdefghijkl", "max_tokens": 800}
    job = api.enqueue("plain", "ana", "1", args=args).id
    Payload.objects.filter(pk=job).update(result={"token": "t0ken", "text": "password=hunter22"})
    shown = page(viewer, job)
    for secret in ("abcdef", "&quot;x&quot;", "t0ken", "hunter22"):
        assert secret not in shown
    assert "&quot;max_tokens&quot;: 800" in shown


def test_a_running_job_shows_its_worker_its_seat_and_its_call(queue: None, viewer: Client) -> None:
    workers.register(rows.WORKER, host="box", pid=7, slots=1, pools=["gateway"], kinds=["pooled"], version="")
    job = rows.started("pooled")
    rows.called(job)
    shown = page(viewer, job.id)
    assert "box:7" in shown
    assert "of gateway" in shown
    assert "no word of an answer yet" in shown
    calls.broken(job.id, job.token)
    assert "it may still run up there" in page(viewer, job.id)


@pytest.mark.parametrize(
    ("state", "buttons"),
    [
        ("queued", ["promote", "run_now", "stop", "priority"]),
        ("promoted", ["run_now", "stop", "priority"]),
        ("running", ["stop"]),
        ("over", ["retry"]),
        ("partial", ["retry", "retry_items"]),
    ],
)
def test_the_buttons_are_those_that_make_sense(queue: None, operator: Client, state: str, buttons: list[str]) -> None:
    job = api.enqueue("plain", "ana", "1").id
    if state == "promoted":
        api.promote(job, by="ana")
    if state == "partial":
        job = api.enqueue("items", "ana", "1", items=["good", "bad"]).id
        run_one(rows.take("items"))
    elif state in ("running", "over"):
        claimed = rows.take("plain")
        if state == "over":
            rows.end(claimed)
    shown = page(operator, job)
    assert [verb for verb in operate.VERBS if f"{address(job, verb)}" in shown] == buttons


def test_to_stop_what_runs_is_asked_once_more(queue: None, operator: Client) -> None:
    job = rows.started("plain")
    asked = operator.post(address(job.id, "stop"))
    assert "What runs loses the work of this attempt" in asked.content.decode()
    assert rows.row(job).stop_token is None
    assert said(operator.post(address(job.id, "stop"), {"sure": "yes"}, follow=True)) == [
        "1 running and asked to stop."
    ]


def test_a_button_does_one_thing_and_says_what_it_did(queue: None, operator: Client) -> None:
    job = api.enqueue("lined", "ana", "1").id
    response = operator.post(address(job, "promote"), follow=True)
    assert response.redirect_chain == [(address(job), 302)]
    assert said(response) == ["1 promoted."]
    assert said(operator.post(address(job, "stop"), follow=True)) == ["1 stopped."]
    assert said(operator.post(address(job, "stop"), follow=True)) == ["Nothing moved. Not moved: 1 over."]
    assert said(operator.post(address(job, "retry"), follow=True)) == ["1 put in line again."]


def test_staff_who_may_only_look_see_no_buttons_and_are_refused(queue: None, viewer: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert "/do/" not in page(viewer, job)
    for verb in operate.VERBS:
        assert viewer.post(address(job, verb)).status_code == 403
    assert viewer.post(address(job), {"kind": "other"}).status_code == 403
    assert rows.row(job).promoted == ""


def test_who_operates_without_seeing_jobs_is_refused(queue: None, operator: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    user = User.objects.get(username="operator")
    user.user_permissions.remove(*user.user_permissions.filter(codename="view_job"))
    assert operator.post(address(job, "stop")).status_code == 403


def test_people_outside_the_staff_are_sent_to_the_door(queue: None, sign_in: object) -> None:
    job = api.enqueue("plain", "ana", "1").id
    for client in (Client(), sign_in("stranger")):  # type: ignore[operator]
        response = client.post(address(job, "stop"))
        assert response.status_code == 302
        assert "/login/" in response["Location"]
    assert rows.status(job) == "ready"


def test_a_button_needs_its_token(queue: None, operator: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = operator.cookies
    assert strict.post(address(job, "stop")).status_code == 403
    assert rows.status(job) == "ready"


def test_only_posts_operate_and_only_the_known_verbs(queue: None, operator: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert operator.get(address(job, "stop")).status_code == 405
    assert operator.post(address(job, "delete")).status_code == 404


def test_fields_cannot_be_edited_even_by_the_superuser(queue: None, root: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert root.post(address(job), {"status": "succeeded"}).status_code == 403


def test_a_job_that_is_not_there_leads_away_with_a_sentence(queue: None, viewer: Client) -> None:
    response = viewer.get(address(10**9), follow=True)
    assert "doesn’t exist" in said(response)[0]

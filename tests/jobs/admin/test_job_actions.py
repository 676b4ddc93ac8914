"""What staff do to many jobs at once."""

import re
from collections.abc import Sequence
from html import unescape
from typing import Any

import pytest
from django.test import Client

from jobs import api, testing
from jobs.console import every, operate
from jobs.models import Audit, Item, Job, Payload, Progress
from jobs.worker.run import Run
from tests.jobs import rows
from tests.jobs.admin.conftest import said

LIST = "/admin/jobs/job/"


def act(
    client: Client, action: str, *jobs: Any, across: bool = False, query: str = "", sure: str = "yes", to: str = ""
) -> Any:
    """Tick these jobs and run the action."""
    ids = [job if isinstance(job, int) else job.id for job in jobs]
    data = {"action": action, "_selected_action": ids or ["0"], "index": 0, "sure": sure, "priority": to}
    return client.post(LIST + query, data | ({"select_across": "1"} if across else {}), follow=True)


def confirmed(client: Client, response: Any) -> Any:
    """Press the button of the page that asks once more."""
    page = response.content.decode()
    address, form = re.findall(r'<form method="post" action="([^"]*)">(.*?)</form>', page, re.S)[-1]
    sent: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form):
        sent.setdefault(name, []).append(unescape(value))
    return client.post(unescape(address), sent, follow=True)


def test_promote_says_how_many_moved_and_why_the_others_did_not(queue: None, operator: Client) -> None:
    running = rows.started("plain", "running")
    over = rows.started("plain", "over")
    rows.end(over)
    one, two = (api.enqueue("plain", "ana", name).id for name in ("one", "two"))
    api.promote(two, by="ana")
    response = act(operator, "promote", running, over, one, two)
    assert said(response) == ["1 promoted. Not moved: 1 over, 1 promoted already, 1 running already."]
    assert [rows.row(one).band, rows.row(one).promoted] == [0, "staff"]


def test_promote_keeps_the_order_among_the_chosen(queue: None, operator: Client) -> None:
    _, second, third = (api.enqueue("plain", "ana", str(n)).id for n in range(3))
    act(operator, "promote", third, second)
    assert rows.row(second).turn < rows.row(third).turn
    assert rows.take("plain").id == second


def test_stop_says_what_was_stopped_and_what_was_asked_to(queue: None, operator: Client) -> None:
    running = rows.started("plain", "running")
    queued = api.enqueue("plain", "ana", "queued").id
    over = rows.started("items")
    rows.end(over)
    response = act(operator, "stop", queued, running, over)
    assert said(response) == ["1 running and asked to stop, 1 stopped. Not moved: 1 over."]
    assert rows.status(queued) == "cancelled"
    assert rows.row(running).stop_token == running.token


def test_retry_says_what_is_not_the_newest(queue: None, operator: Client) -> None:
    old = rows.started("plain", "1", fingerprint="a")
    rows.end(old)
    new = rows.started("plain", "1", fingerprint="b")
    rows.end(new, "rejected", error="No.")
    waits = api.enqueue("plain", "ana", "2").id
    response = act(operator, "retry", old, new, waits)
    assert said(response) == ["1 put in line again. Not moved: 1 in line already, 1 not the newest of its identity."]
    assert rows.status(new) == "ready"


def test_a_job_that_left_the_filter_since_is_reported_all_the_same(queue: None, operator: Client) -> None:
    job = rows.started("plain")
    rows.end(job)
    assert said(act(operator, "stop", job, query="?state=running")) == ["Nothing moved. Not moved: 1 over."]


# All that match


def test_all_that_match_are_changed_by_a_job_and_only_those(queue: None, operator: Client) -> None:
    plain = [api.enqueue("plain", "ana", str(n)).id for n in range(3)]
    other = api.enqueue("lined", "ana", "1").id
    asked = act(operator, "stop", across=True, query="?kind=plain", sure="")
    assert "every job that matches “kind plain”" in asked.content.decode()
    assert not Audit.objects.exists()
    response = confirmed(operator, asked)
    made = Job.objects.get(kind="operate")
    assert f"job {made.pk}</a> does it" in said(response)[0]
    assert rows.status(plain[0]) == "ready"
    testing.run_one(rows.take("operate"))
    assert {rows.status(job) for job in plain} == {"cancelled"}
    assert rows.status(other) == "ready"
    assert Payload.objects.get(pk=made.pk).result["said"] == "3 stopped."
    page = operator.get(f"{LIST}{made.pk}/change/").content.decode()
    assert "3 stopped." in page
    assert Audit.objects.filter(action="job.stop", actor="operator").count() == 3
    assert Audit.objects.get(action="jobs.stop").new == {"job": made.pk}


def test_what_comes_after_it_was_asked_is_left_alone_and_so_are_other_changes(queue: None, operator: Client) -> None:
    api.enqueue("plain", "ana", "1")
    act(operator, "promote", across=True)
    before = Job.objects.get(kind="operate")
    act(operator, "stop", across=True)
    late = api.enqueue("plain", "ana", "2").id
    api.promote(Job.objects.filter(kind="operate").latest("pk").pk, by="ana")
    testing.run_one(rows.take("operate"))
    assert [rows.status(job) for job in (before.pk, late)] == ["ready", "ready"]


def test_it_goes_span_by_span_with_progress_and_says_why_others_stay(
    queue: None, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(every, "SPAN", 3)
    monkeypatch.setattr(every, "LOOKED_AT", 2)
    made = [api.enqueue("plain", "ana", str(n)).id for n in range(8)]
    api.promote(made[0], by="ana")
    act(operator, "promote", across=True, query="?state=queued")
    job = rows.take("operate")
    testing.run_one(job)
    assert Item.objects.filter(job=job.id).count() == 3
    assert Payload.objects.get(pk=job.id).result["said"] == "7 promoted. Not moved: 1 promoted already."
    assert Progress.objects.get(pk=job.id).done == 3


def test_a_retry_of_all_tries_none_twice(queue: None, operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    job = rows.started("plain")
    rows.end(job, "rejected")
    act(operator, "retry", across=True, query="?state=trouble")
    operating = rows.take("operate")
    api.retry(job.id, by="ana")
    rows.end(rows.take("plain"), "rejected")  # for the second time, since it was asked
    testing.run_one(operating)
    assert rows.status(job) == "failed"


def test_asked_twice_it_is_done_once(queue: None, operator: Client) -> None:
    api.enqueue("plain", "ana", "1")
    act(operator, "promote", across=True)
    act(operator, "promote", across=True)
    act(operator, "priority", across=True, to="5")
    act(operator, "priority", across=True, to="6")
    assert Job.objects.filter(kind="operate").count() == 3
    assert set(Job.objects.filter(kind="operate").values_list("wanted_fingerprint", flat=True)) == {""}


def test_a_change_of_all_can_be_stopped_and_tells_how_far_it_came(
    queue: None, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(every, "LOOKED_AT", 2)
    for n in range(6):
        api.enqueue("plain", "ana", str(n))
    act(operator, "promote", across=True)
    run = Run(rows.take("operate"))
    real = operate.VERBS["promote"]

    def and_stop(*args: Any, **named: Any) -> Any:
        run.end_early("stop")
        return real(*args, **named)

    monkeypatch.setitem(operate.VERBS, "promote", and_stop)
    with pytest.raises(api.Stopped):
        every.work(run)
    item = Item.objects.get(job=run.id)
    assert (item.status, item.error) == ("partial", "Broken off. 2 promoted.")


def test_only_a_priority_that_is_a_number_is_given(queue: None, operator: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    for wrong in ("", "x", "-1", "101", "1.5", "٣"):
        assert said(act(operator, "priority", job, to=wrong)) == [
            "Give the priority as a number from 0 to 100; lower goes first."
        ]
    assert said(act(operator, "priority", job, to="3")) == ["1 given priority 3."]
    assert rows.row(job).priority == 3


def test_what_hurts_is_asked_once_more(queue: None, operator: Client) -> None:
    jobs = [api.enqueue("plain", "ana", str(n)).id for n in range(2)]
    for verb in ("stop", "run_now"):
        asked = act(operator, verb, *jobs, sure="")
        assert operate.VERBS[verb].hurts in asked.content.decode()
        assert not Audit.objects.exists()
    assert said(confirmed(operator, act(operator, "stop", *jobs, sure=""))) == ["2 stopped."]


def test_nothing_ticked_is_said(queue: None, operator: Client) -> None:
    for verb in ("promote", "stop"):
        assert said(act(operator, verb, sure="")) == ["Tick the jobs that are meant, or choose all that match."]


def test_one_request_takes_so_many_and_says_that_there_are_more(
    queue: None, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operate, "MOST", 2)
    jobs = [api.enqueue("plain", "ana", str(n)).id for n in range(3)]
    assert said(act(operator, "stop", *jobs)) == [
        "2 stopped. These were the first of more; run it again for the rest."
    ]  # fmt: skip


def test_each_act_is_in_the_audit_under_the_persons_name(queue: None, operator: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    act(operator, "promote", job)
    act(operator, "stop", job)
    act(operator, "retry", job)
    entries = Audit.objects.order_by("pk").values_list("actor", "action", "target")
    assert list(entries) == [
        ("operator", f"job.{verb}", f"job {job}") for verb in ("promote", "stop", "retry")
    ]  # fmt: skip


def test_staff_who_may_only_look_see_no_actions(queue: None, viewer: Client) -> None:
    api.enqueue("plain", "ana", "1")
    assert 'name="action"' not in viewer.get(LIST).content.decode()


@pytest.mark.parametrize("verb", operate.VERBS)
def test_staff_who_may_only_look_are_refused_on_the_server(queue: None, viewer: Client, verb: str) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert act(viewer, verb, job).status_code == 403
    assert act(viewer, verb, across=True).status_code == 403
    assert rows.status(job) == "ready"
    assert not Audit.objects.exists()


def test_nobody_deletes_jobs(queue: None, root: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    act(root, "delete_selected", job)
    assert root.post(f"{LIST}{job}/delete/", {"post": "yes"}).status_code == 403
    assert root.get(f"{LIST}add/").status_code == 403
    assert rows.status(job) == "ready"


def test_a_job_that_is_gone_is_said_to_be_gone(queue: None) -> None:
    for verb in operate.VERBS.values():
        assert verb([10**9], by="ana").sentence == "Nothing moved. Not moved: 1 gone."


@pytest.mark.parametrize("verb", ["promote", "stop", "retry"])
def test_what_cannot_move_costs_one_look_a_hundred(queue: None, django_assert_num_queries: Any, verb: str) -> None:
    jobs = api.enqueue_many("plain", [api.New(owner="ana", subject=str(n)) for n in range(150)])
    if verb != "retry":
        operate.stop(jobs, by="ana")
    with django_assert_num_queries(2):
        report = operate.VERBS[verb](jobs, by="ana")
    assert report.refused == {"in line already" if verb == "retry" else "over": 150}


@pytest.mark.parametrize(("verb", "why"), [("promote", "over"), ("stop", "over"), ("retry", "in line already")])
def test_what_moved_since_it_was_looked_at_is_judged_by_its_transition(
    queue: None, monkeypatch: pytest.MonkeyPatch, verb: str, why: str
) -> None:
    job = api.enqueue("plain", "ana", "1").id
    if verb == "retry":
        operate.stop([job], by="ana")
    look, others = operate._seen, [operate.retry if verb == "retry" else operate.stop]

    def and_then(jobs: Sequence[int]) -> dict[int, tuple[str, str]]:
        seen = look(jobs)
        if others:  # somebody else is faster
            others.pop()(jobs, by="ben")
        return seen

    monkeypatch.setattr(operate, "_seen", and_then)
    assert operate.VERBS[verb]([job], by="ana").refused == {why: 1}
    assert Audit.objects.latest("pk").actor == "ben"

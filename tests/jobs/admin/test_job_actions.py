"""What staff do to many jobs at once."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from jobs import api
from jobs.console import operate
from jobs.models import Audit
from tests.jobs import rows
from tests.jobs.admin.conftest import said

LIST = "/admin/jobs/job/"


def act(client: Client, action: str, *jobs: Any, across: bool = False, query: str = "") -> Any:
    """Tick these jobs and run the action."""
    ids = [job if isinstance(job, int) else job.id for job in jobs]
    data = {"action": action, "_selected_action": ids, "index": 0, "select_across": "1" if across else "0"}
    return client.post(LIST + query, data, follow=True)


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


def test_all_that_match_are_taken_and_only_those(queue: None, operator: Client) -> None:
    plain = [api.enqueue("plain", "ana", str(n)).id for n in range(3)]
    other = api.enqueue("lined", "ana", "1").id
    response = act(operator, "stop", plain[0], across=True, query="?kind=plain")
    assert said(response) == ["3 stopped."]
    assert rows.status(other) == "ready"


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


@pytest.mark.parametrize("verb", ["promote", "stop", "retry"])
def test_staff_who_may_only_look_are_refused_on_the_server(queue: None, viewer: Client, verb: str) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert act(viewer, verb, job).status_code == 403
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

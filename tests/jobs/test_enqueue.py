"""Enqueue: each row of the table of what an identity's newest row means, and what a new row looks like."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs import api
from jobs.models import Item, Job, Payload, Watch
from jobs.registry import kind_of
from jobs.transitions import enqueue as transition
from tests.jobs.rows import end, later, row, started, take

pytestmark = pytest.mark.usefixtures("queue")


def ask(fingerprint="f1", *, kind="plain", **options):
    return api.enqueue(kind, "ana", "1", fingerprint=fingerprint, **options)


def finished(outcome="succeeded", **how):
    """Return a job of fingerprint f1 that ended so."""
    job = started(fingerprint="f1")
    end(job, outcome, **how)
    return job


# none


def test_the_first_wish_inserts_a_row():
    ticket = ask()
    job = row(ticket)
    assert (job.kind, job.owner, job.subject, job.fingerprint) == ("plain", "ana", "1", "f1")
    assert (job.status, job.band, job.attempts, job.priority) == ("ready", 1, 0, api.PREFETCH)


def test_arguments_and_items_are_kept_beside_the_row():
    ticket = ask(kind="items", args={"a": [1, "é"]}, items=["x", "y"])
    assert Payload.objects.get(pk=ticket.id).args == {"a": [1, "é"]}
    assert list(Item.objects.order_by("position").values_list("key", "status")) == [("x", "pending"), ("y", "pending")]


def test_an_item_named_twice_is_one_item():
    ask(kind="items", items=["x", "y", "x"])
    assert list(Item.objects.order_by("position").values_list("key", flat=True)) == ["x", "y"]


def test_a_job_of_a_lane_starts_as_waiting_and_becomes_its_head_on_commit(monkeypatch):
    monkeypatch.setattr("jobs.transitions.lanes.place", lambda lane, **_: None)
    waiting = ask(kind="lined")
    assert row(waiting).status == "waiting"


def test_a_job_for_later_is_scheduled():
    ticket = ask(run_at=datetime.now(UTC) + timedelta(hours=1))
    assert ticket.status == "scheduled"


def test_a_job_for_a_moment_that_has_passed_is_ready():
    ticket = ask(run_at=datetime.now(UTC) - timedelta(hours=1))
    assert (ticket.status, row(ticket).run_at) == ("ready", None)


@pytest.mark.parametrize("name", ["owner", "subject", "fingerprint", "watch"])
def test_a_key_that_is_no_text_is_told_before_the_database_is_asked(name):
    with pytest.raises(TypeError, match=rf"^The {name} of a job is text; pass str\(…\), not int\.$"):
        api.enqueue("plain", **{"owner": "ana", "subject": "1", name: 5})


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(api.UnknownKind, match="No job kind is called 'nothing'"):
        api.enqueue("nothing", "ana", "1")


# active


def test_a_second_wish_finds_the_first():
    assert ask().id == ask().id
    assert Job.objects.count() == 1


def test_an_idle_poll_is_one_statement():
    ask(watch="7")
    wish = transition.Wish(kind=kind_of("plain"), owner="ana", subject="1", fingerprint="f1", args={}, watch="7")
    with CaptureQueriesContext(
        connection,
    ) as sent:
        transition.enqueue(wish)
    assert len(sent) == 1


@pytest.mark.parametrize("state", ["ready", "running"])
def test_an_active_row_is_watched_if_asked(state):
    first = ask()
    if state == "running":
        take()
    ask(watch="7")
    assert Watch.objects.get().job == first.id


def test_a_watched_wish_promotes_the_row():
    first = ask()
    ask(watch="7")
    assert (row(first).band, row(first).promoted) == (0, "watch")


def test_a_wish_without_a_watch_never_demotes():
    ask(watch="7")
    assert row(ask()).band == 0


@pytest.mark.parametrize("state", ["ready", "running"])
def test_another_fingerprint_is_noted_as_a_wish(state):
    first = ask("f1")
    if state == "running":
        take()
    assert ask("f2").id == first.id
    assert (row(first).fingerprint, row(first).wanted_fingerprint) == ("f1", "f2")


def test_a_newer_wish_replaces_an_older_one():
    first = ask("f1")
    ask("f2")
    ask("f3")
    assert row(first).wanted_fingerprint == "f3"


def test_asking_for_the_own_fingerprint_again_takes_the_wish_back():
    first = ask("f1")
    ask("f2")
    ask("f1")
    assert row(first).wanted_fingerprint == ""


def test_a_wish_without_a_fingerprint_wishes_nothing():
    first = ask("f1")
    ask("")
    assert row(first).wanted_fingerprint == ""


# finished


@pytest.mark.parametrize("asked", ["f1", ""])
@pytest.mark.parametrize("outcome", ["succeeded", "stopped", "rejected"])
def test_what_ended_with_this_fingerprint_stays_so(outcome, asked):
    job = finished(outcome)
    later(job, -86_400, "ended_at")
    assert ask(asked).id == job.id
    assert Job.objects.count() == 1


def test_what_ended_partial_stays_so():
    job = started("items", fingerprint="f1", items=["a", "b"])
    Item.objects.filter(key="a").update(status="ok")
    Item.objects.filter(key="b").update(status="failed")
    assert end(job).status == "partial"
    assert ask(kind="items").id == job.id


def test_what_is_parked_stays_so():
    job = finished()
    Job.objects.update(status="interrupted")
    assert ask().id == job.id


def test_a_stop_while_queued_is_not_undone_by_a_poll():
    ticket = ask()
    assert api.stop(ticket.id, by="ana") == "cancelled"
    assert (ask().status, ask("").status) == ("cancelled", "cancelled")


def test_a_stop_grants_the_wish_so_that_a_poll_with_it_does_not_undo_the_stop():
    ask("f1")
    ticket = ask("f2")
    api.stop(ticket.id, by="ana")
    assert ask("f2").id == ticket.id
    assert row(ticket).status == "cancelled"


@pytest.mark.parametrize("asked", ["f1", ""])
def test_a_failure_stays_for_its_cooldown(tune, asked):
    tune(MAX_ATTEMPTS=1, COOLDOWN_SECONDS=100)
    job = finished("retry")
    later(job, -90, "ended_at")
    assert ask(asked).id == job.id
    later(job, -20, "ended_at")
    assert ask(asked).id > job.id


def test_a_rejection_has_no_cooldown(tune):
    tune(COOLDOWN_SECONDS=0)
    job = finished("rejected")
    assert ask().id == job.id


@pytest.mark.parametrize("outcome", ["succeeded", "stopped", "rejected", "retry"])
def test_what_ended_with_another_fingerprint_is_asked_anew(tune, outcome):
    tune(MAX_ATTEMPTS=1)
    job = finished(outcome)
    again = ask("f2")
    assert again.id > job.id
    assert (again.status, row(again).fingerprint) == ("ready", "f2")


# the order in which it is due


def test_a_turn_is_the_owners_last_plus_the_spacing_and_the_priority(tune):
    tune(SPACING_SECONDS=60, AGEING_SECONDS=180)
    first = row(api.enqueue("plain", "ana", "1", priority=0))
    second = row(api.enqueue("plain", "ana", "2", priority=10))
    assert second.vturn - first.vturn == timedelta(seconds=60)
    assert (first.turn - first.vturn, second.turn - second.vturn) == (timedelta(0), timedelta(minutes=30))


def test_a_newcomer_is_due_before_the_second_job_of_a_flood():
    flood = [api.enqueue("plain", "ana", str(number)) for number in range(3)]
    newcomer = api.enqueue("plain", "ben", "1")
    order = list(Job.objects.order_by("band", "turn", "id").values_list("id", flat=True))
    assert order == [flood[0].id, newcomer.id, flood[1].id, flood[2].id]


def test_a_newcomer_is_not_put_behind_the_virtual_clock_of_slow_work():
    """Work slower than its spacing: the clock of the pool lags behind, and so does the newcomer's turn."""
    from jobs.models import Pool

    Pool.objects.filter(pk="gateway").update(clock="2020-01-01T00:00Z")
    ticket = api.enqueue("pooled", "ben", "1")
    assert row(ticket).vturn == datetime(2020, 1, 1, 0, 1, tzinfo=UTC)


# what is refused, and what is switched off


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ({"text": "x" * 70_000}, "The arguments of the job is larger than 64 KiB; keep a reference to the data"),
        ({"value": float("nan")}, "The arguments of the job cannot be stored as JSON"),
        ({"value": float("inf")}, "The arguments of the job cannot be stored as JSON"),
        ({"value": 2**64}, "The arguments of the job holds a number beyond 64 bits"),
        ({"value": "a\x00b"}, "The arguments of the job holds a NUL"),
        ({"value": object()}, "The arguments of the job cannot be stored as JSON"),
    ],
)
def test_arguments_that_cannot_be_kept_are_refused(args, sentence):
    with pytest.raises(api.TooLarge, match=sentence):
        ask(args=args)
    assert not Job.objects.exists()


def test_arguments_of_64_kib_are_kept():
    text = "x" * (64 * 1024 - len('{"text": ""}'))
    assert len(Payload.objects.get(pk=ask(args={"text": text}).id).args["text"]) == len(text)


def test_a_queue_that_is_switched_off_takes_nothing_and_says_so(tune):
    tune(ENABLED=False)
    ticket = ask()
    assert (ticket.reason, ticket.sentence) == ("disabled", "The queue is switched off.")
    assert api.enqueue_many("plain", [api.New(owner="ana", subject="2")]) == []
    assert not Job.objects.exists()


def test_a_queue_that_is_switched_off_still_shows_what_there_is(tune):
    first = ask()
    tune(ENABLED=False)
    again = ask("f2", watch="7")
    assert (again.id, again.reason, row(first).wanted_fingerprint) == (first.id, "disabled", "")

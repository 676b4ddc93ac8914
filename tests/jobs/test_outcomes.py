"""The closed table of how an attempt can end: each of its rows, as a pure function."""

import typing

import pytest

from jobs.conf import Conf
from jobs.registry import Kind
from jobs.transitions.outcomes import FINAL, Attempted, Name, decide

CONF = Conf(MAX_ATTEMPTS=3, BACKOFF_SECONDS=(60, 300, 1200), CRASHES=2, DOWN_SECONDS=30)
TOKEN = object()


def kind(**options):
    return Kind(name="k", label="K", handler=lambda run: None, **options)


def job(**more):
    fresh = {"attempts": 0, "crashes": 0, "downs": 0, "fingerprint": "f1", "wanted_fingerprint": ""}
    return {**fresh, "stop_token": None, "items": {}, **more}


def becomes(outcome, *, of=None, its_kind=None, closed=False, **how):
    return decide(of or job(), Attempted(outcome=outcome, **how), kind=its_kind, conf=CONF, closed=closed)


def counters(change):
    return (change.attempts, change.crashes, change.downs)


# returns


@pytest.mark.parametrize(
    ("items", "status", "error"),
    [
        ({}, "succeeded", ""),
        ({"ok": 3}, "succeeded", ""),
        ({"ok": 1, "skipped": 2}, "succeeded", ""),
        ({"skipped": 1}, "succeeded", ""),
        ({"ok": 2, "failed": 1}, "partial", "1 of 3 did not succeed."),
        ({"ok": 2, "partial": 1}, "partial", "1 of 3 did not succeed."),
        ({"partial": 1}, "partial", "1 of 1 did not succeed."),
        ({"ok": 1, "pending": 1}, "partial", "1 of 2 did not succeed."),
        ({"failed": 2}, "failed", "2 of 2 did not succeed."),
        ({"pending": 1}, "failed", "1 of 1 did not succeed."),
        ({"cancelled": 1, "failed": 1}, "failed", "2 of 2 did not succeed."),
    ],
)
def test_what_returns_is_judged_by_its_items(items, status, error):
    change = becomes("succeeded", of=job(items=items, attempts=1))
    assert (change.status, change.error, counters(change)) == (status, error, (1, 0, 0))


# spends an attempt


@pytest.mark.parametrize("outcome", ["retry", "timeout"])
@pytest.mark.parametrize(("before", "step"), [(0, 60), (1, 300)])
def test_an_attempt_is_spent_and_the_next_waits_longer(outcome, before, step):
    change = becomes(outcome, of=job(attempts=before), error="It failed.")
    assert (change.status, counters(change), change.error) == ("scheduled", (before + 1, 0, 0), "It failed.")
    assert 0.75 * step <= change.delay_s <= 1.25 * step


def test_the_waits_are_spread():
    assert len({becomes("retry").delay_s for _ in range(5)}) > 1


@pytest.mark.parametrize("outcome", ["retry", "timeout"])
def test_the_last_attempt_fails_the_job(outcome):
    change = becomes(outcome, of=job(attempts=2), error="It failed.")
    assert (change.status, change.attempts, change.delay_s) == ("failed", 3, None)
    assert (change.error, change.error_kind) == ("It failed.", outcome)


def test_a_wait_that_the_handler_names_is_taken():
    assert becomes("retry", after_s=7).delay_s == 7


def test_a_kind_has_its_own_attempts_and_backoff():
    own = kind(attempts=2, backoff=(10,))
    assert 7.5 <= becomes("retry", its_kind=own).delay_s <= 12.5
    assert becomes("retry", its_kind=own, of=job(attempts=1)).status == "failed"


def test_an_error_of_an_unknown_class_names_it():
    assert becomes("retry", error_kind="KeyError").error_kind == "KeyError"


def test_a_rejection_fails_at_once_and_spends_nothing():
    change = becomes("rejected", error="No such file.")
    assert (change.status, change.error_kind, change.error, counters(change)) == (
        "failed",
        "rejected",
        "No such file.",
        (0, 0, 0),
    )


# spends nothing


@pytest.mark.parametrize("outcome", ["down", "misconfigured"])
@pytest.mark.parametrize(("downs", "delay"), [(0, 30), (1, 60), (9, 300)])
def test_a_down_that_closed_its_pool_spends_no_attempt_however_often(outcome, downs, delay):
    change = becomes(outcome, of=job(downs=downs), closed=True)
    assert (change.status, change.delay_s, counters(change)) == ("scheduled", delay, (0, 0, downs + 1))


@pytest.mark.parametrize("downs", [0, 1])
def test_a_down_that_closes_nothing_is_free_twice(downs):
    change = becomes("down", of=job(downs=downs), hard=False)
    assert (change.status, counters(change)) == ("scheduled", (0, 0, downs + 1))


def test_a_down_that_closes_nothing_spends_an_attempt_from_the_third_on():
    assert counters(becomes("down", of=job(downs=2))) == (1, 0, 3)
    assert becomes("down", of=job(downs=5, attempts=2)).status == "failed"


@pytest.mark.parametrize(("after_s", "delay"), [(90, 90), (None, 0)])
def test_a_snooze_spends_nothing(after_s, delay):
    change = becomes("snoozed", of=job(attempts=2), after_s=after_s)
    assert (change.status, change.delay_s, counters(change)) == ("scheduled", delay, (2, 0, 0))


def test_a_drained_job_is_queued_as_it_was():
    change = becomes("drained", of=job(attempts=1, crashes=1, downs=1))
    assert (change.status, counters(change), change.anew, change.error) == ("queued", (1, 1, 1), False, "")


# crashes and stops


@pytest.mark.parametrize("crashes", [0, 1])
def test_a_crash_queues_the_job_again(crashes):
    change = becomes("crashed", of=job(crashes=crashes), error="Its process died.", error_kind="process_died")
    assert (change.status, counters(change), change.error_kind) == ("queued", (0, crashes + 1, 0), "process_died")


def test_the_third_crash_is_a_crash_loop():
    change = becomes("crashed", of=job(crashes=2))
    assert (change.status, change.crashes, change.error_kind) == ("failed", 3, "crash_loop")


def test_a_kind_may_park_what_was_interrupted():
    assert becomes("crashed", its_kind=kind(on_interrupt="park")).status == "interrupted"


def test_a_stop_cancels_and_says_nothing_of_an_error():
    change = becomes("stopped", of=job(attempts=1))
    assert (change.status, change.error, change.error_kind, counters(change)) == ("cancelled", "", "", (1, 0, 0))


@pytest.mark.parametrize(
    "outcome", ["retry", "timeout", "rejected", "down", "misconfigured", "snoozed", "drained", "crashed"]
)
def test_a_stop_that_was_asked_for_is_not_undone_by_another_ending(outcome):
    change = becomes(outcome, of=job(stop_token=TOKEN), error="It failed.", after_s=5)
    assert (change.status, change.delay_s, change.error) == ("cancelled", None, "")


@pytest.mark.parametrize(("items", "status"), [({}, "succeeded"), ({"ok": 1, "failed": 1}, "partial")])
def test_what_was_done_before_the_stop_came_counts(items, status):
    assert becomes("succeeded", of=job(stop_token=TOKEN, items=items)).status == status


# wishes


@pytest.mark.parametrize("outcome", ["succeeded", "rejected"])
def test_a_final_ending_with_a_wish_queues_the_job_anew(outcome):
    change = becomes(outcome, of=job(wanted_fingerprint="f2", attempts=2, crashes=1, downs=1))
    assert (change.status, change.anew, change.fingerprint, counters(change)) == ("queued", True, "f2", (0, 0, 0))
    assert (change.error, change.error_kind) == ("", "")


def test_a_parked_job_with_a_wish_is_queued_anew():
    change = becomes("crashed", of=job(wanted_fingerprint="f2"), its_kind=kind(on_interrupt="park"))
    assert (change.status, change.anew) == ("queued", True)


@pytest.mark.parametrize("outcome", ["retry", "snoozed", "down", "drained", "crashed"])
def test_an_ending_that_queues_again_takes_the_wish_up_and_keeps_its_counters(outcome):
    change = becomes(outcome, of=job(wanted_fingerprint="f2", attempts=1, crashes=1, downs=1))
    assert (change.fingerprint, change.anew) == ("f2", False)
    assert sum(counters(change)) >= 3


@pytest.mark.parametrize("outcome", ["stopped", "succeeded", "retry"])
def test_a_stop_makes_the_wish_the_fingerprint_and_queues_nothing(outcome):
    change = becomes(outcome, of=job(wanted_fingerprint="f2", stop_token=TOKEN))
    assert (change.status, change.fingerprint, change.anew) == ("cancelled", "f2", False)


@pytest.mark.parametrize("wish", ["", "f1"])
def test_no_wish_or_the_own_one_changes_nothing(wish):
    change = becomes("succeeded", of=job(wanted_fingerprint=wish))
    assert (change.status, change.fingerprint) == ("succeeded", "f1")


@pytest.mark.parametrize("outcome", typing.get_args(Name.__value__))
def test_every_outcome_has_a_row(outcome):
    assert becomes(outcome).status in ("queued", "scheduled", *FINAL)


def test_a_silent_worker_is_charged_to_a_larger_budget():
    assert becomes("crashed", of=job(crashes=2)).status == "failed"
    assert becomes("crashed", of=job(crashes=2), process_ended=False).status == "queued"
    assert becomes("crashed", of=job(crashes=10), process_ended=False).status == "failed"

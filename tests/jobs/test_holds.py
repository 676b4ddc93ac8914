"""Holds: an edit takes a lane at once or is told by name who has it."""

import contextlib
import uuid
from functools import partial

import pytest
from django.db import transaction

from jobs import api, sql
from jobs.models import Lane
from jobs.transitions import lanes, sweep
from tests.jobs.rows import end, enqueue, started, status, take, try_claim
from tests.jobs.sessions import aside, together
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")


def held():
    with api.hold("lane:1", "test-edit"):
        return True


def refused():
    """Return what the refusal of a hold says."""
    with pytest.raises(api.LaneBusy) as busy, api.hold("lane:1", "test-edit"):
        pass
    return str(busy.value), busy.value.holder


def test_a_free_lane_is_held_and_given_back():
    with api.hold("lane:1", "test-edit"):
        assert aside(partial(api.holders, "lane:1")) == ["A test's edit"]
    assert api.holders("lane:1") == []
    assert Lane.objects.get(pk="lane:1").held_token is None


def test_while_a_lane_is_held_its_jobs_wait_and_then_go_on():
    with api.hold("lane:1", "test-edit"):
        ticket = aside(partial(enqueue, "1", kind="lined"))[0]
        assert aside(partial(status, ticket)) == "waiting"
        assert aside(try_claim) is None
    assert take().id == ticket.id


def test_a_running_job_refuses_a_hold_by_name():
    started("lined")
    assert refused() == ("Lined is at work here.", "Lined")


def test_a_job_that_merely_waits_refuses_a_hold_too():
    from jobs.models import Job

    enqueue("1", kind="lined")
    Job.objects.update(status="waiting")
    assert refused()[1] == "Lined"


def test_a_hold_refuses_another_by_name_though_its_edit_is_still_open():
    with api.hold("lane:1", "test-edit"):
        assert aside(refused) == ("A test's edit is at work here.", "A test's edit")


def test_a_lane_that_somebody_else_locks_refuses_at_once():
    enqueue("1", kind="lined")
    sql.run("DELETE FROM jobs_job")
    with transaction.atomic():
        sql.rows("SELECT 1 FROM jobs_lane WHERE key = 'lane:1' FOR UPDATE")
        assert aside(refused) == ("Something else is at work here.", "Something else")


def test_another_lane_is_free():
    with api.hold("lane:2", "test-edit"):
        assert aside(held)


def test_an_edit_that_fails_is_undone_and_gives_its_lane_back():
    with contextlib.suppress(ZeroDivisionError), api.hold("lane:1", "test-edit"):
        Lane.objects.create(key="written by the edit")
        raise ZeroDivisionError
    assert not Lane.objects.filter(key="written by the edit").exists()
    assert held()


def test_a_hold_whose_process_died_expires_and_its_lane_goes_on():
    lanes._take("lane:1", "test-edit", uuid.uuid4(), 1000)
    ticket = enqueue("1", kind="lined")[0]
    assert status(ticket) == "waiting"
    sql.run("UPDATE jobs_lane SET held_until = clock_timestamp() - interval '1 s'")
    sweep.quick()
    assert status(ticket) == "ready"
    assert (api.holders("lane:1"), Lane.objects.get(pk="lane:1").held_token) == (["Lined"], None)


def test_the_sweep_passes_over_an_edit_that_is_open_beyond_its_time():
    lanes._take("lane:1", "test-edit", uuid.uuid4(), 1000)
    sql.run("UPDATE jobs_lane SET held_until = clock_timestamp() - interval '1 s'")
    with transaction.atomic():  # as the edit's own
        sql.rows("SELECT 1 FROM jobs_lane WHERE key = 'lane:1' FOR UPDATE")
        aside(sweep.quick)


def test_an_edit_whose_hold_was_taken_over_does_not_begin(monkeypatch):
    take_it = lanes._take

    def expired(lane, kind, token, seconds, **more):
        take_it(lane, kind, token, seconds)
        sql.run("UPDATE jobs_lane SET held_until = clock_timestamp() - interval '1 s'")

    monkeypatch.setattr(lanes, "_take", expired)
    assert refused()[1] == "Something else"


def test_a_hold_inside_a_transaction_is_a_mistake():
    with transaction.atomic(), pytest.raises(RuntimeError, match="outside any transaction"):
        held()


def test_a_hold_of_an_unknown_kind_is_a_mistake():
    with pytest.raises(ValueError, match="No hold is called 'nothing'"), api.hold("lane:1", "nothing"):
        pass


# a hold that waits


def test_a_patient_hold_takes_the_turn_after_what_runs():
    running = started("lined")
    after = enqueue("2", kind="lined")[0]
    seen = []

    def edit():
        with api.hold("lane:1", "test-edit", wait_s=10):
            seen.append((status(running), status(after)))

    def finish():
        until(lambda: Lane.objects.get(pk="lane:1").held_token, what="the hold is announced")
        assert try_claim("lined") is None
        end(running, "succeeded")

    together(edit, finish)
    assert seen == [("succeeded", "waiting")]
    assert take("lined").id == after.id


def test_a_patient_hold_has_a_ready_head_step_back():
    head = enqueue("1", kind="lined")[0]
    with api.hold("lane:1", "test-edit", wait_s=5):
        assert aside(partial(status, head)) == "waiting"
    assert status(head) == "ready"


def test_a_patient_hold_gives_up_and_gives_the_lane_back():
    started("lined")
    with pytest.raises(api.LaneBusy, match="Lined is at work here"), api.hold("lane:1", "test-edit", wait_s=0.2):
        pass
    assert Lane.objects.get(pk="lane:1").held_token is None


def test_a_patient_hold_does_not_wait_for_another_hold():
    with api.hold("lane:1", "test-edit"):

        def second():
            with pytest.raises(api.LaneBusy), api.hold("lane:1", "test-edit", wait_s=5):
                pass

        aside(second)

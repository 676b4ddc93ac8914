"""Enqueue of many: judged as one is, in one statement, and beside others that do the same."""

import contextlib
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from jobs import api
from jobs.models import Job, Payload
from tests.jobs.rows import end, later, row, started
from tests.jobs.sessions import aside, together

pytestmark = pytest.mark.usefixtures("queue")


def news(count, *, owner="ana", first=0, **more):
    return [api.New(owner=owner, subject=str(number), **more) for number in range(first, first + count)]


def ask(*wishes, kind="plain", **options):
    return api.enqueue_many(kind, wishes, **options)


def test_each_is_a_row_with_its_arguments():
    made = ask(api.New(owner="ana", subject="1", fingerprint="f1", args={"n": 1}), api.New(owner="ben", subject="2"))
    assert list(Job.objects.order_by("id").values_list("id", "owner", "subject", "fingerprint", "status")) == [
        (made[0], "ana", "1", "f1", "ready"),
        (made[1], "ben", "2", "", "ready"),
    ]
    assert Payload.objects.get(pk=made[0]).args == {"n": 1}


def test_turns_are_stamped_by_row_number_within_each_owner(tune):
    tune(SPACING_SECONDS=60, AGEING_SECONDS=180)
    ask(*news(3), *news(2, owner="ben"), priority=10)
    vturns = list(Job.objects.filter(owner="ana").order_by("id").values_list("vturn", flat=True))
    assert vturns[1] - vturns[0] == vturns[2] - vturns[1] == timedelta(seconds=60)
    assert min(Job.objects.filter(owner="ben").values_list("vturn", flat=True)) - vturns[0] < timedelta(seconds=1)
    assert {job.turn - job.vturn for job in Job.objects.all()} == {timedelta(minutes=30)}


def test_turns_go_on_from_what_the_owner_has_queued():
    before = row(api.enqueue("plain", "ana", "before"))
    ask(*news(2))
    assert Job.objects.get(subject="1").vturn - before.vturn == timedelta(minutes=2)


def test_the_number_of_statements_does_not_grow_with_the_number_of_jobs():
    def statements(wishes):
        with CaptureQueriesContext(connection) as sent:
            ask(*wishes)
        return len(sent)

    assert statements(news(2)) == statements(news(300, first=10))


def test_the_first_of_a_lane_becomes_its_head():
    ask(*news(3), kind="lined")
    assert list(Job.objects.order_by("id").values_list("status", flat=True)) == ["ready", "waiting", "waiting"]


def test_an_identity_named_twice_is_asked_for_once():
    assert len(ask(*news(2), *news(2))) == 2


def test_active_identities_are_left_alone():
    active = started("plain", "1")
    ask(*news(3))
    assert Job.objects.filter(subject="1").get().id == active.id
    assert Job.objects.count() == 3


def test_another_fingerprint_of_an_active_identity_is_noted_as_a_wish():
    active = started("plain", "1", fingerprint="f1")
    ask(*news(2, fingerprint="f2"))
    assert row(active).wanted_fingerprint == "f2"


@pytest.mark.parametrize("asked", ["f1", ""])
@pytest.mark.parametrize("outcome", ["succeeded", "stopped", "rejected"])
def test_what_ended_with_this_fingerprint_stays_so(outcome, asked):
    end(started("plain", "1", fingerprint="f1"), outcome)
    assert ask(*news(1, first=1, fingerprint=asked)) == []


def test_what_ended_with_another_fingerprint_is_asked_anew_though_it_once_ended_with_this_one():
    for fingerprint in ("f1", "f2"):
        end(started("plain", "1", fingerprint=fingerprint))
    assert len(ask(*news(1, first=1, fingerprint="f1"))) == 1


def test_a_failure_stays_for_its_cooldown(tune):
    tune(MAX_ATTEMPTS=1, COOLDOWN_SECONDS=100)
    job = started("plain", "1", fingerprint="f1")
    end(job, "retry")
    wish = news(1, first=1, fingerprint="f1")
    assert ask(*wish) == []
    later(job, -101, "ended_at")
    assert len(ask(*wish)) == 1


def test_arguments_that_are_too_large_refuse_all():
    with pytest.raises(api.TooLarge, match="The arguments of a job is larger than 64 KiB"):
        ask(api.New(owner="ana", subject="1"), api.New(owner="ana", subject="2", args={"text": "x" * 70_000}))
    assert not Job.objects.exists()


def test_nothing_asked_is_nothing_done():
    assert ask() == []


def test_bulks_that_race_insert_each_identity_once():
    for number in range(6):
        wishes = news(60, owner=str(number))
        made = together(*[partial(ask, *wishes)] * 3, partial(ask, *reversed(wishes)))
        assert sum(len(ids) for ids in made) == 60
        assert Job.objects.filter(owner=str(number)).count() == 60


def test_a_bulk_does_not_wait_for_an_open_transaction_that_enqueues_one_of_its_identities():
    with transaction.atomic():
        api.enqueue("plain", "ana", "1")
        assert len(aside(partial(ask, *news(3)))) == 2
    assert Job.objects.count() == 3


def test_a_bulk_in_a_transaction_commits_with_it():
    with contextlib.suppress(ValueError), transaction.atomic():
        assert len(ask(*news(3))) == 3
        raise ValueError
    assert not Job.objects.exists()


def test_a_large_bulk_is_done_in_parts_and_its_turns_go_on():
    assert len(ask(*news(1200))) == 1200
    vturns = list(Job.objects.order_by("id").values_list("vturn", flat=True))
    assert vturns[-1] - vturns[0] == timedelta(minutes=1199)


def test_a_large_bulk_in_a_transaction_waits_for_its_commit():
    with transaction.atomic():
        assert ask(*news(501)) == []
        assert not Job.objects.exists()
    assert Job.objects.count() == 501


def test_a_large_bulk_in_a_transaction_that_is_undone_never_happens():
    with contextlib.suppress(ValueError), transaction.atomic():
        ask(*news(501))
        raise ValueError
    assert not Job.objects.exists()

"""The bounds of a short transaction hold inside it, and inside the caller's own transaction no longer than that."""

import contextlib

import pytest
from django.db import transaction

from jobs import api, sql
from jobs.transitions import control
from tests.jobs.rows import enqueue

pytestmark = pytest.mark.usefixtures("queue")


def bounds():
    found = sql.row(sql.BOUNDS_NOW)
    return found["idle"], found["lock"]


def test_a_short_transaction_has_its_bounds_and_the_session_keeps_none():
    before = bounds()
    with sql.short_transaction(lock_ms=200):
        assert bounds() == ("15s", "200ms")
    assert bounds() == before


@pytest.mark.parametrize("fails", [False, True])
def test_inside_the_callers_transaction_the_callers_bounds_hold_again(fails):
    with transaction.atomic():
        sql.run("SET LOCAL lock_timeout = '7s'")
        before = bounds()
        with contextlib.suppress(ZeroDivisionError), sql.short_transaction(lock_ms=200):
            assert bounds() == ("15s", "200ms")
            assert not fails or 1 / 0
        assert bounds() == before


def test_what_the_face_offers_leaves_the_callers_bounds_alone():
    job = enqueue("1")[0].id
    with transaction.atomic():
        before = bounds()
        api.promote(job, by="staff")
        control.stop(job, by="ana")
        control.retry(job, by="ana")
        api.enqueue("plain", "ana", "1", fingerprint="f2")
        api.enqueue_many("plain", [api.New(owner="ana", subject="2")])
        api.watch(job, "7")
        assert bounds() == before

"""What a handler gets: the fenced door to the database, its items, and its progress."""

import contextlib
from functools import partial

import pytest
from django.db import connection

from jobs import api
from jobs.models import Item, Job, Lane, Progress
from jobs.worker.lease import Lease
from jobs.worker.run import Run
from tests.jobs.rows import end, row, started, status, take
from tests.jobs.sessions import aside

pytestmark = pytest.mark.usefixtures("queue")


class Ended:
    """A lease whose time is over."""

    value = 0.0


def lost():
    """Return the run of a job that somebody else has taken over."""
    job = started("items", items=["a"])
    end(job, "drained")
    take()
    return Run(job)


def test_what_is_saved_commits_together():
    run = Run(started())
    with contextlib.suppress(ZeroDivisionError), run.save():
        Lane.objects.create(key="half")
        raise ZeroDivisionError
    with run.save():
        Lane.objects.create(key="whole")
    assert list(Lane.objects.values_list("key", flat=True)) == ["whole"]


def test_who_has_lost_the_job_saves_nothing():
    with pytest.raises(api.Fenced, match="ended or taken over; nothing was written"), lost().save():
        Lane.objects.create(key="late")
    assert not Lane.objects.exists()


def test_who_has_lost_the_job_neither_begins_an_item_nor_tells_progress():
    run = lost()
    run.progress(1, 1)
    assert list(run.items()) == []
    assert not Progress.objects.exists()
    assert Item.objects.get().status == "pending"


def test_without_a_lease_nothing_is_saved():
    with pytest.raises(api.Fenced, match="lease of this worker has run out"), Run(started(), Lease(Ended())).save():
        pytest.fail("It began.")


def test_a_lease_that_ends_while_saving_undoes_what_was_saved():
    class Shared:
        value = float("inf")

    run = Run(started(), Lease(shared := Shared()))
    with contextlib.suppress(api.Fenced), run.save():
        Lane.objects.create(key="late")
        shared.value = 0.0
    assert not Lane.objects.exists()


def test_a_rescue_waits_for_a_save_and_the_next_save_finds_it():
    job = started()
    run = Run(job)
    with run.save():
        stopped = aside(partial(api.ticket_of, job.id))
        assert stopped.status == "running"
    end(job, "crashed")
    with pytest.raises(api.Fenced), run.save():
        pytest.fail("It began.")


def test_a_run_that_must_end_meets_it_at_its_next_check():
    run = Run(started())
    run.check()
    run.end_early("stop")
    with pytest.raises(api.Stopped):
        run.check()


def test_a_run_without_a_lease_meets_it_at_its_next_check():
    with pytest.raises(api.Stopped):
        Run(started(), Lease(Ended())).check()


def test_items_are_worked_on_in_order_and_say_what_became_of_them():
    job = started("items", items=["a", "b", "c", "d"])
    run = Run(job)
    for item, act in zip(run.items(), ("ok", "fail", "partial", "skip"), strict=True):
        with run.save():
            getattr(item, act)(*() if act == "ok" else ("Because.",))
    assert list(Item.objects.order_by("position").values_list("key", "status", "error")) == [
        ("a", "ok", ""),
        ("b", "failed", "Because."),
        ("c", "partial", "Because."),
        ("d", "skipped", "Because."),
    ]
    assert not Item.objects.filter(ended_at=None).exists()


def test_items_may_be_added_on_the_way_and_each_once():
    run = Run(started("items", items=["a"]))
    seen = []
    for item in run.items():
        seen.append(item.key)
        with run.save():
            run.add_items(["b", "a", "c", "b"])
            item.ok()
    assert seen == ["a", "b", "c"]


def test_the_text_and_the_result_of_an_item_are_cut_and_clean():
    run = Run(started("items", items=["a", "b"]))
    first, second = run.items()
    with run.save():
        first.fail("\x00" + "x" * 600)
    assert len(Item.objects.get(key="a").error) == 500
    with pytest.raises(api.TooLarge, match="The result of an item"), run.save():
        second.ok({"value": float("nan")})


def test_progress_is_told_at_most_twice_a_second_and_the_last_always():
    job = started()
    run = Run(job)
    for done in range(100):
        run.progress(done, 100)
    assert Progress.objects.get(job=job.id).done == 0
    run.progress(100, 100, "x" * 300)
    assert (Progress.objects.get(job=job.id).done, len(Progress.objects.get(job=job.id).note)) == (100, 200)


def test_progress_counts_more_bytes_than_an_integer_holds():
    run = Run(started())
    run.progress(5 * 2**30, 8 * 2**30)
    assert Progress.objects.values_list("done", "total").get() == (5 * 2**30, 8 * 2**30)


def test_progress_touches_no_row_that_an_index_holds():
    job = started()
    from jobs import sql

    version = sql.row("SELECT xmin::text AS v FROM jobs_job WHERE id = %(id)s", id=job.id)
    Run(job).progress(1, 1)
    assert sql.row("SELECT xmin::text AS v FROM jobs_job WHERE id = %(id)s", id=job.id) == version


def test_an_abort_is_called_when_the_run_must_end():
    heard = []
    run = Run(started("pooled"))
    with run.call(timeout=5) as call:
        call.on_abort(lambda: heard.append("shut"))
        run.end_early("stop")
    assert heard == ["shut"]


def test_a_handler_that_saved_its_fingerprint_is_known_by_it():
    job = started(fingerprint="f1")
    with Run(job).save(fingerprint="f9"):
        pass
    end(job)
    assert (status(job), row(job).fingerprint) == ("succeeded", "f9")
    assert Job.objects.count() == 1


@pytest.mark.parametrize("after", [False, True], ids=["before it is written", "while it is written"])
def test_what_is_kept_outlasts_a_lost_session(after):
    run, tries = Run(started()), []

    def act():
        tries.append(Lane.objects.get_or_create(key="kept") if after else None)
        if len(tries) == 1:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        Lane.objects.get_or_create(key="kept")

    run.keep(act)
    assert len(tries) == 2
    assert Lane.objects.get().key == "kept"


def test_what_nobody_may_write_is_not_tried_again():
    with pytest.raises(api.Fenced):
        lost().keep(lambda: Lane.objects.create(key="never"))
    assert not Lane.objects.exists()

"""Watches: an open screen puts its job first, a closed one lets it fall back."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from jobs import api, sql
from jobs.models import Job, Watch
from jobs.transitions import sweep, watches
from tests.jobs.rows import end, enqueue, row, started, status, take
from tests.jobs.sessions import aside

pytestmark = pytest.mark.usefixtures("queue")


def watched(subject="1", *, user="7", **options):
    return api.enqueue("plain", "ana", subject, watch=user, **options)


def expire(**which):
    Watch.objects.filter(**which).update(until="2020-01-01T00:00Z")
    sweep.quick()


def test_a_watched_job_goes_first():
    enqueue("a", "b")
    ticket = watched()
    assert take().id == ticket.id


def test_watched_jobs_go_in_the_order_in_which_they_were_opened():
    first, second = watched("1", user="7"), watched("2", user="8")
    assert [take().id, take().id] == [first.id, second.id]


def test_a_watch_lasts_for_its_time(tune):
    tune(WATCH_SECONDS=30)
    ticket = watched()
    left = Watch.objects.get(job=ticket.id).until - row(ticket).turn
    assert left == pytest.approx(timedelta(seconds=30), abs=timedelta(seconds=1))


def test_when_its_watch_ends_a_job_falls_back_to_the_turn_it_had():
    first, ticket = enqueue("a", "1")
    turn = row(ticket).turn
    watched()
    expire()
    assert (row(ticket).band, row(ticket).promoted, row(ticket).turn) == (1, "", turn)
    assert take().id == first.id


def test_a_job_stays_first_while_one_of_two_screens_is_open():
    ticket = watched(user="7")
    watched(user="8")
    expire(user="7")
    assert row(ticket).band == 0
    expire(user="8")
    assert row(ticket).band == 1


def test_in_its_lane_a_watched_job_becomes_the_head_and_falls_back():
    first, second = enqueue("1", "2", kind="lined")
    api.watch(second.id, "7")
    assert [status(first), status(second)] == ["waiting", "ready"]
    expire()
    assert [status(first), status(second)] == ["ready", "waiting"]


def test_the_end_of_a_watch_takes_no_promotion_by_staff():
    ticket = watched()
    api.promote(ticket.id, by="staff")
    expire()
    assert (row(ticket).band, row(ticket).promoted) == (0, "staff")


def test_a_running_job_is_watched_and_does_not_fall_back():
    job = started(watch="7")
    expire()
    assert (row(job).band, status(job)) == (0, "running")


def test_a_job_that_runs_again_unwatched_falls_back():
    job = started(watch="7")
    expire()
    end(job, "drained")
    sweep.quick()
    assert row(job).band == 1


def test_a_finished_job_is_not_watched():
    job = started()
    end(job)
    assert api.watch(job.id, "7") is False
    assert not Watch.objects.exists()


# at most three a user


def test_a_users_fourth_screen_lets_the_oldest_fall_back(tune):
    tune(WATCHES_PER_USER=3)
    tickets = [watched(str(number)) for number in range(4)]
    assert [row(ticket).band for ticket in tickets] == [1, 0, 0, 0]


def test_the_oldest_is_the_one_whose_last_poll_is_longest_ago(tune):
    tune(WATCHES_PER_USER=2)
    first, second = watched("1"), watched("2")
    Watch.objects.filter(job=second.id).update(until="2030-01-01T00:00Z")
    Watch.objects.filter(job=first.id).update(until="2031-01-01T00:00Z")
    watched("3")
    assert [row(first).band, row(second).band] == [0, 1]


def test_a_job_that_somebody_else_watches_counts_too(tune):
    """Nothing is promoted by this watch, and yet the user has one more."""
    tune(WATCHES_PER_USER=2)
    first, second = watched("1"), watched("2")
    theirs = watched("3", user="8")
    watched("3")
    assert [row(first).band, row(second).band, row(theirs).band] == [1, 0, 0]


def test_a_job_that_falls_back_for_one_user_stays_first_for_another(tune):
    tune(WATCHES_PER_USER=1)
    shared = watched("1", user="8")
    watched("1", user="7")
    watched("2", user="7")
    assert row(shared).band == 0


def test_running_jobs_and_those_that_staff_promoted_do_not_count(tune):
    tune(WATCHES_PER_USER=2)
    started("plain", "1", watch="7")
    promoted = watched("2")
    api.promote(promoted.id, by="staff")
    tickets = [watched("3"), watched("4")]
    assert [row(ticket).band for ticket in (promoted, *tickets)] == [0, 0, 0]


# polls


@pytest.mark.parametrize(("left_s", "extended"), [(16, False), (14, True), (-1, True)])
def test_a_poll_extends_the_watch_when_half_of_it_is_spent(tune, left_s, extended):
    tune(WATCH_SECONDS=30)
    watched()
    sql.run("UPDATE jobs_watch SET until = clock_timestamp() + make_interval(secs => %(s)s)", s=left_s)
    before = Watch.objects.get().until
    watched()
    assert (Watch.objects.get().until > before) is extended


def test_a_poll_after_the_watch_ended_promotes_again():
    ticket = watched()
    expire()
    assert row(ticket).band == 1
    watched()
    assert row(ticket).band == 0


def test_a_look_with_a_watch_keeps_the_job_first_and_asks_for_nothing():
    ticket = enqueue("1")[0]
    looked = api.ticket("plain", "ana", "1", watch="7")
    assert (looked.id, row(ticket).band) == (ticket.id, 0)
    assert looked.position == 1
    assert api.ticket("plain", "ana", "other", watch="7") is None
    end(take())
    assert api.ticket("plain", "ana", "1", watch="7").is_finished
    assert Job.objects.count() == 1


def test_the_first_to_watch_decides_the_turn():
    ticket = watched(user="7")
    turn = row(ticket).turn
    watched(user="8")
    assert row(ticket).turn == turn


def test_what_a_process_left_promoted_without_a_watch_falls_back():
    ticket = watched()
    Watch.objects.all().delete()
    sweep.quick()
    assert row(ticket).band == 1


def test_what_cannot_be_done_now_is_left_to_the_next_poll(caplog):
    def locked():
        raise OperationalError("canceling statement due to lock timeout")

    watches.quietly(locked)
    assert "job.attend_later why=OperationalError" in caplog.text


def test_extending_a_watch_is_one_statement_and_no_transaction():
    ticket = watched()
    with CaptureQueriesContext(connection) as sent:
        api.watch(ticket.id, "7")
    assert len(sent) == 1


def test_a_watch_waits_for_no_lock_above_its_bound():
    """A save holds the job that is to be promoted; the next poll does it."""
    job = started()
    Job.objects.filter(pk=job.id).update(band=1)
    sql.run("INSERT INTO jobs_watch (job, \"user\", until) VALUES (%(job)s, '7', clock_timestamp())", job=job.id)
    with transaction.atomic():
        Watch.objects.select_for_update().get(job=job.id)
        with pytest.raises(OperationalError, match="lock timeout"):
            aside(lambda: watches.watch(job.id, "7"))


def test_the_bound_of_a_watch_ends_with_it():
    ticket = watched()
    api.watch(ticket.id, "7")
    assert sql.row(sql.BOUNDS_NOW)["lock"] == "0"
    with transaction.atomic():
        api.watch(ticket.id, "7")
        assert sql.row(sql.BOUNDS_NOW)["lock"] == "0"

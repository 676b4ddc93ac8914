"""The clock's functions only enqueue, and a tick that comes twice enqueues once."""

import threading

import pytest
from django.db import connection

from coach import schedules
from jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_tick_that_two_clocks_give_at_once_enqueues_once():
    barrier = threading.Barrier(4)

    def tick():
        barrier.wait()
        schedules.morning()
        connection.close()

    clocks = [threading.Thread(target=tick) for _ in range(4)]
    for clock in clocks:
        clock.start()
    for clock in clocks:
        clock.join()
    assert Job.objects.filter(kind=schedules.PREFETCH).count() == 1


def test_the_schedule_is_created_by_migrate_and_not_twice():
    from django_q.models import Schedule

    schedules.create()
    assert list(Schedule.objects.values_list("name", "func")) == [("morning", "coach.schedules.morning")]

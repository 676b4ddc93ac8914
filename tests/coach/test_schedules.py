"""The clock's functions only enqueue, and each tick enqueues once: whoever gives it, how often, and in what season."""

import threading
from datetime import UTC, datetime, timedelta
from importlib import import_module
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from coach import schedules
from jobs import testing
from jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)

BERLIN = ZoneInfo("Europe/Berlin")
SPRING = datetime(2026, 3, 29, 0, tzinfo=UTC)  # 02:00 +01:00 becomes 03:00 +02:00 at 01:00 UTC
AUTUMN = datetime(2026, 10, 25, 0, tzinfo=UTC)  # 03:00 +02:00 becomes 02:00 +01:00 at 01:00 UTC


class Clock:
    """The clock on the wall of this process, moved by hand, with the scheduler of django-q2 that goes by it."""

    def __init__(self, monkeypatch, settings, *, zone):
        from django_q.conf import Conf
        from django_q.models import Schedule

        self.now = SPRING
        monkeypatch.setattr(timezone, "now", lambda: self.now)
        monkeypatch.setattr(Conf, "TIME_ZONE", settings.Q_CLUSTER["time_zone"])
        settings.TIME_ZONE = zone
        Schedule.objects.exclude(name="morning").delete()
        self.schedule = Schedule.objects.get(name="morning")

    def plan(self, kind, **how):
        """Let the schedule be of this type, next due at its first moment from now."""
        from django_q.models import Schedule

        due = how.pop("due", None)
        Schedule.objects.filter(pk=self.schedule.pk).update(schedule_type=kind, next_run=due, **how)
        self.schedule.refresh_from_db()
        if due is None:
            Schedule.objects.filter(pk=self.schedule.pk).update(next_run=self.schedule.calculate_next_run())

    def tick(self, *, clusters=2):
        """Have so many clusters look at the same instant for what is due."""
        barrier = threading.Barrier(clusters)

        def cluster():
            barrier.wait()
            import_module("django_q.scheduler").scheduler()
            connection.close()

        threads = [threading.Thread(target=cluster) for _ in range(clusters)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def live(self, hours, *, step_min=10):
        """Let hours pass; whatever is ticked is delivered twice, and run."""
        end = self.now + timedelta(hours=hours)
        while self.now < end:
            self.tick()
            deliver(times=2)
            testing.run_due()
            self.now += timedelta(minutes=step_min)


def deliver(*, times=1):
    """Do what django-q2's worker does with each package; a cluster that dies before it has said so does it again."""
    from django.utils.module_loading import import_string
    from django_q.models import OrmQ
    from django_q.signing import SignedPackage

    for package in OrmQ.objects.order_by("id"):
        task = SignedPackage.loads(package.payload)
        for _ in range(times):
            import_string(task["func"])(*task["args"], **task["kwargs"])
        package.delete()


def ticked():
    """Return the local times of the jobs that were enqueued, in order."""
    found = Job.objects.filter(kind=schedules.PREFETCH).order_by("id").values_list("fingerprint", flat=True)
    return [fingerprint.removeprefix("morning ") for fingerprint in found]


@pytest.fixture
def clock(monkeypatch, settings, request):
    schedules.create()
    Job.objects.all().delete()
    return Clock(monkeypatch, settings, zone=getattr(request, "param", "Europe/Berlin"))


HOURLY = {
    SPRING: ["01:30:00+01:00", "03:30:00+02:00", "04:30:00+02:00"],
    AUTUMN: ["02:30:00+02:00", "02:30:00+01:00", "03:30:00+01:00"],
}


@pytest.mark.parametrize("night", [SPRING, AUTUMN], ids=["spring", "autumn"])
@pytest.mark.parametrize("how", ["cron", "hourly", "minutes"])
def test_each_hour_of_the_night_in_which_the_clocks_change_is_enqueued_once(clock, night, how):
    """Half past two comes never or twice."""
    clock.now = night
    due = night + timedelta(minutes=30)
    match how:
        case "cron":
            clock.plan("C", cron="30 * * * *")
        case "hourly":
            clock.plan("H", due=due)
        case "minutes":
            clock.plan("I", minutes=60, due=due)
    clock.live(3)
    assert ticked() == [f"{night:%Y-%m-%d}T{time}" for time in HOURLY[night]]


@pytest.mark.parametrize("night", [SPRING, AUTUMN], ids=["spring", "autumn"])
@pytest.mark.parametrize("how", ["cron", "daily"])
def test_what_is_due_once_a_day_is_enqueued_once_a_day(clock, night, how):
    clock.now = night - timedelta(days=1)
    if how == "cron":
        clock.plan("C", cron="30 0 * * *")
    else:
        clock.plan("D", due=clock.now + timedelta(minutes=30))
    clock.live(72, step_min=25)
    days = [night + timedelta(days=day, minutes=30) for day in (-1, 0, 1)]
    assert ticked() == [day.astimezone(BERLIN).isoformat() for day in days]


def test_a_clock_that_is_set_back_enqueues_no_tick_again(clock):
    clock.now = AUTUMN
    clock.plan("C", cron="*/20 * * * *")
    clock.live(2)
    before = ticked()
    clock.now -= timedelta(hours=1)
    clock.live(1)
    assert ticked() == before
    assert len(set(before)) == len(before) == 5


def test_a_schedule_that_is_set_back_enqueues_no_tick_again(clock):
    """As when the row comes out of a backup, or a cluster dies between its tick and its commit."""
    from django_q.models import Schedule

    clock.now = AUTUMN
    clock.plan("H", due=AUTUMN + timedelta(minutes=30))
    clock.live(2)
    before = ticked()
    Schedule.objects.update(next_run=AUTUMN + timedelta(minutes=30))
    clock.live(0.5)
    assert ticked() == before
    clock.live(1)
    assert len(ticked()) == len(before) + 1


def test_an_old_tick_that_is_delivered_after_a_newer_one_enqueues_nothing():
    for nominal in ("2026-10-25T00:30:00+00:00", "2026-10-25T01:30:00+00:00", "2026-10-25T00:30:00+00:00"):
        schedules.morning(nominal=nominal)
        testing.run_due()
    assert len(ticked()) == 2


def test_an_old_tick_that_is_delivered_while_a_newer_one_waits_takes_no_wish_back():
    for hour in (1, 2, 3, 2):
        schedules.morning(nominal=f"2026-10-25T0{hour}:00:00+00:00")
    assert Job.objects.get().wanted_fingerprint.endswith("2026-10-25T03:00:00+00:00")


def test_two_ticks_of_one_day_are_two():
    for nominal in ("2026-11-30T05:00:00+00:00", "2026-11-30T17:00:00+00:00"):
        schedules.morning(nominal=nominal)
        testing.run_due()
    assert len(ticked()) == 2


def test_a_tick_that_does_not_say_when_it_was_due_counts_by_the_minute(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for _ in range(2):
        schedules.morning()
        testing.run_due()
    assert len(ticked()) == 1


def test_a_tick_after_somebody_else_asked_for_the_job_is_enqueued():
    from jobs import api

    api.enqueue(schedules.PREFETCH, "", "morning", fingerprint="by hand")
    testing.run_due()
    schedules.morning(nominal="2026-11-30T05:00:00+00:00")
    assert len(ticked()) == 2


def test_a_tick_that_four_clocks_give_at_once_enqueues_once():
    barrier = threading.Barrier(4)

    def tick():
        barrier.wait()
        schedules.morning(nominal="2026-11-30T05:00:00+00:00")
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
    assert sorted(Schedule.objects.values_list("name", "func")) == [
        ("morning", "coach.schedules.morning"),
        ("sweep", "coach.schedules.sweep"),
        ("watch", "coach.schedules.watch"),
    ]


def test_schedules_of_an_older_release_learn_to_say_when_they_were_due():
    from django_q.models import Schedule

    schedules.create()
    Schedule.objects.update(intended_date_kwarg=None, cron="0 6 * * *")
    schedules.create()
    assert set(Schedule.objects.values_list("intended_date_kwarg", "cron")) == {("nominal", "0 6 * * *")}

"""The stored sums of each day are what its sessions add up to, however these come, change and go."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DataError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from coach import remarks, settling, thresholds, training_days
from coach.models import Activity, Athlete, Threshold, TrainingDay
from jobs import testing
from tests import factories
from tests.coach.outings import NOON, gpx, hand_in
from tests.coach.test_migrations import migrate, newest
from tests.coach.test_undo_of_anything import act
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)
DAY = date(2026, 5, 1)
WAYS = ("power", "pace", "heart_rate", "effort", "estimate")
BEFORE = ("coach", "0012_what_models_cost_and_keep_to")


@pytest.fixture(autouse=True)
def data_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA = tmp_path


@pytest.fixture
def ana() -> Athlete:
    return factories.athlete()


def added_up(owner: Athlete) -> dict[date, list[float]]:
    """Add the sessions up, one after the other."""
    days: dict[date, list[float]] = {}
    for row in Activity.objects.filter(athlete=owner):
        if not row.is_ignored:
            sums = days.setdefault(row.local_date, [0.0] * (3 + len(WAYS)))
            parts = [row.load if row.load_from == way else 0.0 for way in WAYS]
            for place, value in enumerate([1, row.timer_s, row.load, *parts]):
                sums[place] += value
    return days


def stored(owner: Athlete) -> dict[date, list[float]]:
    columns = ["sessions", "timer_s", "load", *(f"load_{way}" for way in WAYS)]
    rows = TrainingDay.objects.filter(athlete=owner).values_list("local_date", *columns)
    return {day: list(map(pytest.approx, values)) for day, *values in rows}


def say_something(owner: Athlete, dice: random.Random) -> None:
    rows = list(Activity.objects.filter(athlete=owner).order_by("pk"))
    if rows:
        said = {
            "is_ignored": dice.random() < 0.5, "effort": dice.choice((None, 2, 9)), "is_race": dice.random() < 0.5,
            "distance_m": dice.choice((None, 2500.0)),
        }  # fmt: skip
        field = dice.choice(list(said))
        remarks.say(owner, dice.choice(rows).pk, {field: said[field]})


def set_a_threshold(owner: Athlete, dice: random.Random) -> None:
    value, since = dice.choice((240.0, 300.0, 360.0)), DAY + timedelta(days=dice.choice((-1, 0, 1)))
    kind = Threshold.Kind.PACE
    Threshold.objects.update_or_create(athlete=owner, kind=kind, valid_from=since, defaults={"value": value})
    thresholds.changed(owner)
    testing.run_due()


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(3, 12))])
def test_after_whatever_the_athlete_does_each_day_is_what_its_sessions_add_up_to(ana: Athlete, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(20):
        dice.choices((act, say_something, set_a_threshold), (5, 3, 1))[0](ana, dice)
        assert stored(ana) == added_up(ana)


def test_a_session_that_moves_to_another_day_or_athlete_or_is_ignored_leaves_the_first(ana: Athlete) -> None:
    row, ben = factories.activity(ana, DAY, load=50), factories.athlete("ben")
    Activity.objects.filter(pk=row.pk).update(local_date=DAY + timedelta(days=1))
    assert stored(ana) == added_up(ana) == {DAY + timedelta(days=1): [1, 3600, 50, 50, 0, 0, 0, 0]}
    Activity.objects.filter(pk=row.pk).update(athlete=ben)
    assert (stored(ana), stored(ben)) == ({}, added_up(ben))
    Activity.objects.filter(pk=row.pk).update(is_ignored=True)
    assert stored(ben) == {}


def test_what_changes_no_sum_waits_for_nobody(ana: Athlete) -> None:
    row = factories.activity(ana, DAY)
    with holding(ana):
        Activity.objects.filter(pk=row.pk).update(note="Windy", load=row.load)


def test_many_at_once_are_each_counted(ana: Athlete) -> None:
    made = [factories.activity(ana, DAY + timedelta(days=number % 7), load=number) for number in range(30)]
    Activity.objects.filter(pk__in=[row.pk for row in made[:20]]).update(load_from="pace")
    assert stored(ana) == added_up(ana)
    Activity.objects.filter(pk__in=[row.pk for row in made[10:]]).delete()
    assert stored(ana) == added_up(ana)


# Two at once


@contextmanager
def holding(owner: Athlete) -> Iterator[None]:
    """Hold the athlete, as an import does, in a transaction of somebody else."""
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            settling.lock(owner)
            held.set()
            over.wait(30)

    with beside(hold):
        assert held.wait(30)
        try:
            yield
        finally:
            over.set()


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[threading.Thread]:
    """Do something on a connection of its own; what goes wrong there goes wrong here at the end."""
    wrong: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            wrong.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(60)
    assert not thread.is_alive()
    assert wrong == []


def somebody_waits() -> bool:
    """Say whether another connection waits for this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


def test_two_who_write_on_one_day_are_both_counted(ana: Athlete) -> None:
    factories.source(ana)

    def other() -> None:
        factories.activity(ana, DAY, load=30)

    with ExitStack() as stack, transaction.atomic():
        factories.activity(ana, DAY, load=20)
        stack.enter_context(beside(other))
        until(somebody_waits, what="the other waits for this one")
    assert stored(ana) == added_up(ana) == {DAY: [2, 7200, 50, 50, 0, 0, 0, 0]}


def test_two_who_begin_at_the_same_moment_are_both_counted(ana: Athlete) -> None:
    factories.source(ana)
    gate = threading.Barrier(2, timeout=30)

    def write(load: float) -> None:
        for number in range(10):
            gate.wait()
            with transaction.atomic():
                row = factories.activity(ana, DAY, load=load)
                if number % 3 == 2:
                    row.delete()

    with beside(lambda: write(20)):
        write(30)
    assert stored(ana) == added_up(ana)


def test_who_measures_again_waits_before_it_holds_a_session(ana: Athlete) -> None:
    """Else it would hold the session that who has the athlete wants next, and each would wait for the other."""
    hand_in(ana, ("run.gpx", gpx(NOON, seconds=1200)))
    Threshold.objects.create(athlete=ana, kind=Threshold.Kind.PACE, value=300, valid_from=date(2026, 4, 1))
    ticket = thresholds.changed(ana)
    with ExitStack() as stack, transaction.atomic():
        settling.lock(ana)
        stack.enter_context(beside(testing.run_due))
        until(somebody_waits, what="who measures waits")
        Activity.objects.update(load=1)
    assert thresholds.changed(ana).id == ticket.id
    assert Activity.objects.get().load != 1
    assert stored(ana) == added_up(ana)


# What was there before, and what went by the triggers


@pytest.fixture
def fill(monkeypatch: Any) -> Iterator[dict[str, Any]]:
    """Two athletes as a version without sums left them, and the names that the migration to come goes by."""
    newest_one = newest()
    models = migrate(BEFORE)
    for name in ("ana", "ben"):
        owner = models.get_model("coach", "Athlete").objects.create(
            user=models.get_model("auth", "User").objects.create(username=name)
        )
        for number in range(9):
            old_session(models, owner, DAY + timedelta(days=number // 2), load=number, is_ignored=number == 4)
    names = MigrationExecutor(connection).loader.get_migration("coach", "0013_training_days").operations
    found = next(each.code.__globals__ for each in names if hasattr(each, "code"))
    monkeypatch.setitem(found, "DAYS_AT_ONCE", 2)
    yield found
    migrate(newest_one)


def assert_all_are_summed_up() -> None:
    for owner in Athlete.objects.all():
        assert stored(owner) == added_up(owner)
    assert TrainingDay.objects.count() == 10


def test_days_of_before_are_summed_up_some_at_a_time(fill: dict[str, Any]) -> None:
    migrate(newest())
    assert_all_are_summed_up()


def test_a_migration_that_was_cut_off_begins_anew(fill: dict[str, Any], monkeypatch: Any) -> None:
    with monkeypatch.context() as cut:
        cut.setitem(fill, "SUM_DAYS", "SELECT coach_sum_days(%s, %s), 1 / (SELECT 4 - count(*) FROM coach_trainingday)")
        with pytest.raises(DataError):
            migrate(newest())
    migrate(newest())
    assert_all_are_summed_up()


def test_a_version_that_knows_no_sums_keeps_them_all_the_same(ana: Athlete) -> None:
    models = MigrationExecutor(connection).loader.project_state([BEFORE]).apps
    owner = models.get_model("coach", "Athlete").objects.get()
    one, other = (old_session(models, owner, DAY, load=load) for load in (10, 20))
    other.load = 30
    other.save()
    one.delete()
    assert stored(ana) == added_up(ana) == {DAY: [1, 60, 30, 0, 0, 0, 0, 30]}
    models.get_model("auth", "User").objects.all().delete()
    assert not TrainingDay.objects.exists()


def old_session(models: Any, owner: Any, day: date, **values: Any) -> Any:
    known = {"started_at": NOON, "time_zone": "UTC", "sport": "running", "timer_s": 60, "moving_s": 60, "elapsed_s": 60}
    return models.get_model("coach", "Activity").objects.create(athlete=owner, local_date=day, **{**known, **values})


def test_days_that_differ_are_found_and_put_right(ana: Athlete) -> None:
    for number in range(4):
        factories.activity(ana, DAY + timedelta(days=number))
    TrainingDay.objects.filter(local_date=DAY).delete()
    TrainingDay.objects.filter(local_date=DAY + timedelta(days=1)).update(load=1)
    TrainingDay.objects.create(athlete=ana, local_date=DAY - timedelta(days=1), sessions=1)
    said = StringIO()
    call_command("recount", stdout=said)
    assert said.getvalue().splitlines()[0] == "ana: 3 put right, 2026-04-30 to 2026-05-02"
    assert stored(ana) == added_up(ana)
    assert training_days.mend(ana) == []


def test_measuring_history_again_puts_days_right(ana: Athlete) -> None:
    factories.activity(ana, DAY)
    TrainingDay.objects.update(load=1)
    thresholds.changed(ana)
    testing.run_due()
    assert stored(ana) == added_up(ana)

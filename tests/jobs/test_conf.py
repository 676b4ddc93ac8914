"""The settings of the queue, their defaults, and what the system checks say of mistakes."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from psycopg import IsolationLevel

from jobs import __version__, checks
from jobs.conf import Conf, code, conf
from jobs.models import Pool

DEFAULTS = {
    "POLL_SECONDS": 2, "ENABLED": True, "MAX_ATTEMPTS": 3, "COOLDOWN_SECONDS": 30 * 60,
    "CLAIM_TIMEOUT_SECONDS": 20 * 60,
    "HEARTBEAT_SECONDS": 10, "SELF_KILL_SECONDS": 35, "RESCUE_SECONDS": 45, "STOP_GRACE_SECONDS": 10,
    "DRAIN_GRACE_SECONDS": 30, "SPACING_SECONDS": 60, "AGEING_SECONDS": 180, "PATIENCE_SECONDS": 30 * 60,
    "WATCH_SECONDS": 30, "WATCHES_PER_USER": 3, "BACKOFF_SECONDS": (60, 300, 1200), "CRASHES": 2,
    "DOWN_SECONDS": 30, "DOWN_MOST_SECONDS": 15 * 60, "KEEP_JOBS_DAYS": 30, "KEEP_ATTEMPTS_DAYS": 90,
}  # fmt: skip


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_default_is_as_documented(name):
    assert getattr(Conf(), name) == DEFAULTS[name]


def test_settings_go_before_the_defaults(tune):
    tune(SPACING_SECONDS=7)
    assert (conf().SPACING_SECONDS, conf().AGEING_SECONDS) == (7, 180)


def test_the_code_of_a_worker_is_told_with_its_revision_where_one_is_known(tune):
    tune(REVISION="")
    assert code() == __version__
    tune(REVISION="8dbf5550c1d2")
    assert code() == f"{__version__}, revision 8dbf5550c1d2"
    tune(REVISION="r" * 200)
    assert len(code()) == 64


def test_a_project_without_settings_has_the_defaults(settings):
    del settings.JOBS
    assert conf() == Conf()


def test_a_setting_that_does_not_exist_is_a_mistake(tune):
    tune(SPACING=7)
    with pytest.raises(TypeError, match="SPACING"):
        conf()


# checks


def ids(messages):
    return [message.id for message in messages]


def test_the_settings_of_this_project_make_sense():
    assert checks.settings_make_sense() == []


@pytest.mark.parametrize(
    "times",
    [
        {"HEARTBEAT_SECONDS": 35, "SELF_KILL_SECONDS": 35, "RESCUE_SECONDS": 45},
        {"HEARTBEAT_SECONDS": 10, "SELF_KILL_SECONDS": 45, "RESCUE_SECONDS": 45},
    ],
)
def test_the_times_of_the_lease_must_be_in_order(tune, times):
    tune(**times)
    assert ids(checks.settings_make_sense()) == ["jobs.E001"]


def test_a_kind_must_name_a_declared_pool(tune):
    tune(POOLS={"wide": {"capacity": 1, "gap": 0}})
    assert "jobs.E002" in ids(checks.settings_make_sense())


def test_a_mistake_stops_the_commands(tune):
    tune(HEARTBEAT_SECONDS=100)
    with pytest.raises(SystemCheckError, match=r"jobs\.E001"):
        call_command("check")


@pytest.mark.parametrize(
    ("cluster", "zone", "found"),
    [
        ({"time_zone": "UTC"}, "Europe/Berlin", []),
        ({"time_zone": "Asia/Kolkata"}, "Europe/Berlin", []),
        ({}, "UTC", []),
        ({}, "Europe/Berlin", ["jobs.W002"]),
        ({"time_zone": "Australia/Lord_Howe"}, "UTC", ["jobs.W002"]),
    ],
)
def test_a_clock_that_goes_by_summer_time_is_told(settings, cluster, zone, found):
    settings.Q_CLUSTER, settings.TIME_ZONE = cluster, zone
    assert ids(checks.the_clock_knows_no_summer_time()) == found


def test_the_clock_of_this_project_knows_no_summer_time():
    assert checks.the_clock_knows_no_summer_time() == []


@pytest.mark.usefixtures("queue")
def test_the_database_of_the_tests_fits():
    assert checks.database_fits(databases=["default"]) == []


def test_a_project_without_time_zones_is_warned(settings):
    settings.USE_TZ = False
    assert ids(checks.settings_make_sense()) == ["jobs.W003"]


@pytest.mark.usefixtures("queue")
def test_no_database_asked_for_is_none_looked_at():
    assert checks.database_fits() == []


@pytest.mark.usefixtures("queue")
def test_a_pool_that_differs_from_the_settings_is_told():
    Pool.objects.filter(pk="wide").update(capacity=7)
    (warning,) = checks.database_fits(databases=["default"])
    assert warning.id == "jobs.W001"
    assert warning.msg == "Pool 'wide' is set to 7 seats and a gap of 0 s; the settings say 3 and 0 s."


@pytest.fixture
def options(queue):
    """Change OPTIONS of the database for this test; a session takes them when it is opened."""
    before = connection.settings_dict["OPTIONS"]

    def change(**values):
        connection.close()
        connection.settings_dict["OPTIONS"] = {**before, **values}

    yield change
    connection.close()
    connection.settings_dict["OPTIONS"] = before


@pytest.mark.parametrize("level", [IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE])
def test_another_isolation_level_in_options_is_a_mistake(options, level):
    options(isolation_level=level)
    assert ids(checks.database_fits(databases=["default"])) == ["jobs.E005"]


def test_another_isolation_level_of_the_session_is_a_mistake(options):
    options(options="-c default_transaction_isolation=serializable")
    assert ids(checks.database_fits(databases=["default"])) == ["jobs.E005"]


def test_values_bound_by_the_server_are_a_mistake(options):
    options(server_side_binding=True)
    assert ids(checks.database_fits(databases=["default"])) == ["jobs.E008"]


def test_read_committed_in_options_is_none(options):
    options(isolation_level=IsolationLevel.READ_COMMITTED)
    assert checks.database_fits(databases=["default"]) == []

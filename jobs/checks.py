"""Set-up mistakes, told before anything runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connections
from psycopg import IsolationLevel

from jobs.conf import conf
from jobs.registry import KINDS


@register(Tags.compatibility)
def settings_make_sense(**kwargs: Any) -> list[CheckMessage]:
    """The times of the lease must be ordered, or a living worker loses its jobs."""
    found: list[CheckMessage] = []
    now = conf()
    if not now.HEARTBEAT_SECONDS < now.SELF_KILL_SECONDS < now.RESCUE_SECONDS:
        found.append(
            Error(
                "JOBS: HEARTBEAT_SECONDS < SELF_KILL_SECONDS < RESCUE_SECONDS must hold.",
                hint="Otherwise a worker is rescued while it still works.",
                id="jobs.E001",
            )
        )
    if not settings.USE_TZ:
        found.append(
            checks.Warning(
                "USE_TZ is off: what tickets call UTC is then the time of TIME_ZONE.",
                hint="Set USE_TZ = True.",
                id="jobs.W003",
            )
        )
    for kind in KINDS.values():
        if isinstance(kind.pool, str) and kind.pool and kind.pool not in now.POOLS:
            found.append(
                Error(
                    f"Job kind {kind.name!r} names the pool {kind.pool!r}, which JOBS['POOLS'] lacks.",
                    id="jobs.E002",
                )
            )
        if isinstance(kind.pool, str) and kind.pool and kind.route and kind.pool not in kind.pools_in_order():
            found.append(
                Error(
                    f"Jobs of kind {kind.name!r} begin in the pool {kind.pool!r}, which is not on their route.",
                    hint="They would stay there while it is down. Leave out pool=, and they begin in the first of it.",
                    id="jobs.E007",
                )
            )
        for name in kind.pools_in_order():
            if name not in now.POOLS:
                found.append(
                    Error(
                        f"The route of job kind {kind.name!r} names the pool {name!r}, which JOBS['POOLS'] lacks.",
                        id="jobs.E006",
                    )
                )
    return found


@register(Tags.compatibility)
def the_clock_knows_no_summer_time(**kwargs: Any) -> list[CheckMessage]:
    """django-q2 compares two moments of the hour that comes twice by what the clock on the wall shows."""
    if not apps.is_installed("django_q"):
        return []
    zone = ZoneInfo(getattr(settings, "Q_CLUSTER", {}).get("time_zone", settings.TIME_ZONE))
    if len({datetime(2026, month, 1, tzinfo=zone).utcoffset() for month in range(1, 13)}) == 1:
        return []
    return [
        checks.Warning(
            f"The clock of django-q2 goes by {zone}, where it may stand still for an hour when summer time ends.",
            hint="Set Q_CLUSTER['time_zone'] to UTC.",
            id="jobs.W002",
        )
    ]


@register(Tags.database)
def database_fits(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """PostgreSQL 15 or newer, READ COMMITTED, pools as the settings declare them."""
    if not databases or "default" not in databases:
        return []
    connection = connections["default"]
    if connection.vendor != "postgresql":
        return [Error("The queue runs on PostgreSQL only.", id="jobs.E003")]
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('server_version_num')::int, current_setting('default_transaction_isolation')"
            )
            version, isolation = cursor.fetchone()
            asked = getattr(connection, "isolation_level", None)  # of OPTIONS: sent with each BEGIN, unseen by SHOW
    except DatabaseError:
        return []  # the database is away; migrate says so better
    found: list[CheckMessage] = []
    if version < 150000:
        found.append(Error("The queue needs PostgreSQL 15 or newer.", id="jobs.E004"))
    if isolation != "read committed" or asked not in (None, IsolationLevel.READ_COMMITTED):
        found.append(Error("The queue needs the isolation level READ COMMITTED.", id="jobs.E005"))
    if connection.settings_dict["OPTIONS"].get("server_side_binding"):
        found.append(
            Error(
                "The queue's statements need values bound by the client.",
                id="jobs.E008",
                hint="Leave server_side_binding out of the database's OPTIONS.",
            )
        )
    return found + _pools_differ()


def _pools_differ() -> list[CheckMessage]:
    from jobs.models import Pool

    try:
        rows = {pool.name: pool for pool in Pool.objects.all()}
    except DatabaseError:
        return []  # not migrated yet
    found: list[CheckMessage] = []
    for name, declared in conf().POOLS.items():
        pool = rows.get(name)
        if pool and (pool.capacity, pool.gap.total_seconds()) != (declared["capacity"], declared["gap"]):
            found.append(
                checks.Warning(
                    f"Pool {name!r} is set to {pool.capacity} seats and a gap of {pool.gap.total_seconds():g} s; "
                    f"the settings say {declared['capacity']} and {declared['gap']:g} s.",
                    hint="The database is the truth. `manage.py jobs pools --reset` takes the settings again.",
                    id="jobs.W001",
                )
            )
    return found

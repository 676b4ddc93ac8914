"""Where this database lives: a copy of one, restored elsewhere, begins with every pool paused.

What the copy says of calls, gaps and seats is of the past, and the original may still be at work: only staff know.
"""

from django.db import ProgrammingError

from jobs import events, sql
from jobs.transitions import audit, pools

COPIED = "restore"  # who paused the pools, in the audit

# A physical standby has the name of its original, so a fail-over pauses nothing.
CLUSTER = "SELECT system_identifier::text AS name FROM pg_control_system()"
DATABASE = "SELECT oid::text AS name FROM pg_database WHERE datname = current_database()"
FIRST = "INSERT INTO jobs_home (id, place) VALUES (1, %(place)s) ON CONFLICT (id) DO NOTHING"
MOVE = "UPDATE jobs_home SET place = %(place)s, since = clock_timestamp() WHERE place <> %(place)s"
TO_PAUSE = "SELECT name FROM jobs_pool WHERE NOT paused ORDER BY name"


def settle() -> list[str]:
    """Pause every pool of a database that has been somewhere else; return their names. Of two workers one does it."""
    with sql.short_transaction():
        place = _place()
        if sql.run(FIRST, place=place) or not sql.run(MOVE, place=place):
            return []
        names = [row["name"] for row in sql.rows(TO_PAUSE)]
        for name in names:
            pools.change(name, by=COPIED, paused=True)
        audit.write(COPIED, "database.restored", "database")
    events.log(events.RESTORED, pools=",".join(names) or "-")
    return names


def _place() -> str:
    try:
        with sql.short_transaction():
            cluster = sql.row(CLUSTER)
    except ProgrammingError:  # some hosts keep that from ordinary roles
        cluster = None
    return "/".join(row["name"] for row in (cluster, sql.row(DATABASE)) if row)

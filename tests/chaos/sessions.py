"""Sessions of other processes on the test database: counted, and ended as an administrator or a failover ends them."""

from collections.abc import Sequence

from jobs import sql

MINE = "datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
KILL = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {MINE} AND query LIKE %(like)s"  # noqa: S608
ALL = f"SELECT pid FROM pg_stat_activity WHERE {MINE}"  # noqa: S608
KILL_ONE = "SELECT pg_terminate_backend(%(pid)s)"
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


def end_sessions(like: str = "%") -> int:
    """End every other session whose last statement is like this; return how many."""
    return len(sql.rows(KILL, like=like))


def pids() -> Sequence[int]:
    return [row["pid"] for row in sql.rows(ALL)]


def end_session(pid: int) -> None:
    sql.rows(KILL_ONE, pid=pid)


def deadlocks() -> int:
    found = sql.row(DEADLOCKS)
    assert found is not None
    return int(found["deadlocks"])

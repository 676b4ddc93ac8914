"""Pools that the settings no longer name: what waits for one goes where its kind says now, not on for ever."""

import logging
from collections.abc import Mapping
from typing import Any

from jobs import events, sql
from jobs.conf import conf
from jobs.registry import KINDS, Kind
from jobs.transitions import routes

MOST = 500  # jobs a round and kind

# Pools that this code does not know and that no worker serves: one of another version may, while both are at work.
LEFT = f"""
SELECT p.name FROM jobs_pool p WHERE NOT p.name = ANY(%(declared)s::text[])
  AND NOT EXISTS ({routes.SERVING.format(pool="p.name")})
"""  # noqa: S608

QUEUED = """
SELECT j.id, j.owner, j.subject, p.args FROM (
    SELECT id, owner, subject FROM jobs_job
    WHERE status IN ('scheduled', 'waiting', 'ready') AND pool = %(pool)s AND kind = %(kind)s LIMIT %(most)s
) j LEFT JOIN jobs_payload p ON p.job = j.id
"""

# queued -> queued in another pool, with its turn; never one that runs.
MOVE = """
UPDATE jobs_job SET pool = %(target)s WHERE pool = %(source)s AND status IN ('scheduled', 'waiting', 'ready')
  AND id IN (SELECT id FROM jobs_job WHERE id = ANY(%(jobs)s) ORDER BY id FOR UPDATE SKIP LOCKED)
RETURNING id, lane, pool, kind, status
"""


def follow() -> int:
    """Move what waits for a pool that is no more; return how many jobs."""
    left = sql.rows(LEFT, declared=list(conf().POOLS), fresh=conf().RESCUE_SECONDS)
    return sum(_follow(kind, row["name"]) for row in left for kind in KINDS.values())


def _follow(kind: Kind, source: str) -> int:
    homes: dict[str, list[int]] = {}
    for job in sql.rows(QUEUED, pool=source, kind=kind.name, most=MOST):
        homes.setdefault(_home(kind, job), []).append(job["id"])
    known = ("", *conf().POOLS)
    return sum(
        routes.move(MOVE, kind.name, source, target, by="settings", jobs=jobs)
        for target, jobs in homes.items()
        if target in known
    )


def _home(kind: Kind, job: Mapping[str, Any]) -> str:
    """Return the pool that an enqueue would choose now; one that nobody declares where the product cannot say."""
    try:
        return kind.pool_of(job["owner"], job["subject"], sql.json_of(job["args"]) or {})
    except Exception as error:  # of the product: its job stays, and others do not suffer
        events.log(events.SWEEP_FAILED, logging.WARNING, kind=kind.name, why=type(error).__name__)
        return "?"

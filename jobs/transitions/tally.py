"""Counts the attempts that ended, five minutes at a time, so that no chart reads millions of rows."""

from jobs import sql

KEPT_DAYS = 8

# Counts anew from fifteen minutes before the last count: an attempt is seen only when its transaction has ended. What
# was counted stays so when its owner is forgotten. In order, for two may count at once.
COUNT = """
WITH span AS (
    SELECT date_bin('5 minutes', greatest((SELECT max(at) FROM jobs_tally) - interval '15 minutes',
                                          clock_timestamp() - make_interval(days => %(days)s)), 'epoch') AS since
)
INSERT INTO jobs_tally (at, kind, outcome, number, seconds)
SELECT date_bin('5 minutes', a.ended_at, 'epoch'), a.kind, a.outcome, count(*),
       sum(extract(epoch FROM a.ended_at - a.started_at))
FROM span JOIN jobs_attempt a ON a.ended_at >= span.since GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (at, kind, outcome) DO UPDATE SET number = excluded.number, seconds = excluded.seconds
WHERE jobs_tally.number < excluded.number
"""

FORGET = "DELETE FROM jobs_tally WHERE at < clock_timestamp() - make_interval(days => %(days)s)"


def count() -> int:
    """Bring the counts up to date; return how many of them changed."""
    return sql.run(COUNT, days=KEPT_DAYS)


def forget() -> int:
    return sql.run(FORGET, days=KEPT_DAYS)

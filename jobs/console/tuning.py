"""Changes a pool live and says what that changed and when it holds."""

from typing import Any

from jobs.console import history
from jobs.models import Audit, Pool
from jobs.transitions import pools


def change(pool: str, *, by: str, **wanted: Any) -> str:
    """Change capacity, gap_s or paused; return a sentence. Raises Pool.DoesNotExist."""
    if not pools.change(pool, by=by, **wanted):
        raise Pool.DoesNotExist(f"No pool is called {pool!r}.")
    return _said(pool, by)


def reset(pool: str, *, by: str) -> str:
    """Take the settings of a declared pool again; return a sentence. Raises KeyError for one that is not declared."""
    pools.reset(pool, by=by)
    return _said(pool, by)


def _said(pool: str, by: str) -> str:
    """Read what was changed from the audit, which was written under the pool's lock."""
    written = Audit.objects.filter(target=f"pool {pool}", action="pool.change", actor=by[:150]).latest("pk")
    old, new = written.old or {}, written.new or {}
    said = history.changes(written)
    if not said:
        return f"{pool}: nothing was changed."
    also = " Seats beyond that go as their calls end." if new["capacity"] < old["capacity"] else ""
    return f"{pool}: {said}. It holds from the next claim on, everywhere.{also}"

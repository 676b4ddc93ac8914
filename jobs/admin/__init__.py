"""The queue in Django's admin. Every change goes through a transition, never through a model's save."""

from jobs.admin import job, lane, pool, rows

__all__ = ["job", "lane", "pool", "rows"]

"""The queue's own kinds of jobs."""

from typing import Any

from jobs.console import every
from jobs.registry import job
from jobs.worker.run import Run


@job(every.KIND, label="A change of many jobs", timeout=6 * 3600)
def change_many(run: Run) -> dict[str, Any]:
    return every.work(run)

"""What a running job has logged so far."""

from jobs.models import Job
from jobs.transitions import live


def so_far(job: Job) -> str | None:
    """Return its newest lines; None when it does not run, or its slot does not answer."""
    if job.worker is None or job.slot is None or job.token is None:
        return None
    return live.lines(job.worker, job.slot, job.token)

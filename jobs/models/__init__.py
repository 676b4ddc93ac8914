"""The tables of the queue. Hot tables carry no foreign keys: a key check would lock the parent."""

from jobs.models.job import Attempt, Call, Item, Job, Payload, Progress, Status, Tally, Watch
from jobs.models.lane import Lane
from jobs.models.pool import Pool, Seat
from jobs.models.worker import Audit, Chore, Home, Idle, Worker

__all__ = [
    "Attempt",
    "Audit",
    "Call",
    "Chore",
    "Home",
    "Idle",
    "Item",
    "Job",
    "Lane",
    "Payload",
    "Pool",
    "Progress",
    "Seat",
    "Status",
    "Tally",
    "Watch",
    "Worker",
]

"""Two who delete spare seats at the same instant delete no more than the spare ones."""

import pytest

from jobs import sql
from jobs.models import Seat
from jobs.transitions import pools
from tests.jobs.sessions import in_step

pytestmark = pytest.mark.usefixtures("queue")

ROUNDS = 400
SPARE = "INSERT INTO jobs_seat (pool, free_at, why) SELECT 'gateway', clock_timestamp(), '' FROM generate_series(1, 3)"


def test_a_pool_keeps_as_many_seats_as_its_capacity():
    counts: list[int] = []

    def fill() -> None:
        counts.append(Seat.objects.filter(pool="gateway").count())
        sql.run(SPARE)

    def trim() -> None:
        pools.trim(["gateway"])

    def pause() -> None:
        """Take part in the step only."""

    in_step([fill, trim] * ROUNDS, [pause, trim] * ROUNDS, [pause, trim] * ROUNDS)
    assert min(counts) == 1, [count for count in counts if count != 1]

"""What every test may use: real processes of Coach against the test database."""

from collections.abc import Callable, Iterator

import pytest

from tests.processes import Worker


@pytest.fixture
def start_worker(transactional_db: None) -> Iterator[Callable[..., Worker]]:
    """Start `manage.py work` processes on the test database; they are ended with the test."""
    started: list[Worker] = []

    def start(**options: object) -> Worker:
        worker = Worker(**options)  # type: ignore[arg-type]
        started.append(worker)
        return worker

    yield start
    for worker in started:
        print(f"-- worker {worker.pid}\n{worker.log}")  # shown when the test fails
        worker.end()

"""The queue's fixtures, for tests that break what it stands on."""

from tests.jobs.conftest import queue, transactional_db, tune

__all__ = ["queue", "transactional_db", "tune"]

"""The thread that sweeps; in the whole deployment one does at a time."""

import random
import threading
import time

from django.db import InterfaceError, OperationalError, connection

from jobs.conf import conf
from jobs.transitions import sweep

PRUNE_EVERY_S = 600.0


class Sweeper(threading.Thread):
    def __init__(self, kinds: list[str]) -> None:
        super().__init__(daemon=True, name="jobs-sweep")
        self.kinds = kinds
        self._over = threading.Event()
        self._thorough_at = 0.0
        self._prune_at = time.monotonic() + PRUNE_EVERY_S * random.random()  # noqa: S311

    def end(self) -> None:
        self._over.set()

    def run(self) -> None:
        while not self._over.is_set():
            try:
                self.once()
            except (OperationalError, InterfaceError):
                connection.close()
            self._over.wait(random.uniform(0.4, 0.6))  # noqa: S311
        connection.close()

    def once(self) -> None:
        sweep.quick()
        now = time.monotonic()
        if now >= self._thorough_at and sweep.thorough(self.kinds):
            self._thorough_at = now + min(5.0, conf().HEARTBEAT_SECONDS)
        if now >= self._prune_at:
            sweep.prune()
            self._prune_at = now + PRUNE_EVERY_S

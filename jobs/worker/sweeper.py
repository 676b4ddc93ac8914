"""The thread that sweeps; each chore is done by one worker of the whole deployment at a time."""

import random
import threading

from django.db import connection

from jobs import events
from jobs.conf import conf
from jobs.transitions import sweep, tally

QUICK_S, THOROUGH_S, COUNT_S, PRUNE_S = 0.5, 5.0, 60.0, 600.0


class Sweeper(threading.Thread):
    def __init__(self, kinds: list[str]) -> None:
        super().__init__(daemon=True, name="jobs-sweep")
        self.kinds = kinds
        self.lane = ""  # the last that was looked at
        self._over = threading.Event()

    def end(self) -> None:
        self._over.set()

    def run(self) -> None:
        trouble = events.Trouble(events.SWEEP_FAILED)
        while not self._over.is_set():
            try:
                self.once()
                trouble.over()
            except Exception as error:  # whatever it is, also of a product's function: the next round comes
                trouble.met(error)
                connection.close()
            self._over.wait(QUICK_S * random.uniform(0.8, 1.2))  # noqa: S311
        connection.close()

    def once(self) -> None:
        if sweep.take_turn("quick", every_s=QUICK_S * 0.8):
            self.lane = sweep.quick(self.lane)
        if sweep.take_turn("thorough", every_s=min(THOROUGH_S, conf().HEARTBEAT_SECONDS)):
            sweep.thorough(self.kinds)
        if sweep.take_turn("count", every_s=COUNT_S):
            tally.count()
        if sweep.take_turn("prune", every_s=PRUNE_S):
            sweep.prune()
            tally.forget()

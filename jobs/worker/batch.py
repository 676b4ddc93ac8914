"""The quick jobs that a slot has claimed together: which is next, which are done, and which go back."""

import threading
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jobs.transitions import quick
from jobs.transitions.claim import Claimed
from jobs.transitions.outcomes import Attempted
from jobs.worker.lease import now_s
from jobs.worker.run import Run

SAVE_EVERY_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A run whose handler has returned, and that nothing but its result is to be told about."""

    run: Run
    how: Attempted
    result: str | None
    began_s: float  # on the clock of the lease
    ended_s: float

    def done(self) -> quick.Done:
        """Return it as seconds ago: an ending that has to be tried again is told so later."""
        now = now_s()
        return quick.Done(
            id=self.run.id,
            token=self.run.token,
            kind=self.run.kind,
            result=self.result,
            began_s=now - self.began_s,
            ended_s=now - self.ended_s,
        )


class Batch:
    """Shared by the thread that runs the jobs and the one that gives them back when one of them takes long."""

    def __init__(self, jobs: Sequence[Claimed]) -> None:
        self.saved_s = now_s()
        self.over_s = self.saved_s + quick.LASTS_S
        self.begun = 0
        self._left = deque(jobs)
        self._returned: list[Returned] = []
        self._relief: threading.Thread | None = None
        self._is_closed = False
        self._guard = threading.Lock()

    @property
    def is_late(self) -> bool:
        return now_s() >= self.over_s

    @property
    def is_unsaved(self) -> bool:
        """Say whether what has returned should be written down before another job is begun."""
        return now_s() - self.saved_s >= SAVE_EVERY_S

    @property
    def may_be_hurried(self) -> bool:
        """Say whether somebody in band 0 would go before the next of this batch."""
        with self._guard:
            return bool(self._left) and self._left[0].band > 0

    def next(self) -> Claimed | None:
        with self._guard:
            if not self._left:
                return None
            self.begun += 1
            return self._left.popleft()

    def rest(self) -> list[tuple[int, uuid.UUID]]:
        """Take all out that are not begun."""
        with self._guard:
            rest, self._left = self._left, deque()
            return [(job.id, job.token) for job in rest]

    def do_once(self, act: Callable[["Batch"], None]) -> None:
        """Begin a thread that relieves a slot which one of the batch keeps."""
        with self._guard:
            if self._relief is None and not self._is_closed:
                self._relief = threading.Thread(target=act, args=(self,), daemon=True)
                self._relief.start()

    def join(self) -> None:
        """Wait for the relief; none begins any more, for what it then failed to save nobody would."""
        with self._guard:
            self._is_closed = True
        if self._relief:
            self._relief.join()

    def drop(self, token: str) -> Claimed | None:
        """Take a job out that must not be begun any more; None when it has been."""
        with self._guard:
            found = next((job for job in self._left if job.token.hex == token), None)
            if found:
                self._left.remove(found)
            return found

    def add(self, returned: Returned) -> None:
        with self._guard:
            self._returned.append(returned)

    def returned(self) -> list[Returned]:
        """Take all out that have returned and are not saved."""
        with self._guard:
            self.saved_s = now_s()
            returned, self._returned = self._returned, []
            return returned

"""What a handler gets: its job, its items, its call to the upstream, and the only door to the database."""

import contextlib
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

from django.db import connection

from jobs import sql
from jobs.exceptions import Fenced, Outcome, Snooze, Stopped, Yielded
from jobs.registry import KINDS
from jobs.text import cleaned
from jobs.transitions import calls, items
from jobs.transitions.claim import Claimed
from jobs.worker.lease import Forever, Lease, now_s

type Why = Literal["stop", "drain", "deadline", "lease"]

# Checks id, running and token, and locks the row: a rescue waits for the save, or the save finds nothing.
FENCE = """
SELECT set_config('idle_in_transaction_session_timeout', '15s', true), fingerprint, wanted_fingerprint FROM jobs_job
WHERE id = %(id)s AND token = %(token)s AND status = 'running' FOR NO KEY UPDATE
"""

# Records what the work is derived from; an equal wish is thereby granted.
FINGERPRINT = """
UPDATE jobs_job SET fingerprint = %(fingerprint)s,
    wanted_fingerprint = CASE WHEN wanted_fingerprint = %(fingerprint)s THEN '' ELSE wanted_fingerprint END
WHERE id = %(id)s
"""

PROGRESS = """
INSERT INTO jobs_progress (job, done, total, note, at)
SELECT id, %(done)s, %(total)s, %(note)s, clock_timestamp() FROM jobs_job
WHERE id = %(id)s AND token = %(token)s AND status = 'running'
ON CONFLICT (job) DO UPDATE SET done = excluded.done, total = excluded.total, note = excluded.note, at = excluded.at
"""

PROGRESS_EVERY_S = 0.5
OUTLAST_S = 60.0  # how long a call waits for a database that is away before it is given up
LATE_S = 1.0  # a call is put on record anew when it begins later than this after it was


class Item:
    """One part of the job. Say what became of it inside `with run.save():`."""

    def __init__(self, number: int, key: str) -> None:
        self.id = number
        self.key = key

    def ok(self, result: Any = None) -> None:
        items.end(self.id, "ok", result=result)

    def partial(self, sentence: str, result: Any = None) -> None:
        items.end(self.id, "partial", error=sentence, result=result)

    def fail(self, sentence: str) -> None:
        items.end(self.id, "failed", error=sentence)

    def skip(self, sentence: str = "") -> None:
        items.end(self.id, "skipped", error=sentence)


class Call:
    """A call that may be in flight."""

    def __init__(self, run: "Run", started_at: datetime, *, until_s: float) -> None:
        self._run = run
        self._started_at = started_at
        self._until_s = until_s  # on the clock of the lease
        self._spoke = False
        self.ended: Literal["", "over", "answered"] = ""

    @property
    def left_s(self) -> float:
        """Seconds until the call must be over, also when this process was asleep meanwhile."""
        return max(0.0, self._until_s - now_s())

    def check(self) -> None:
        """Raise Stopped or Snooze when the call may not go out any more: the last question before its first byte."""
        self._run.check()
        if not self.left_s:
            raise Snooze("This process was asleep until the time of its call was over.", seconds=0)

    def on_abort(self, act: Callable[[], None]) -> None:
        """Have `act` called from another thread when the call must be broken off: shut the socket there."""
        self._run.add_abort(act)

    def token(self) -> None:
        """Something of the answer has come; the upstream will notice when we hang up."""
        if not self._spoke:
            self._spoke = True
            # Unrecorded, the seat only lingers longer: no reason to lose an answer that is coming in.
            with contextlib.suppress(*sql.AWAY):
                calls.spoke(self._run.id, self._run.token)
            self._run.release()

    def answered(self) -> None:
        """The upstream finished answering: the pool works."""
        self.ended = "answered"

    def over(self) -> None:
        """The upstream is certainly not working on this call: refused, or answered with an error."""
        self.ended = "over"

    def record(self) -> None:
        """Write how the call ended, which is what its seat goes by."""
        run = self._run
        if self.ended == "answered":
            calls.answered(run.id, run.token, pool=run.pool, started_at=self._started_at)
        elif self.ended == "over":
            calls.over(run.id, run.token)
        else:
            calls.broken(run.id, run.token)


class Run:
    """One attempt. Every write of a handler happens inside save(); whatever takes long checks now and then."""

    def __init__(self, job: Claimed, lease: Lease | None = None) -> None:
        self.id = job.id
        self.kind = job.kind
        self.owner = job.owner
        self.subject = job.subject
        self.pool = job.pool
        self.lane = job.lane
        self.args = job.args
        self.fingerprint = job.fingerprint
        self.wanted_fingerprint = job.wanted_fingerprint
        self.attempt = job.attempts + 1
        self.token: uuid.UUID = job.token
        self.deadline_s = now_s() + job.timeout_s  # on the clock of the lease
        self.ended_early: Why | None = None
        self._lease = lease or Lease(Forever())
        self._aborts: list[Callable[[], None]] = []
        self._guard = threading.Lock()
        self._asked = threading.Event()
        self._progress_at = 0.0
        self._unrecorded: Call | None = None  # the last call, until the database knows how it ended

    # What may end it early

    def check(self) -> None:
        """Raise Stopped when the run must end: a safe point."""
        if self.ended_early:
            raise Stopped(self.ended_early)
        if not self._lease.alive:
            raise Stopped("lease")

    def end_early(self, why: Why) -> None:
        """Called from another thread: break off the call in flight; the handler meets Stopped at its next check."""
        with self._guard:
            if self.ended_early is None:
                self.ended_early = why
            acts, self._aborts = self._aborts, []
        self._asked.set()
        for act in acts:
            with contextlib.suppress(OSError):
                act()

    def add_abort(self, act: Callable[[], None]) -> None:
        with self._guard:
            if self.ended_early is None:
                self._aborts.append(act)
                return
        with contextlib.suppress(OSError):
            act()

    def sleep(self, seconds: float) -> None:
        """Wait, but not past a stop."""
        self._asked.wait(seconds)
        self.check()

    # What it works on

    def items(self) -> Iterator[Item]:
        """Yield the open items in order; finished ones of an earlier attempt are not done again.

        Between two items of a pooled job a screen that somebody looks at may go first: then Yielded is raised, and the
        job goes on where it was as soon as it is its turn again.
        """
        position = 0
        while True:
            self.check()
            if position:
                self.make_way()
            found = items.begin_next(self.id, self.token, after=position)
            if found is None:
                return
            position = found["position"]
            yield Item(found["id"], found["key"])

    def make_way(self) -> None:
        """Raise Yielded when a screen that somebody looks at waits for the pool: between two calls about one item.

        The item stays open, so whoever calls this must know what of it is done; and has done some of it, or a screen
        after the other would keep it from ever going on.
        """
        if self.pool and items.seat_is_wanted(self.id, pool=self.pool, kinds=list(KINDS)):
            raise Yielded("Somebody looks at a screen that waits for the same service.")

    def add_items(self, keys: Sequence[str]) -> None:
        """Append items whose keys are not there yet; inside a save."""
        items.add(self.id, keys)

    def progress(self, done: int, total: int, note: str = "") -> None:
        """Show how far the work is; at most twice a second, the last one always."""
        now = time.monotonic()
        if done < total and now - self._progress_at < PROGRESS_EVERY_S:
            return
        self._progress_at = now
        sql.run(PROGRESS, id=self.id, token=self.token, done=done, total=total, note=cleaned(note, most=200))

    # What it may write

    @contextlib.contextmanager
    def save(self, *, fingerprint: str = "") -> Iterator[None]:
        """Open the transaction in which a handler writes; raise Fenced when the job is no longer this run's.

        `fingerprint` records what the work was derived from, and grants an equal wish.
        """
        if not self._lease.alive:
            raise Fenced("The lease of this worker has run out; nothing was written.")
        with sql.short_transaction():
            if sql.row(FENCE, id=self.id, token=self.token) is None:
                raise Fenced("The job was ended or taken over; nothing was written.")
            if fingerprint:
                sql.run(FINGERPRINT, id=self.id, fingerprint=fingerprint)
            yield
            if not self._lease.alive:
                raise Fenced("The lease of this worker ran out while saving; nothing was written.")

    def keep(self, act: Callable[[], object]) -> None:
        """Save what was dearly bought: again, for up to a minute, while the database is away.

        `act` may have been carried out although its answer was lost, so it must do no harm the second time.
        """

        def save() -> None:
            with self.save():
                act()

        self._outlast(save)

    # What it may ask of the upstream

    @contextlib.contextmanager
    def call(self, *, timeout: float, streamed: bool = True, linger_s: float = calls.LINGER_S) -> Iterator[Call]:
        """Hold the seat for one call of at most `timeout` seconds; no connection is held meanwhile.

        `linger_s` is how long the upstream may go on with a stream that was broken off before its first word.

        Waits out the gap since this job's previous call. An exception that leaves the block decides what the seat
        must assume: answered, certainly over, or broken off.
        """
        self._outlast(self.record)
        left = self._outlast(lambda: calls.gap_left_s(self.id, self.token))
        if left:
            self.sleep(left)
        call = self._begin(timeout_s=timeout, streamed=streamed, linger_s=linger_s)
        try:
            yield call
        except Outcome as error:
            if not error.linger and not self.ended_early and not call.ended:
                call.over()
            raise
        finally:
            with self._guard:
                self._aborts.clear()
            # What cannot be recorded now is recorded before the job's ending; until then its seat is taken.
            self._unrecorded = call
            with contextlib.suppress(*sql.AWAY):
                self.record()

    def _begin(self, *, timeout_s: float, streamed: bool, linger_s: float) -> Call:
        """Put the call on record; anew when this process slept so long afterwards that the record means less."""
        while True:
            self.check()
            asked_s = now_s()
            started_at = self._outlast(
                lambda: calls.begin(self.id, self.token, timeout_s=timeout_s, streamed=streamed, linger_s=linger_s)
            )
            self.release()
            call = Call(self, started_at, until_s=asked_s + timeout_s)
            if now_s() - asked_s < LATE_S:
                self.check()
                return call

    def _outlast[T](self, act: Callable[[], T]) -> T:
        """Send again what a lost session took with it; known by its token, it counts once however often it is sent."""
        until_s = now_s() + OUTLAST_S
        while True:
            try:
                return act()
            except sql.AWAY as error:
                if connection.in_atomic_block or not sql.is_away(error) or now_s() > until_s:
                    raise
                connection.close()
                self.sleep(random.uniform(0.1, 0.3))  # noqa: S311

    def record(self) -> None:
        """Write how the last call ended, unless that is written."""
        if self._unrecorded:
            self._unrecorded.record()
            self._unrecorded = None

    @property
    def has_unrecorded_call(self) -> bool:
        return self._unrecorded is not None

    def release(self) -> None:
        """Give the connection back while nothing needs it."""
        if not connection.in_atomic_block:
            connection.close()

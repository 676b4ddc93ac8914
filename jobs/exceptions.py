"""How a handler says what became of its attempt, and what callers of the queue may meet."""

from datetime import datetime


class JobsError(Exception):
    """Everything the queue raises."""


class Outcome(JobsError):
    """Raised by a handler to end its attempt; the message is stored and shown, so it holds no secret.

    `linger` says that the upstream may still be working on the broken-off call, so that its seat must wait.
    """

    linger = False

    def __init__(self, reason: str = "", *, linger: bool | None = None) -> None:
        super().__init__(reason)
        if linger is not None:
            self.linger = linger


class Retry(Outcome):
    """The attempt failed and is spent; try again later, while attempts are left.

    `closes_after`: so many different jobs in a row that end like this are a sign that their upstream is down; 0: never.
    """

    linger = True

    def __init__(
        self,
        reason: str = "",
        *,
        after_s: float | None = None,
        linger: bool | None = None,
        closes_after: int = 0,
    ) -> None:
        super().__init__(reason, linger=linger)
        self.after_s = after_s
        self.closes_after = closes_after


class Reject(Outcome):
    """Asking again cannot help: the job fails now."""


class UpstreamDown(Outcome):
    """The upstream is away: its pool closes, the job waits, no attempt is spent.

    A `hard` sign (refused, loading) closes at once, a soft one (time-out, 502) after two in a row.
    """

    def __init__(
        self,
        reason: str = "",
        *,
        retry_after_s: float | None = None,
        hard: bool = True,
        linger: bool | None = None,
    ) -> None:
        super().__init__(reason, linger=linger)
        self.retry_after_s = retry_after_s
        self.hard = hard


class Misconfigured(Outcome):
    """The upstream refuses for a reason that only an operator can mend; the pool closes for long."""


class Snooze(Outcome):
    """Not now: run again after `seconds` or at `until`; no attempt is spent."""

    def __init__(self, reason: str = "", *, seconds: float | None = None, until: datetime | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds
        self.until = until


class Stopped(JobsError):
    """The run was asked to stop; raised at a safe point."""


class Yielded(JobsError):
    """A job of many items makes way, between two of them, for one that somebody looks at; raised by `run.items()`."""


class Fenced(JobsError):
    """This run no longer owns its job, so nothing was written."""


class LaneBusy(JobsError):
    """The lane is taken; `holder` says by what."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"{holder} is at work here.")
        self.holder = holder


class UnknownKind(JobsError):
    """No handler of this name is registered."""


class TooLarge(JobsError):
    """Arguments, a result or a progress note is above 64 KiB, or holds what JSON cannot."""

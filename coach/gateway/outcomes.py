"""What each signal of an upstream means for the job and its pool: one table of few outcomes."""

from dataclasses import dataclass, replace
from enum import Enum

from coach.gateway.conf import Conf
from jobs.api import JobsError, Misconfigured, Reject, Retry, UpstreamDown


class Kind(Enum):
    DOWN = "down"  # the pool pauses, the attempt is kept
    CONFIG = "config"  # the pool pauses until an operator mends it, the attempt is kept
    AGAIN = "again"  # the attempt is spent
    BAD = "bad"  # the job fails now


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`lingers`: the upstream may still be working on the call. `hard`: one such sign closes the pool.

    `closes_after`: so many jobs in a row whose attempt is spent like this close it as well; 0: never.
    """

    kind: Kind
    reason: str
    lingers: bool = False
    hard: bool = False
    retry_after_s: float | None = None
    closes_after: int = 0

    def of(self, upstream: Conf) -> "Verdict":
        """Return the same, naming the settings of this upstream."""
        return replace(self, reason=self.reason.replace("COACH_GATEWAY", upstream.prefix))

    def exception(self) -> JobsError:
        match self.kind:
            case Kind.DOWN:
                return UpstreamDown(self.reason, retry_after_s=self.retry_after_s, hard=self.hard, linger=self.lingers)
            case Kind.CONFIG:
                return Misconfigured(self.reason, linger=self.lingers)
            case Kind.AGAIN:
                return Retry(
                    self.reason, after_s=self.retry_after_s, linger=self.lingers, closes_after=self.closes_after
                )
            case Kind.BAD:
                return Reject(self.reason, linger=self.lingers)


def down(reason: str, *, hard: bool = False, lingers: bool = False) -> Verdict:
    return Verdict(kind=Kind.DOWN, reason=reason, hard=hard, lingers=lingers)


def config(reason: str) -> Verdict:
    return Verdict(kind=Kind.CONFIG, reason=reason)


def again(reason: str, *, lingers: bool = False, closes_after: int = 0) -> Verdict:
    return Verdict(kind=Kind.AGAIN, reason=reason, lingers=lingers, closes_after=closes_after)


def bad(reason: str) -> Verdict:
    return Verdict(kind=Kind.BAD, reason=reason)


# A whole answer that says by itself what became of it. None of these is an error of the transport.
FINISHES = {
    "length": bad("The answer was cut off: the writing service allows too few tokens for an insight."),
    "content_filter": bad("The writing service declined to write about this: its content filter stepped in."),
    "tool_calls": bad("The writing service answered with a tool call instead of a text."),
    "function_call": bad("The writing service answered with a tool call instead of a text."),
    "error": again("The writing service broke off with an error of its own."),
}
REFUSED = bad("The writing service declined to write about this.")
GOOD_FINISHES = ("stop", "eos_token", "stop_sequence", "end_turn", "eos")

# Where the call or its body ended without an answer.
DEADLINE = again("The writing service needed longer than the time allowed for one call.", lingers=True, closes_after=2)
SILENT = again("The writing service was silent for too long.", lingers=True, closes_after=2)
BROKEN_OFF = again("The call was broken off before the answer was complete.", lingers=True)
CUT = again("The answer of the writing service broke off before its end.", lingers=True)
MALFORMED = again("The writing service sent a stream that cannot be read.", lingers=True)
TOO_BIG = again("The writing service sent more than an answer can hold.", lingers=True)
NOT_JSON = again("The writing service sent an answer that is not complete JSON.")
WEB_PAGE = down("The writing service answered with a web page or with nothing: something else stands in its place.")
REDIRECTED = config("The writing service points to another address: set COACH_GATEWAY_URL to its final one.")
UNSENDABLE = bad("The facts hold a value that cannot be sent; this is a fault in Coach.")

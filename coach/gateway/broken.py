"""What an exception during a call means. Pure: exceptions in, a verdict out."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.client import BadStatusLine, HTTPException, IncompleteRead, LineTooLong, RemoteDisconnected

from requests import exceptions as requested
from urllib3 import exceptions as wire

from coach.gateway import events, outcomes
from coach.gateway.address import BadAddress
from coach.gateway.completion import Malformed
from coach.gateway.outcomes import Verdict, again, config, down
from coach.gateway.transport import Aborted

QUICK_SECONDS = 5.0  # who resets sooner than this has not begun to work


class DeadlinePassed(Exception):
    """The total time of the call is over, however lively it still is."""


class TooBig(Exception):
    """The answer is larger than any insight."""


# What a call may raise; anything else is a fault of ours and goes its way.
BREAKS = (
    requested.RequestException,
    wire.HTTPError,
    HTTPException,
    OSError,
    UnicodeError,
    Aborted,
    BadAddress,
    DeadlinePassed,
    Malformed,
    TooBig,
    events.LineTooLong,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Holds when the chain of causes has one of these exceptions, and their text has `text`."""

    raised: tuple[type[BaseException], ...]
    verdict: Verdict
    text: str = ""


RESET = (RemoteDisconnected, ConnectionResetError, BrokenPipeError, ConnectionAbortedError)
RESET_EARLY = down("The writing service closed the connection without an answer.")

# In order: the first rule that holds decides.
RULES = (
    Rule(raised=(DeadlinePassed,), verdict=outcomes.DEADLINE),
    Rule(raised=(Aborted,), verdict=outcomes.BROKEN_OFF),
    Rule(raised=(TooBig, events.LineTooLong), verdict=outcomes.TOO_BIG),
    Rule(raised=(Malformed,), verdict=outcomes.MALFORMED),
    Rule(
        raised=(requested.InvalidJSONError,),
        verdict=outcomes.UNSENDABLE,
    ),
    Rule(
        raised=(
            requested.MissingSchema,
            requested.InvalidSchema,
            requested.InvalidURL,
            requested.URLRequired,
            wire.LocationParseError,
        ),
        verdict=config("COACH_GATEWAY_URL is not an address that can be called."),
    ),
    Rule(
        raised=(requested.InvalidHeader, UnicodeError),
        verdict=config(
            "COACH_GATEWAY_KEY or _HEADERS holds a character that cannot be sent, perhaps a quote or a line break."
        ),
    ),
    Rule(
        raised=(wire.NewConnectionError, wire.NameResolutionError, wire.ConnectTimeoutError),
        verdict=down("The writing service cannot be reached: nobody answers at its address.", hard=True),
    ),
    Rule(
        raised=(requested.ProxyError, wire.ProxyError),
        text="407",
        verdict=config("The proxy before the writing service asks for a password."),
    ),
    Rule(
        raised=(requested.ProxyError, wire.ProxyError),
        verdict=down("The proxy before the writing service does not reach it."),
    ),
    Rule(
        raised=(ssl.SSLCertVerificationError,),
        verdict=config("The certificate of the writing service is not valid for its address."),
    ),
    Rule(
        raised=(ssl.SSLError, wire.SSLError),
        text="WRONG_VERSION_NUMBER",
        verdict=config("The writing service does not speak TLS there: try http:// in COACH_GATEWAY_URL."),
    ),
    Rule(
        raised=(ssl.SSLError, wire.SSLError),
        verdict=down("The writing service broke off the TLS handshake."),
    ),
    Rule(raised=RESET, verdict=RESET_EARLY),
    Rule(
        raised=(BadStatusLine, LineTooLong),
        verdict=config("What answers at COACH_GATEWAY_URL does not speak HTTP."),
    ),
    Rule(
        raised=(HTTPException,),
        text="headers",
        verdict=config("What answers at COACH_GATEWAY_URL does not speak HTTP as an API does."),
    ),
    Rule(
        raised=(wire.ReadTimeoutError, requested.ReadTimeout, TimeoutError),
        verdict=outcomes.SILENT,
    ),
    Rule(
        raised=(wire.DecodeError, requested.ContentDecodingError),
        verdict=again("The writing service sent an answer that cannot be unpacked."),
    ),
    Rule(raised=(IncompleteRead, wire.IncompleteRead, wire.InvalidChunkLength), verdict=outcomes.CUT),
)
OTHERWISE = again("The connection to the writing service broke.", lingers=True)


def verdict(error: BaseException, *, elapsed_s: float, answering: bool) -> Verdict:
    """Judge what broke a call; `answering` says that headers had come."""
    chain = list(causes(error))
    bad_address = next((str(each) for each in chain if isinstance(each, BadAddress)), "")
    if bad_address:
        return config(bad_address)
    found = next((rule.verdict for rule in RULES if holds(rule, chain)), OTHERWISE)
    if found is outcomes.SILENT and answering:
        return replace(found, closes_after=0)  # it works, only not on this answer
    if found is not RESET_EARLY:
        return found
    if answering:
        return outcomes.CUT
    return replace(found, lingers=elapsed_s >= QUICK_SECONDS)


def holds(rule: Rule, chain: list[BaseException]) -> bool:
    return any(isinstance(each, rule.raised) and rule.text in str(each) for each in chain)


def causes(error: BaseException) -> Iterator[BaseException]:
    """Go through an exception and all it was made of: causes, contexts, reasons and arguments."""
    seen: set[int] = set()
    ahead: list[object] = [error]
    while ahead:
        each = ahead.pop(0)
        if not isinstance(each, BaseException) or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        ahead += [*each.args, getattr(each, "reason", None), each.__cause__, each.__context__]


def names(error: BaseException) -> str:
    """Return the chain of class names, for the log: messages may hold addresses and keys."""
    return "<".join(type(each).__name__ for each in causes(error))

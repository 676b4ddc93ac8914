"""The classification table of upstream signals: for each of its rows what the upstream does, and what must follow."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tests.coach.gateway import worlds
from tests.coach.gateway.signals import ROWS, Again, Bad, Config, Down, error, status
from tests.coach.gateway.worlds import World

TURNS = {row[0]: row for row in ROWS}
NEVER: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One signal and the queue's reaction to it."""

    name: str
    outcome: type[Exception] | None  # None: the job succeeds
    says: str = ""
    turn: Any = "answer"  # of the trial gateway, unless there is another world
    world: World | None = None
    hard: bool = False  # closes the pool at once
    wait_s: float = 0  # the pool stays closed for so long, because it was asked to
    lingers: bool = False
    spoke: bool = False  # words of the answer had come before
    calls: int = 1  # that the gateway saw
    seated: bool = True  # False: it never came to a call
    args: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    patch: Mapping[str, float] = field(default_factory=dict)  # thresholds that a test cannot wait for

    @property
    def gap_s(self) -> float:
        """Return how long the seat rests: nobody waits out a long rest between two calls of one job."""
        return 20 if self.calls < 2 else 0.2


SOON = {"idle_seconds": 0.3}
QUICK = {"coach.gateway.broken.QUICK_SECONDS": 0.2}
SLOW = {"coach.gateway.statuses.SLOW_SECONDS": 0.2}
CONNECT = {"coach.gateway.client.CONNECT_SECONDS": 0.3}
SPOKE = (
    "endless line",
    "gzip bomb",
    "stall in the body",
    "reset in the body",
    "cut chunk",
    "end without a finish",
    "broken event",
)
HARD = ("429", "429 none deployed", "503 loading", "200 rate limited")


def known(*names: str) -> list[Case]:
    """Return the signals of these names, which the classification itself is tested with too."""
    return [
        Case(
            name=name,
            turn=TURNS[name][1],
            outcome=TURNS[name][2],
            lingers=TURNS[name][3],
            says=TURNS[name][4],
            spoke=name in SPOKE or "in the stream" in name,
            hard=name in HARD,
            settings=SOON if TURNS[name][4] == "silent" else NEVER,
        )
        for name in names
    ]


def down(name: str, **more: Any) -> Case:
    return Case(name=name, outcome=Down, **more)


def config(name: str, **more: Any) -> Case:
    return Case(name=name, outcome=Config, **more)


def again(name: str, **more: Any) -> Case:
    return Case(name=name, outcome=Again, **more)


def bad(name: str, **more: Any) -> Case:
    return Case(name=name, outcome=Bad, **more)


def misset(name: str, says: str = "", **fields: Any) -> Case:
    """Settings with which no call can be made."""
    return config(name, world=partial(worlds.settings_of, **fields), says=says, seated=False)


STREAM = [name for name in TURNS if name in ("200 rate limited", "200 with code", "200 with text")]
GONE = tuple(name for name in TURNS if name in {"502", "503", "504", "520", "524", "529", "530"})
MORE_DOWN = [
    Case(name=str(code), outcome=Down, turn=status(code), says="down") for code in (521, 522, 523, 525, 526, 527)
]

TABLE: dict[str, list[Case]] = {
    "nobody answers, no such name, no connection in time": [
        down("refused", world=worlds.nobody, hard=True, says="nobody answers"),
        down("no such name", world=worlds.unknown_name, hard=True, says="nobody answers"),
        down("no connection in time", world=worlds.full_house, hard=True, says="nobody answers", patch=CONNECT),
    ],
    "closed, reset or broken before headers, within 5 s": [
        *known("closed before headers", "reset before headers"),
        down(
            "broken pipe",
            world=worlds.hangs_up_on_a_long_request,
            args={"chars": 8_000_000},
            says="closed the connection",
        ),
    ],
    "the same after 5 s": [
        down("reset late", turn={"do": "reset", "seconds": 0.4}, patch=QUICK, lingers=True, says="closed"),
        down("closed late", turn={"do": "close", "seconds": 0.4}, patch=QUICK, lingers=True, says="closed"),
    ],
    "silence before headers": known("stall before headers"),
    "silence in the body": known("stall in the body"),
    "a body that breaks off": [
        *known("reset in the body", "cut chunk", "cut length"),
        again("bad chunk", turn="bad_chunk", lingers=True, spoke=True, says="broke off"),
    ],
    "an end without finish_reason and [DONE], an event that is no JSON": [
        *known("end without a finish", "broken event", "endless line"),
    ],
    "the total time is over": [
        again("trickle", turn={"do": "slow", "seconds": 0.02, "text": "word " * 200}, args={"timeout": 0.6},
              lingers=True, spoke=True, says="time allowed"),
        again("trickle of headers", world=partial(worlds.trickles, b"HTTP/1.1 200 OK\r\nX-Slow: "),
              args={"timeout": 0.6}, lingers=True, says="time allowed"),
    ],
    "an answer that cannot be unpacked or is no JSON": [
        *known("broken gzip", "cut JSON", "JSON without choices", "web page", "nothing", "gzip bomb"),
        again("gzip that ends in the middle", turn="gzip_cut", says="not complete JSON"),
    ],
    "no HTTP": [
        *known("not HTTP", "too many headers"),
        config("a header without end", turn="long_header", says="does not speak HTTP"),
    ],
    "a proxy": [
        down("refusing proxy", world=worlds.REFUSING_PROXY, hard=True, says="nobody answers"),
        down("proxy that reaches nobody", world=worlds.LOST_PROXY, says="proxy"),
        config("proxy with a password", world=worlds.ASKING_PROXY, says="password"),
        config("plain proxy with a password", world=worlds.ASKING_PLAIN_PROXY, says="password"),
    ],
    "TLS": [
        config("unknown authority", world=partial(worlds.secure, name="localhost"), says="certificate"),
        config("another host", world=partial(worlds.secure, name="elsewhere.test"), says="certificate"),
        down("handshake broken off", world=partial(worlds.says, b"", scheme="https"), says="TLS handshake"),
        config("no TLS there", world=partial(worlds.says, b"HTTP/1.1 400 Bad Request\r\n\r\n", scheme="https"),
               says="does not speak TLS"),
        again("no TLS there, and no word", world=partial(worlds.says_nothing, "https"), patch=CONNECT, lingers=True,
              says="silent"),
        down("TLS where plain was asked", world=partial(worlds.secure, name="localhost", scheme="http"),
             says="closed the connection"),
    ],
    "an address that is none": [
        misset("no scheme", url="gateway.lan/v1", says="COACH_GATEWAY_URL"),
        misset("another scheme", url="ftp://127.0.0.1/v1", says="COACH_GATEWAY_URL"),
        misset("no host", url="http://", says="COACH_GATEWAY_URL"),
        misset("metadata", url="http://169.254.169.254/v1", says="metadata"),
        misset("not allowed", url="http://127.0.0.1:1/v1", allowed=("10.0.0.3",), says="_ALLOWED"),
        misset("line break in the key", url="http://127.0.0.1:1/v1", key="a\nb", says="_KEY"),
        misset("line break in a header", url="http://127.0.0.1:1/v1", headers={"X-Team": "a\nb"}, says="_HEADERS"),
    ],
    "a key that no header can hold": [misset("curly quotes", url="http://127.0.0.1:1/v1", key="“k”", says="_KEY")],
    "facts that JSON cannot hold": [
        bad("NaN", args={"unsendable": True}, seated=False, calls=0, says="fault in Coach"),
    ],
    "3xx": known("redirect", "moved"),
    "400, 413, 415, 422": known("400", "400 too long", "413", "415", "422", "418"),
    "400 about a feature": [
        Case(name=f"400 naming {each}", outcome=None, turn=status(400, error(f"unknown field {each}")), calls=2)
        for each in ("stream_options", "response_format", "max_tokens", "temperature")
    ],
    "400 budget, 402, 429 quota": known("400 budget", "402", "429 quota"),
    "401, 403, 407; 403 moderated, 451": [
        *known("401", "403", "407", "403 moderation", "451", "400 filter"),
    ],
    "404, 405": known("404", "405"),
    "408, 409, 425": known("408", "409", "425"),
    "429, Retry-After, no deployments": [
        *known("429", "429 none deployed"),
        down("429 with a time", turn=status(429, Retry_After="40"), hard=True, wait_s=40, says="pause"),
        down("429 in milliseconds", turn=status(429, retry_after_ms="90000"), hard=True, wait_s=90, says="pause"),
        down("500 with a time", turn=status(500, Retry_After="40"), hard=True, wait_s=40, says="pause"),
        down("none deployed for 50 s", hard=True, wait_s=50, says="pause",
             turn=status(429, error("No deployments available for selected model, Try again in 50 seconds"))),
    ],
    "499": known("499"),
    "500, 501, 505, other 5xx": known("500", "501", "505", "599", "500 impossible"),
    "502, 503, 504, 520-527, 529, 530": [
        *known(*GONE, "503 loading"),
        *MORE_DOWN,
        down("504 after a long while", turn={**status(504, "<html>"), "seconds": 0.3}, patch=SLOW, lingers=True,
             says="down"),
    ],
    "200 with an error": known(
        "200 with an error", *STREAM, "error in the stream", "error by code in the stream",
    ),
    "finish_reason length": [
        *(replace(each, spoke=True) for each in known("cut off by length")),
        Case(name="cut off, then long enough", outcome=None, turn={"do": "finish", "reason": "length"}, calls=2,
             settings={"max_tokens": 100, "most_tokens": 900}),
    ],
    "content filter, refusal, tool call": [
        replace(each, spoke=True) for each in known("content filter", "refusal", "tool call", "finish of an error")
    ],
    "our own database is away": [
        Case(name="session lost after the answer", outcome=ConnectionError, args={"database_goes": True}, spoke=True),
    ],
}  # fmt: skip
CASES = [case for cases in TABLE.values() for case in cases]

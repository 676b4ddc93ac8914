"""Days in the life of an upstream, by name: which share of the calls meets what, drawn by the seed."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log
from random import Random

from coach.trial.faults import PAGE
from coach.trial.script import Turn

MINUTE_S = 60.0
# How long an answer takes: log-normal, half of them within 100 s, 95 of 100 within 6 minutes, none above 17.
MEDIAN_S, P95_S, MOST_S = 100.0, 360.0, 1020.0
SPREAD = log(P95_S / MEDIAN_S) / 1.645

type Make = Callable[[Random, float], Turn]  # (chance, scale) -> what a call meets; scale: real seconds a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    name: str
    percent: float
    make: Make


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of time in which every call meets the same; `until_answered` ends it with the first answer."""

    name: str
    seconds: float
    turn: Turn | None = None  # None: what the shares say
    refuses: bool = False
    until_answered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    name: str
    says: str
    shares: tuple[Share, ...]
    phases: tuple[Phase, ...] = ()  # from the start, one after another; afterwards the shares
    loading_s: float = 0  # once in each ten minutes it loads its model for so long
    crowded: float = 0  # the share of the time in which neighbours hold three or four permits
    poisons: bool = False  # the first job it meets kills it, each time


def latency_s(chance: Random) -> float:
    """Draw how long an answer takes."""
    return min(exp(chance.gauss(log(MEDIAN_S), SPREAD)), MOST_S)


def answered(chance: Random, scale: float) -> Turn:
    return Turn(delay_s=latency_s(chance) * scale)


def page(status: int, *, after_s: float = 0) -> Make:
    return lambda chance, scale: Turn(do="status", status=status, body=PAGE, seconds=after_s * scale)


def busy(chance: Random, scale: float) -> Turn:
    """Every other one says for how long."""
    said = {"Retry-After": f"{max(1, round(30 * scale))}"} if chance.random() < 0.5 else {}
    return Turn(do="status", status=429, body='{"error": {"message": "Too many requests."}}', headers=said)


def one_of(*names: str) -> Make:
    def make(chance: Random, scale: float) -> Turn:
        return Turn(do=chance.choice(names), delay_s=latency_s(chance) * scale)

    return make


def ended(reason: str) -> Make:
    return lambda chance, scale: Turn(do="finish", reason=reason, delay_s=latency_s(chance) * scale)


def lasting(do: str, seconds: float) -> Make:
    return lambda chance, scale: Turn(do=do, seconds=seconds * scale)


def faults(*, times: float) -> tuple[Share, ...]:
    """Return the faults of a normal day, so many times as often."""
    shares = (
        Share(name="502 page", percent=2.5, make=page(502)),
        Share(name="429", percent=1, make=busy),
        Share(name="504 after a minute", percent=1, make=page(504, after_s=MINUTE_S)),
        Share(name="truncated stream", percent=1, make=one_of("eof", "cut_chunk", "reset_body")),
        Share(name="fenced, thinking or no JSON", percent=1, make=one_of("fenced", "think", "nan")),
        Share(name="cut off by length", percent=1, make=ended("length")),
        Share(name="200 with an error", percent=0.5, make=one_of("error_200")),
        Share(name="stall", percent=0.5, make=lasting("stall_body", 20 * MINUTE_S)),
        Share(name="reset", percent=0.5, make=lasting("reset", 30)),
        Share(name="content filter", percent=0.5, make=ended("content_filter")),
        Share(name="slow trickle", percent=0.5, make=lasting("slow", 4)),
    )
    return tuple(Share(name=each.name, percent=each.percent * times, make=each.make) for each in shares)


def good(percent: float) -> Share:
    return Share(name="answer", percent=percent, make=answered)


def hostile() -> tuple[Share, ...]:
    """Return what nobody should send, as often each as a good answer."""
    names = (
        "nan", "nul", "big_body", "gzip_bomb", "error_page", "redirect", "xss", "bad_utf8", "duplicate_keys",
        "no_choices",
    )  # fmt: skip
    each = 100 / (len(names) + 1)
    return (good(each), *(Share(name=name, percent=each, make=lasting(name, 0)) for name in names))


BAD_GATEWAY = Turn(do="status", status=502, body=PAGE)
PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            name="normal-day",
            says="Nine of ten calls are answered, in 100 s on average and 17 minutes at most; every tenth fails.",
            shares=(good(90), *faults(times=1)),
        ),
        Profile(
            name="bad-day",
            says="Two of three calls are answered; in each ten minutes it loads its model for 40 s.",
            shares=(good(65), *faults(times=3.5)),
            loading_s=40,
        ),
        Profile(
            name="outage",
            says="It refuses for 20 minutes, a proxy says 502 for 10; one answer, 502 for 5 more, and all is well.",
            shares=(good(100),),
            phases=(
                Phase(name="refusing", seconds=20 * MINUTE_S, refuses=True),
                Phase(name="502", seconds=10 * MINUTE_S, turn=BAD_GATEWAY),
                Phase(name="one answer", seconds=60 * MINUTE_S, until_answered=True),
                Phase(name="502 again", seconds=5 * MINUTE_S, turn=BAD_GATEWAY),
            ),
        ),
        Profile(
            name="starved",
            says="Neighbours hold three or four of the permits most of the time, so calls wait without a word.",
            shares=(good(100),),
            crowded=0.8,
        ),
        Profile(
            name="poison",
            says="The first job it meets kills it after 30 s, each time; all others are answered.",
            shares=(good(100),),
            poisons=True,
        ),
        Profile(
            name="hostile",
            says="Ten of eleven calls meet what nobody should send: bombs, pages, redirects, scripts, broken text.",
            shares=hostile(),
        ),
    )
}


def drawn(profile: Profile, *, seed: int, number: int, scale: float = 1) -> tuple[Share, Turn]:
    """Return which share the call of this number falls into, and what it meets; the same seed gives the same."""
    chance = Random(f"{seed}:call:{number}")  # noqa: S311 - weather, not a secret
    share = chance.choices(profile.shares, weights=[each.percent for each in profile.shares])[0]
    return share, share.make(chance, scale)

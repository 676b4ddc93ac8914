"""What upstreams have turned out to know, and how long each reads a prompt."""

from dataclasses import dataclass, field
from typing import Protocol

from coach.gateway.conf import Conf
from coach.gateway.features import Features

LEAST_LINGER_S, MOST_LINGER_S = 60.0, 900.0
CAUTION = 1.5  # of the time that a prompt usually takes, for one that takes longer
WEIGHT = 0.3  # of the newest measurement


class Memory(Protocol):
    def known(self, upstream: Conf) -> Features:
        """Return what may be asked of it."""

    def learn(self, upstream: Conf, features: Features) -> None:
        """Remember that it knows no more than this."""

    def took(self, upstream: Conf, *, tokens: int, seconds: float) -> None:
        """Remember how long it was silent over a prompt of so many tokens."""

    def linger_s(self, upstream: Conf, *, tokens: int) -> float:
        """Return how long it may work on such a prompt although nobody listens any more."""


@dataclass(slots=True, kw_only=True)
class State:
    """What is known of one upstream."""

    features: Features = field(default_factory=Features)
    prompt_s: float | None = None  # for each token

    def measured(self, *, tokens: int, seconds: float) -> float:
        """Return the seconds a token with one more measurement."""
        newest = seconds / max(tokens, 1)
        return newest if self.prompt_s is None else WEIGHT * newest + (1 - WEIGHT) * self.prompt_s

    def linger_s(self, *, tokens: int) -> float:
        usual = CAUTION * (self.prompt_s or 0.0) * tokens
        return min(max(usual, LEAST_LINGER_S), MOST_LINGER_S)


def key(upstream: Conf) -> tuple[str, str, str]:
    """Return by what an upstream is known: another address or model is another one."""
    return upstream.pool, upstream.url, upstream.model


class OfProcess:
    """Remembers for as long as this process lives."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, str, str], State] = {}

    def known(self, upstream: Conf) -> Features:
        return self.state(upstream).features

    def learn(self, upstream: Conf, features: Features) -> None:
        self.state(upstream).features = features

    def took(self, upstream: Conf, *, tokens: int, seconds: float) -> None:
        state = self.state(upstream)
        state.prompt_s = state.measured(tokens=tokens, seconds=seconds)

    def linger_s(self, upstream: Conf, *, tokens: int) -> float:
        return self.state(upstream).linger_s(tokens=tokens)

    def state(self, upstream: Conf) -> State:
        return self._states.setdefault(key(upstream), State())

    def forget(self) -> None:
        self._states.clear()


PROCESS = OfProcess()

"""The settings of the writing services as they are now: tests change them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

POOL = "gateway"  # the first of the route; the others are spares


@dataclass(frozen=True, slots=True, kw_only=True)
class Conf:
    """One upstream, which is also the name of its pool."""

    pool: str
    url: str  # "" where no service is configured
    key: str
    model: str
    idle_seconds: float  # how long the service may be silent
    call_seconds: float  # how long one call may take in all
    max_tokens: int = 4000  # an insight has 400 to 800; the rest is for models that think aloud
    most_tokens: int = 0  # what one more call asks for after an answer that was cut off; 0: none is made
    temperature: float | None = 0.4  # None: it is not sent
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()  # hosts, host:port, addresses, networks; empty: any that is not forbidden
    proxy: str = ""

    @property
    def prefix(self) -> str:
        """Return how the variables of its settings begin."""
        return f"COACH_{self.pool.upper()}"


def conf(pool: str = POOL) -> Conf:
    """Return the settings of a pool's upstream; of a pool that has none, those of the first."""
    spares: dict[str, dict[str, Any]] = getattr(settings, "SPARES", {})
    known = pool in spares
    given: dict[str, Any] = spares[pool] if known else getattr(settings, "GATEWAY", {})
    jobs: dict[str, Any] = getattr(settings, "JOBS", {})
    plain = {"url": "", "key": "", "model": "default", "idle_seconds": 300}
    call_seconds = jobs.get("CLAIM_TIMEOUT_SECONDS", 1200)
    return Conf(**{**plain, **given, "pool": pool if known else POOL, "call_seconds": call_seconds})


def upstreams() -> tuple[Conf, ...]:
    """Return the first and its spares, in the order in which they are tried, configured or not."""
    return tuple(conf(pool) for pool in (POOL, *getattr(settings, "SPARES", {})))


def route() -> tuple[str, ...]:
    """Return the pools that are configured, in the order in which they are tried."""
    return tuple(each.pool for each in upstreams() if each.url)

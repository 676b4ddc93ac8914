"""The settings of the writing service as they are now: tests change them."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Conf:
    url: str  # "" where no service is configured
    key: str
    model: str
    idle_seconds: float  # how long the service may be silent
    call_seconds: float  # how long one call may take in all


def conf() -> Conf:
    given: dict[str, Any] = getattr(settings, "GATEWAY", {})
    jobs: dict[str, Any] = getattr(settings, "JOBS", {})
    return Conf(
        url=given.get("url", ""),
        key=given.get("key", ""),
        model=given.get("model", "default"),
        idle_seconds=given.get("idle_seconds", 300),
        call_seconds=jobs.get("CLAIM_TIMEOUT_SECONDS", 1200),
    )

"""The queue's settings with their defaults; settings.JOBS overrides by name."""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from jobs import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Conf:
    """Times are in seconds."""

    ENABLED: bool = True
    REVISION: str = ""  # of the code that the workers run, for the console to tell beside the version
    POLL_SECONDS: float = 2
    MAX_ATTEMPTS: int = 3
    COOLDOWN_SECONDS: float = 1800
    CLAIM_TIMEOUT_SECONDS: float = 1200
    HEARTBEAT_SECONDS: float = 10
    SELF_KILL_SECONDS: float = 35
    RESCUE_SECONDS: float = 45
    STOP_GRACE_SECONDS: float = 10
    DRAIN_GRACE_SECONDS: float = 30
    DOWN_SECONDS: float = 30
    DOWN_MOST_SECONDS: float = 900
    MISCONFIGURED_SECONDS: float = 1800
    SPARE_AFTER_SECONDS: float = 600  # a pool that is down for so long gives its queued jobs to the next of their route
    SPACING_SECONDS: float = 60
    AGEING_SECONDS: float = 180
    PATIENCE_SECONDS: float = 1800
    WATCH_SECONDS: float = 30
    WATCHES_PER_USER: int = 3
    BACKOFF_SECONDS: tuple[float, ...] = (60, 300, 1200)
    CRASHES: int = 2
    LOST_WORKERS: int = 10  # the same for workers that fell silent: a host's death is seldom one job's fault
    KEEP_JOBS_DAYS: int = 30
    KEEP_ATTEMPTS_DAYS: int = 90
    POOLS: dict[str, dict[str, Any]] = field(default_factory=dict)


def conf() -> Conf:
    """Return the settings as they are now (tests change them)."""
    return Conf(**getattr(settings, "JOBS", {}))


def code() -> str:
    """Return what the console calls the code of a worker: "0.1.0, revision 8dbf5550c1d2"."""
    return f"{__version__}, revision {conf().REVISION}"[:64] if conf().REVISION else __version__

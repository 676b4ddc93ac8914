"""The kinds of jobs, found by name: a handler is a function under @job in some app's handlers.py."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from jobs.conf import conf
from jobs.exceptions import UnknownKind

if TYPE_CHECKING:
    from jobs.transitions.outcomes import Ending
    from jobs.worker.run import Run

type Handler = Callable[["Run"], Any]
type Pick = Callable[[str, str, Mapping[str, Any]], str]  # (owner, subject, args) -> key
type Route = Sequence[str] | Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    name: str
    label: str
    handler: Handler
    pool: str | Pick = ""
    lane: str | Pick = ""
    # Pools in the order in which they are tried; a queued job moves while an earlier one is down. Without `pool` a job
    # begins in the first.
    route: Route = ()
    attempts: int | None = None
    backoff: tuple[float, ...] | None = None
    timeout: float | None = None
    cooldown: float | None = None
    on_interrupt: Literal["requeue", "park"] = "requeue"
    on_end: "Callable[[Ending], None] | None" = None
    quick: bool = False  # runs for milliseconds: claimed and finished by the hundred

    def __post_init__(self) -> None:
        if not self.quick:
            return
        for name, what in (("pool", "a seat of a pool"), ("route", "a seat of a pool"), ("lane", "a lane")):
            if getattr(self, name):
                raise ValueError(
                    f"The quick kind {self.name!r} cannot wait for {what}, which many of one batch would need at once:"
                    f" leave out {name}= or quick=True."
                )
        if self.on_interrupt != "requeue":
            raise ValueError(
                f"The quick kind {self.name!r} cannot be parked: after a crash nobody knows which of a batch have run,"
                " so all run again. Leave out on_interrupt= or quick=True."
            )

    def pool_of(self, owner: str, subject: str, args: Mapping[str, Any]) -> str:
        if callable(self.pool):
            return self.pool(owner, subject, args)
        return self.pool or next(iter(self.pools_in_order()), "")

    def pools_in_order(self) -> tuple[str, ...]:
        """Return the route; fewer than two pools leave nothing to choose."""
        return tuple(self.route() if callable(self.route) else self.route)

    def lane_of(self, owner: str, subject: str, args: Mapping[str, Any]) -> str:
        return self.lane(owner, subject, args) if callable(self.lane) else self.lane

    @property
    def most_attempts(self) -> int:
        return self.attempts if self.attempts is not None else conf().MAX_ATTEMPTS

    @property
    def timeout_s(self) -> float:
        return self.timeout if self.timeout is not None else conf().CLAIM_TIMEOUT_SECONDS

    @property
    def cooldown_s(self) -> float:
        return self.cooldown if self.cooldown is not None else conf().COOLDOWN_SECONDS

    @property
    def steps(self) -> tuple[float, ...]:
        return self.backoff if self.backoff is not None else conf().BACKOFF_SECONDS


KINDS: dict[str, Kind] = {}
HOLDS: dict[str, str] = {}  # kind of hold -> label


def job(name: str, *, label: str = "", **options: Any) -> Callable[[Handler], Handler]:
    """Register the function below as the handler of a kind; the options are the fields of Kind."""

    def register(handler: Handler) -> Handler:
        taken = KINDS.get(name)
        if taken and (taken.handler.__module__, taken.handler.__qualname__) != (
            handler.__module__,
            handler.__qualname__,
        ):
            raise ValueError(
                f"Two handlers are called {name!r}: in {taken.handler.__module__} and {handler.__module__}."
            )
        KINDS[name] = Kind(name=name, label=label or name.capitalize(), handler=handler, **options)
        return handler

    return register


def hold_kind(name: str, *, label: str) -> None:
    """Register a kind of hold, with the words for "… is at work here"."""
    HOLDS[name] = label


def kind_of(name: str) -> Kind:
    try:
        return KINDS[name]
    except KeyError:
        known = ", ".join(sorted(KINDS)) or "none"
        raise UnknownKind(f"No job kind is called {name!r}; known: {known}.") from None


def label(name: str) -> str:
    """Return what people call a kind; of an unknown one, its name."""
    return KINDS[name].label if name in KINDS else name

"""What is known of the writing services, kept for every process and for the next start.

A process reads a row once and again after READ_EVERY_S; a row is written when it changes. What a service did not know
a day ago is tried again: it may have been upgraded.
"""

import hashlib
import time
from dataclasses import asdict, dataclass
from datetime import timedelta

from django.utils import timezone

from coach.gateway.conf import Conf
from coach.gateway.features import Features
from coach.gateway.memory import State, key
from coach.models import Upstream

READ_EVERY_S = 600.0
TRIED_ANEW = timedelta(days=1)
WORTH_WRITING = 0.25  # by which share the speed must differ from what is written


@dataclass(slots=True)
class Seen:
    state: State
    written_s: float | None  # the speed as the row has it
    read_at: float


class Kept:
    """A coach.gateway.memory.Memory in the database."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, str], Seen] = {}

    def known(self, upstream: Conf) -> Features:
        return self._of(upstream).state.features

    def learn(self, upstream: Conf, features: Features) -> None:
        seen = self._of(upstream)
        if seen.state.features != features:
            seen.state.features = features
            write(upstream, features=asdict(features), learnt_at=timezone.now())

    def took(self, upstream: Conf, *, tokens: int, seconds: float) -> None:
        seen = self._of(upstream)
        now_s = seen.state.prompt_s = seen.state.measured(tokens=tokens, seconds=seconds)
        if seen.written_s is None or abs(now_s - seen.written_s) > WORTH_WRITING * seen.written_s:
            seen.written_s = now_s
            write(upstream, prompt_s=now_s)

    def linger_s(self, upstream: Conf, *, tokens: int) -> float:
        return self._of(upstream).state.linger_s(tokens=tokens)

    def forget(self) -> None:
        self._seen.clear()

    def _of(self, upstream: Conf) -> Seen:
        seen = self._seen.get(key(upstream))
        if seen is None or time.monotonic() - seen.read_at > READ_EVERY_S:
            seen = self._seen[key(upstream)] = read(upstream)
        return seen


def read(upstream: Conf) -> Seen:
    row = Upstream.objects.filter(pool=upstream.pool, model=called(upstream), place=place(upstream)).first()
    state = State()
    if row:
        state.prompt_s = row.prompt_s
        if row.features and row.learnt_at and timezone.now() - row.learnt_at < TRIED_ANEW:
            state.features = Features(**row.features)
    return Seen(state=state, written_s=state.prompt_s, read_at=time.monotonic())


def write(upstream: Conf, **changed: object) -> None:
    """Write what changed; of another place everything is forgotten first."""
    where = place(upstream)
    row, _ = Upstream.objects.get_or_create(pool=upstream.pool, model=called(upstream), defaults={"place": where})
    if row.place != where:
        changed = {"features": None, "learnt_at": None, "prompt_s": None, "place": where, **changed}
    Upstream.objects.filter(pk=row.pk).update(**changed, changed_at=timezone.now())


def called(upstream: Conf) -> str:
    return upstream.model[:80]


def place(upstream: Conf) -> str:
    return hashlib.sha256(upstream.url.encode()).hexdigest()


KEPT = Kept()

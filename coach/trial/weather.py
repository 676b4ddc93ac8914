"""What the calls of a day meet: the profile's phases by the clock, its shares by the seed."""

import threading
from collections.abc import Callable
from contextlib import suppress
from random import Random

from coach.trial.permits import Closing, Neighbours, Permits
from coach.trial.profiles import MINUTE_S, Phase, Profile, drawn
from coach.trial.script import Turn

ROUND_S = 10 * MINUTE_S
LOADING = '{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'
DYING_S = 30.0


class Weather:
    """One day. `scale` is how many real seconds a second of it lasts."""

    def __init__(
        self, profile: Profile, *, seed: int, scale: float, clock: Callable[[], float], tell: Callable[[str], None]
    ) -> None:
        self.profile, self.seed, self.scale, self.tell = profile, seed, scale, tell
        self._clock = clock
        self._lock = threading.Lock()
        self._began = clock()
        self._ahead = list(profile.phases)
        self._since = self._began  # when the phase at the head began
        self._poisoned = ""  # the job that kills

    def elapsed_s(self) -> float:
        """Return the seconds of the day."""
        return (self._clock() - self._began) / self.scale

    def phase(self) -> Phase | None:
        """Return the phase of now; None when all are over."""
        with self._lock:
            while self._ahead and self._clock() - self._since >= self._ahead[0].seconds * self.scale:
                self._since += self._ahead.pop(0).seconds * self.scale
                self.tell(f"now: {self._ahead[0].name if self._ahead else 'all is well'}")
            return self._ahead[0] if self._ahead else None

    def turn(self, *, number: int, job: str) -> tuple[Turn, bool]:
        """Return what the call meets, and whether that is an outage."""
        name, met, outage = self._met(number, job)
        self.tell(f"call {number} of job {job or '-'}: {name}")
        return met, outage

    def _met(self, number: int, job: str) -> tuple[str, Turn, bool]:
        phase = self.phase()
        if phase and phase.turn:
            return phase.name, phase.turn, True
        if self.is_loading():
            return "503 loading", Turn(do="status", status=503, body=LOADING), True
        if self.kills(job):
            return "dies of it", Turn(do="reset", seconds=DYING_S * self.scale), False
        share, met = drawn(self.profile, seed=self.seed, number=number, scale=self.scale)
        if phase and phase.until_answered:
            self._end(phase)
        return share.name, met, False

    def is_loading(self) -> bool:
        """Say whether it loads its model now: once a round, when is drawn."""
        if not self.profile.loading_s:
            return False
        round_number, at_s = divmod(self.elapsed_s(), ROUND_S)
        begins_s = self.loading_begins_s(int(round_number))
        return begins_s <= at_s < begins_s + self.profile.loading_s

    def loading_begins_s(self, round_number: int) -> float:
        chance = Random(f"{self.seed}:loading:{round_number}")  # noqa: S311
        return chance.uniform(0, ROUND_S - self.profile.loading_s)

    def kills(self, job: str) -> bool:
        with self._lock:
            self._poisoned = self._poisoned or (job if self.profile.poisons else "")
            return bool(job) and job == self._poisoned

    def _end(self, phase: Phase) -> None:
        """Have the phase be over with the answer that it waited for."""
        with self._lock:
            if self._ahead and self._ahead[0] is phase:
                self._since = self._clock()
                self._ahead.pop(0)
                self.tell(f"now: {self._ahead[0].name if self._ahead else 'all is well'}")


def crowd(neighbours: Neighbours, permits: Permits, *, share: float, seed: int, scale: float) -> None:
    """Hold three or four permits for this share of each round, until the gateway is stopped."""
    chance = Random(f"{seed}:crowd")  # noqa: S311
    with suppress(Closing):
        while True:
            neighbours.hold(chance.choice((3, 4)))
            permits.pause(ROUND_S * share * scale)
            neighbours.hold(0)
            permits.pause(ROUND_S * (1 - share) * scale)

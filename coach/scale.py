"""The scale by which a session is measured: the thresholds of its day, sex and age."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from coach.formats import Recording
from coach.metrics.session import SessionMetrics, summarize
from coach.models import Athlete, Threshold

VERSION = 4  # of what is derived: with a new one every session is measured again, whatever its thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    thresholds: Mapping[str, float]
    sex: str
    age: int | None
    estimated: tuple[str, ...] = ()  # kinds of threshold, in order

    @classmethod
    def of(cls, athlete: Athlete, day: date) -> "Scale":
        held = list(Threshold.objects.filter(athlete=athlete).valid_on(day))
        return cls(
            thresholds={threshold.kind: threshold.value for threshold in held},
            sex=athlete.sex,
            age=day.year - athlete.birth_year if athlete.birth_year else None,
            estimated=tuple(sorted(threshold.kind for threshold in held if threshold.estimated)),
        )

    @property
    def key(self) -> str:
        """What changes when, and only when, the session must be measured again."""
        held = dict(sorted(self.thresholds.items()))
        canon = json.dumps([VERSION, held, self.sex, self.age, self.estimated], separators=(",", ":"))
        return hashlib.sha256(canon.encode()).hexdigest()

    def measure(self, recording: Recording, *, effort: int | None = None) -> SessionMetrics:
        return summarize(
            recording,
            thresholds=self.thresholds,
            sex=self.sex,
            age=self.age,
            felt=effort,
            estimated=self.estimated,
        )

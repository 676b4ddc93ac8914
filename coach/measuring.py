"""What an activity says, computed from its recording: the place, the day, and every measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from coach import loading, places, stored
from coach.formats import Recording
from coach.formats.composing import Composed, composed
from coach.metrics.session import SessionMetrics
from coach.models import Activity, Athlete, Provenance
from coach.scale import Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A recording with what is derived from it."""

    recording: Recording
    metrics: SessionMetrics
    zone: str
    local_date: date
    measured_with: str

    @property
    def fields(self) -> dict[str, Any]:
        """Return every field of an activity but whose it is and where it came from."""
        recording = self.recording
        return {
            "started_at": recording.started_at,
            "time_zone": self.zone,
            "local_date": self.local_date,
            "sport": recording.sport[:32],
            "sub_sport": recording.sub_sport[:32],
            "name": recording.name[:200],
            "indoor": recording.indoor,
            "virtual": recording.virtual,
            "measured_with": self.measured_with,
            **derived(self.metrics),
        }


def measure(recording: Recording, athlete: Athlete, *, effort: int | None = None) -> Measured:
    """Measure a recording by the thresholds of its day, and by how hard it felt where nothing else says."""
    zone = places.zone_of(recording, home=athlete.time_zone)
    day = places.local(recording.started_at, zone).date()
    scale = Scale.of(athlete, day)
    return Measured(
        recording=recording,
        metrics=scale.measure(recording, effort=effort),
        zone=zone,
        local_date=day,
        measured_with=scale.key,
    )


def derived(metrics: SessionMetrics) -> dict[str, Any]:
    """Return the fields of an activity that are computed from its recording."""
    values = {name: getattr(metrics, name) for name in metrics.__slots__}
    names = {field.name for field in Activity._meta.concrete_fields}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items() if name in names}


def whole(origins: Sequence[Provenance]) -> Composed:
    """Return the session that stored recordings, in order of precedence, are of; each began when its row says."""
    return composed([stored.dated(loading.load(origin), origin) for origin in origins])


def keep_given(origins: Sequence[Provenance], whole: Composed) -> None:
    """Write down what each of several recordings gave to the session, for its page to say."""
    if len(origins) > 1:
        for origin, names in zip(origins, whole.gave, strict=True):
            origin.gave = list(names)
        Provenance.objects.bulk_update(origins, ["gave"])

"""The athlete's own words about a session, which hold again whenever one of its recordings comes in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coach.formats import Recording
from coach.models import Correction, Provenance

WORDS: Mapping[str, Any] = {"stated_type": "", "effort": None, "note": "", "is_race": False, "is_ignored": False}
INPUTS = ("distance_m", "ascent_m")  # what the recording got wrong; everything derived from it follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    words: Mapping[str, Any]  # fields of the activity, those nothing was said of included
    inputs: Mapping[str, float]

    @property
    def is_measured_with(self) -> bool:
        """Say whether what was said changes what is measured."""
        return bool(self.inputs) or self.words["effort"] is not None

    def corrected(self, recording: Recording) -> Recording:
        """Return the recording as the athlete put it right; a distance stretches what was covered on the way to it."""
        known: dict[str, Any] = dict(self.inputs)
        distance, streams = known.get("distance_m"), dict(recording.streams)
        covered = streams.get("distance_m")
        if distance and covered is not None and recording.distance_m:
            streams["distance_m"] = covered * (distance / recording.distance_m)
        return replace(recording, streams=streams, **known)


def of(origins: Sequence[Provenance]) -> Said:
    """Return what was said of the session of these recordings; where they differ, of the leading one."""
    order = {origin.key: number for number, origin in enumerate(origins)}
    athletes = {origin.athlete_id for origin in origins}
    rows = Correction.objects.filter(athlete__in=athletes, key__in=order, field__in=[*WORDS, *INPUTS])
    found: dict[str, Any] = {}
    for row in sorted(rows, key=lambda row: order[row.key]):
        found.setdefault(row.field, row.value)
    words = {field: found.get(field, nothing) for field, nothing in WORDS.items()}
    return Said(words=words, inputs={field: float(found[field]) for field in INPUTS if field in found})

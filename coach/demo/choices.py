"""Which format a session is written in, and how often its samples are kept."""

import numpy as np

from coach.demo.workouts import Workout

_FORMATS = {"fit": 0.54, "gpx": 0.23, "tcx": 0.23}
# GPX has no room for what has no positions, TCX has no words for other sports than riding and running.
_INDOOR_FORMATS = {"fit": 0.75, "tcx": 0.25}
_HIKING_FORMATS = {"fit": 0.4, "gpx": 0.6}
_FIT_ONLY = {"fit": 1.0}
_FOR_FIT_ALONE = {"lap_swimming", "treadmill"}  # no other format says where they were done

# Seconds between samples; 0 is smart recording, which keeps what it finds worth keeping.
_SPACINGS = {1: 0.03, 3: 0.04, 5: 0.58, 0: 0.35}
_XML_SPACINGS = {3: 0.04, 5: 0.56, 0: 0.40}  # a point of XML takes ten times the room of a FIT record


def chosen_format(workout: Workout, *, rng: np.random.Generator) -> str:
    """Return a format that can hold the session."""
    if workout.race or workout.sub_sport in _FOR_FIT_ALONE:
        formats = _FIT_ONLY
    elif workout.sport == "hiking":
        formats = _HIKING_FORMATS
    else:
        formats = _INDOOR_FORMATS if workout.indoor else _FORMATS
    return str(rng.choice(list(formats), p=list(formats.values())))


def chosen_spacing(workout: Workout, *, format_: str, rng: np.random.Generator) -> int:
    """Return the seconds between samples, or 0 for smart recording; a race is recorded every second."""
    if workout.race:
        return 1
    spacings = _SPACINGS if format_ == "fit" else _XML_SPACINGS
    return int(rng.choice(list(spacings), p=list(spacings.values())))

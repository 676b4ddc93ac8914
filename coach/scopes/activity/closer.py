"""A closer look at a part of a session: the same series as its chart, finer."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.db.models import CharField, Func

from coach.models import Activity, Athlete, Provenance
from coach.scopes.activity import charts
from coach.scopes.activity.samples import part_of
from coach.scopes.activity.series import series_of
from coach.scopes.terms import style_of

DRAWING = 2  # raise it when the same samples are drawn otherwise


def closer(activity: Activity, athlete: Athlete, *, part: tuple[float, float]) -> dict[str, Any] | None:
    """Return what `charts.streams` returns of the part; None where there are no samples."""
    drawn = part_of(activity, part=part)
    series = series_of(activity, drawn.get("lines", ()), style=style_of(athlete))
    return charts.streams(activity, drawn, series, intervals=activity.intervals)


def fingerprint(activity: Activity, athlete: Athlete) -> str:
    """Return what differs when anything differs that the picture is made of; no samples are unpacked for it."""
    style = style_of(athlete)
    marks = [activity.laps, activity.pauses, activity.intervals]
    said = [DRAWING, activity.sport, *marks, style.units, style.language, samples(activity)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]


def samples(activity: Activity) -> Sequence[tuple[int, str]]:
    packed = Func("streams__packed", function="md5", output_field=CharField())
    rows = Provenance.objects.filter(activity=activity, streams__isnull=False).leading_first()
    return list(rows.values_list("precedence", packed))

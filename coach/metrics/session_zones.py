"""Time in zones of a session, with the bounds of its day."""

from coach.formats.recording import Array
from coach.metrics import zones
from coach.metrics.arrays import measured
from coach.metrics.grid import Grid
from coach.metrics.sports import Sport
from coach.metrics.thresholds import HeartProfile


def zone_seconds(
    grid: Grid,
    *,
    sport: Sport,
    heart: HeartProfile | None,
    ftp_w: float | None,
    graded_mps: Array | None = None,
    threshold_mps: float | None = None,
) -> dict[str, list[float]]:
    """Return seconds in each zone and, beside them, the bounds of that day, so that labels never drift.

    `graded_mps` is the graded speed at each second of a run that is judged by its pace, None of anything else.
    """
    found: dict[str, list[float]] = {}
    if heart is not None and grid.has("heart_rate_bpm"):
        bounds = heart_bounds_bpm(heart, sport=sport)
        found["heart_rate"] = [float(s) for s in zones.seconds_in(grid["heart_rate_bpm"], bounds=bounds)]
        found["heart_rate_bounds_bpm"] = list(bounds)
    if ftp_w and sport.family == "cycling" and grid.has("power_w"):
        watts = zones.coggan_bounds_w(ftp_w)
        found["power"] = [float(s) for s in zones.seconds_in(grid["power_w"], bounds=watts)]
        found["power_bounds_w"] = list(watts)
    if threshold_mps and graded_mps is not None and measured(graded_mps).size:
        speeds = zones.friel_bounds_mps(threshold_mps)
        found["pace"] = [float(s) for s in zones.seconds_in(graded_mps, bounds=speeds)]
        found["pace_bounds_mps"] = list(speeds)
    return found


def heart_bounds_bpm(heart: HeartProfile, *, sport: Sport) -> tuple[float, ...]:
    """Use Friel's zones where the threshold was measured, Karvonen's otherwise."""
    if heart.knows_threshold:
        return zones.friel_bounds_bpm(heart.lthr_bpm, cycling=sport.family == "cycling")
    return zones.karvonen_bounds_bpm(rest_bpm=heart.rest_bpm, max_bpm=heart.max_bpm)

"""How hard a session was: power or graded speed, alone and against the heart rate."""

from dataclasses import dataclass

from coach.formats.recording import Array, Recording
from coach.metrics import power, terrain
from coach.metrics.arrays import mean
from coach.metrics.decoupling import decoupling_pct, is_steady
from coach.metrics.grid import Grid
from coach.metrics.motion import speed_from_distance
from coach.metrics.sports import Sport


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    power_avg_w: float | None = None
    normalized_power_w: float | None = None
    graded_speed_mps: float | None = None
    variability_index: float | None = None
    efficiency_factor: float | None = None
    decoupling_pct: float | None = None


def of(recording: Recording, *, grid: Grid, sport: Sport, distance_m: float | None, timer_s: float) -> Effort:
    """Judge rides (and whatever else has power) by power, runs outdoors by graded speed."""
    if is_graded(recording, sport=sport):
        return by_speed(recording, grid=grid, sport=sport, distance_m=distance_m, timer_s=timer_s)
    return by_power(recording, grid=grid)


def is_graded(recording: Recording, *, sport: Sport) -> bool:
    return sport.family == "running" and not recording.indoor and not recording.virtual


def by_power(recording: Recording, *, grid: Grid) -> Effort:
    """Use samples; what the device says of itself only where there are none, and only when plausible."""
    watts, heart = grid["power_w"], mean(grid["heart_rate_bpm"])
    average = mean(watts)
    if average is None:
        told = recording.device_summary.get("avg_power_w")
        return Effort(power_avg_w=told if told is not None and 0 < told <= 700 else None)
    normalized = power.normalized_power_w(watts)
    if normalized is None:
        return Effort(power_avg_w=average)
    variability = power.variability_index(normalized, average_w=average)
    steady = is_steady(variability=variability, seconds=float(watts.size))
    return Effort(
        power_avg_w=average,
        normalized_power_w=normalized,
        variability_index=variability,
        efficiency_factor=power.efficiency_factor(normalized, heart_rate_bpm=heart) if heart else None,
        decoupling_pct=decoupling_pct(watts, grid["heart_rate_bpm"]) if steady else None,
    )


def by_speed(recording: Recording, *, grid: Grid, sport: Sport, distance_m: float | None, timer_s: float) -> Effort:
    """Mean graded speed is distance over timer, times the mean cost of the grades under that distance."""
    watts, heart = mean(grid["power_w"]), mean(grid["heart_rate_bpm"])
    if not distance_m or timer_s <= 0:
        return Effort(power_avg_w=watts)
    grade = terrain.grades(grid["distance_m"], grid["altitude_m"], barometric=recording.barometric)
    factor = terrain.mean_cost_factor(grid["distance_m"], grade)
    graded = distance_m / timer_s * (1.0 if factor is None else factor)
    seconds = graded_seconds(grid, grade=grade, sport=sport)
    steady = is_steady(variability=variability_of(seconds), seconds=timer_s)
    return Effort(
        power_avg_w=watts,
        graded_speed_mps=graded,
        efficiency_factor=power.efficiency_factor(graded * 60, heart_rate_bpm=heart) if heart else None,
        decoupling_pct=decoupling_pct(seconds, grid["heart_rate_bpm"]) if steady else None,
    )


def graded_seconds(grid: Grid, *, grade: Array, sport: Sport) -> Array:
    """Return graded speed (m/s) at each second."""
    speed = speed_from_distance(grid["distance_m"], fastest_mps=sport.fastest_mps)
    return terrain.graded_speed_mps(speed, grade)


def variability_of(seconds: Array) -> float | None:
    """Return the variability index of graded speed, as `variability_index` is of power."""
    normalized, average = power.normalized(seconds), mean(seconds)
    if normalized is None or average is None:
        return None
    return power.variability_index(normalized, average_w=average)


def graded_stream(recording: Recording, *, grid: Grid, sport: Sport) -> Array | None:
    """Return graded speed (m/s) at each second of what is judged by it; None of anything else."""
    if not is_graded(recording, sport=sport):
        return None
    grade = terrain.grades(grid["distance_m"], grid["altitude_m"], barometric=recording.barometric)
    return graded_seconds(grid, grade=grade, sport=sport)


def main_stream(grid: Grid, *, sport: Sport, graded: bool, barometric: bool = False) -> tuple[str, Array] | None:
    """Return how hard each second was: ("power_w", W) or ("speed_mps", m/s, on the flat where graded)."""
    if sport.family == "cycling" and grid.has("power_w"):
        return "power_w", grid["power_w"]
    if sport.family != "running" or not grid.has("distance_m"):
        return None
    if not graded:
        return "speed_mps", speed_from_distance(grid["distance_m"], fastest_mps=sport.fastest_mps)
    grade = terrain.grades(grid["distance_m"], grid["altitude_m"], barometric=barometric)
    return "speed_mps", graded_seconds(grid, grade=grade, sport=sport)

"""Summarizes a recording: every derived value of an activity, computed once when its file is read."""

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from coach.formats.recording import Array, Recording
from coach.metrics import effort, load, summary
from coach.metrics.arrays import mean, measured
from coach.metrics.distances import distance_of, moving_of
from coach.metrics.grid import Grid
from coach.metrics.heart import trimp
from coach.metrics.kind import kind_of
from coach.metrics.peaks import Peak, peaks_of
from coach.metrics.prepare import prepare
from coach.metrics.route import route_of
from coach.metrics.session_zones import zone_seconds
from coach.metrics.sketch import Sketch, sketch
from coach.metrics.sports import Sport, sport
from coach.metrics.terrain import ascent_m
from coach.metrics.thresholds import HeartProfile, estimates_sentence, heart_profile

CLIMBING_MOST_M = 20_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMetrics:
    """The derived fields of an activity, by their names."""

    timer_s: float
    moving_s: float
    elapsed_s: float
    distance_m: float | None = None
    ascent_m: float | None = None
    descent_m: float | None = None
    energy_kcal: float | None = None
    heart_rate_avg_bpm: float | None = None
    heart_rate_max_bpm: float | None = None
    cadence_avg_rpm: float | None = None
    power_avg_w: float | None = None
    normalized_power_w: float | None = None
    graded_speed_mps: float | None = None
    intensity_factor: float | None = None
    variability_index: float | None = None
    efficiency_factor: float | None = None
    decoupling_pct: float | None = None
    trimp: float | None = None
    load: float = 0.0
    load_from: str = "estimate"
    zone_seconds: dict[str, list[float]] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)
    laps: list[dict[str, Any]] = field(default_factory=list)
    pauses: list[dict[str, Any]] = field(default_factory=list)
    route: list[list[float]] = field(default_factory=list)
    session_type: str = ""
    intervals: Mapping[str, Any] = field(default_factory=dict)
    bests: tuple[Peak, ...] = ()  # rows of their own, as is the sketch
    sketch: Mapping[str, Any] = field(default_factory=dict)


def summarize(
    recording: Recording,
    *,
    thresholds: Mapping[str, float],
    sex: str,
    age: int | None,
    felt: int | None = None,
    estimated: Collection[str] = (),
) -> SessionMetrics:
    """Derive everything from one recording and the thresholds of its day, by the names of `Threshold.Kind`.

    A threshold that is missing leaves the values that need it None, and the load falls to the next way. `felt` is how
    hard it was, 1 to 10, by the athlete's own word; `estimated` are the thresholds that are marked as estimates.
    """
    made = prepare(recording)
    kind = sport(recording.sport)
    elapsed_s = positive(recording.elapsed_s)
    timer_s = min(positive(recording.timer_s), elapsed_s or math.inf)
    distance_m, doubts = distance_of(recording, streams=made.streams, sport=kind, timer_s=timer_s)
    done = effort.of(recording, grid=made.grid, sport=kind, distance_m=distance_m, timer_s=timer_s)
    heart = heart_profile(thresholds, age=age)
    rates = heart_rates(recording, grid=made.grid)
    if summary.is_all(recording):
        done = summary.effort(recording, done=done)
    evidence = load.Evidence(
        sport=kind,
        timer_s=timer_s,
        outdoors=effort.is_graded(recording, sport=kind),
        normalized_power_w=done.normalized_power_w,
        graded_speed_mps=done.graded_speed_mps,
        trimp=impulse(made.grid, heart=heart, sex=sex),
        heart_rate_s=float(measured(made.grid["heart_rate_bpm"]).size),
        heart=heart,
        sex=sex,
        thresholds=thresholds,
        felt=felt,
    )
    if summary.is_all(recording):
        evidence = summary.evidence(evidence, heart_rate_avg_bpm=rates["heart_rate_avg_bpm"])
    scored = load.measure(evidence)
    told = summary.remarks(scored) if summary.is_all(recording) else ()
    ascent, descent = climbing(recording, grid=made.grid)
    cadence = made.grid["cadence_rpm"]
    pace = thresholds.get("threshold_pace_s_per_km")
    zones = zone_seconds(
        made.grid,
        sport=kind,
        heart=heart,
        ftp_w=thresholds.get("ftp_w"),
        graded_mps=effort.graded_stream(recording, grid=made.grid, sport=kind),
        threshold_mps=1000 / pace if pace else None,
    )
    assumed = (
        heart.sentence if heart and "heart_rate" in zones else "",
        estimates_sentence({scored.way, *zones}, estimated=estimated),
    )
    seen = sketched(recording, streams=made.streams, sport=kind)
    return SessionMetrics(
        timer_s=timer_s,
        moving_s=moving_of(recording, streams=made.streams, sport=kind, timer_s=timer_s),
        elapsed_s=elapsed_s or timer_s,
        distance_m=distance_m,
        ascent_m=ascent,
        descent_m=descent,
        energy_kcal=recording.energy_kcal,
        **rates,
        cadence_avg_rpm=mean(cadence[cadence > 0]),
        **asdict(done),
        intensity_factor=scored.intensity_factor,
        trimp=evidence.trimp,
        load=scored.points,
        load_from=scored.way,
        zone_seconds=zones,
        flags=list(
            dict.fromkeys(filter(None, (*recording.notes, *made.remarks, *doubts, *scored.flags, *told, *assumed)))
        ),
        laps=[asdict(lap) for lap in recording.laps],
        pauses=[asdict(pause) for pause in recording.pauses],
        route=route_of(recording, made.streams),
        session_type=kind_of(
            family=kind.family,
            timer_s=timer_s,
            load=scored.points,
            load_from=scored.way,
            has_intervals=bool(seen.intervals),
        ),
        intervals=seen.intervals,
        bests=peaks_of(recording, made=made, sport=kind),
        sketch=seen.drawn,
    )


def sketched(recording: Recording, *, streams: Mapping[str, Array], sport: Sport) -> Sketch:
    return sketch(
        streams,
        pauses=recording.pauses,
        sport=sport,
        indoors=recording.indoor or recording.virtual,
        barometric=recording.barometric,
    )


def impulse(grid: Grid, *, heart: HeartProfile | None, sex: str) -> float | None:
    if heart is None:
        return None
    return trimp(grid["heart_rate_bpm"], rest_bpm=heart.rest_bpm, max_bpm=heart.max_bpm, sex=sex)


def positive(seconds: float) -> float:
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


def climbing(recording: Recording, *, grid: Grid) -> tuple[float | None, float | None]:
    """Take the device's own ascent, else measure altitude; in a made-up world altitude is exact."""
    if recording.ascent_m is not None and 0 <= recording.ascent_m <= CLIMBING_MOST_M:
        return recording.ascent_m, recording.descent_m
    if recording.indoor and not recording.virtual:
        return None, None
    exact = recording.barometric or recording.virtual
    return ascent_m(grid["altitude_m"], barometric=exact) or (None, None)


def heart_rates(recording: Recording, *, grid: Grid) -> dict[str, float | None]:
    """Take heart rate from samples, else from the device's summary when plausible."""
    beats = measured(grid["heart_rate_bpm"])
    if beats.size:
        return {"heart_rate_avg_bpm": float(beats.mean()), "heart_rate_max_bpm": float(beats.max())}
    told = {name: recording.device_summary.get(f"{name}_heart_rate_bpm") for name in ("avg", "max")}
    return {
        f"heart_rate_{name}_bpm": value if value is not None and 25 <= value <= 250 else None
        for name, value in told.items()
    }

"""An athlete of whom everything is known, made in either order: what is said of them must not depend on it."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any

from coach.metrics.peaks import ON_FOOT_M
from coach.models import Athlete, Best, Goal, Planned, Threshold
from tests.coach.metrics.recordings import streams
from tests.coach.scopes import rows
from tests.coach.scopes.rows import TODAY

DAY = timedelta(days=1)
ZONES = {"heart_rate": [900, 900, 600, 600, 300, 200, 100], "heart_rate_bounds_bpm": [138, 153, 160, 170, 175, 180]}
RIDE: dict[str, Any] = {
    "sport": "cycling", "load_from": "power", "timer_s": 5400.0, "moving_s": 5000.0, "elapsed_s": 6000.0, "load": 90.0,
    "distance_m": 45_000.0, "ascent_m": 500.0, "heart_rate_avg_bpm": 150.0, "heart_rate_max_bpm": 178.0,
    "power_avg_w": 190.0, "normalized_power_w": 200.0, "intensity_factor": 0.8, "variability_index": 1.05,
    "efficiency_factor": 1.33, "decoupling_pct": 4.2, "flags": ["2 implausible values of power left out."],
    "zone_seconds": {
        "power": [900, 900, 900, 900, 900, 600, 300], "power_bounds_w": [137, 187, 225, 262, 300, 375],
    },
}  # fmt: skip
Step = Callable[[Athlete], object]


def made(name: str = "ana", *, backwards: bool = False) -> Athlete:
    owner = rows.athlete(name, weight_goal_kg=68.0)
    steps = list(every_step())
    for step in reversed(steps) if backwards else steps:
        step(owner)
    return owner


def every_step() -> Iterable[Step]:
    for number, way in enumerate(("power", "pace", "heart_rate", "estimate", "effort")):
        yield session(TODAY - DAY * (number + 1), sport="cycling", load_from=way, load=40.0 + 10 * number)
    for number in range(120):
        yield session(
            TODAY - DAY * number, efficiency_factor=1.3 + number % 5 / 100, graded_speed_mps=3.0 + number / 900,
            heart_rate_avg_bpm=150.0, ascent_m=80.0, zone_seconds=ZONES, load=50.0 + number % 4 * 10,
            is_race=number % 30 == 10,
        )  # fmt: skip
    for number in range(8):
        for span in ON_FOOT_M[:5]:
            seconds = (1200.0 + 3 * number) * (span / 5000) ** 1.06
            yield best(TODAY - DAY * (14 * number + 2), "time", span, seconds, family="running")
    for span, watts in ((5, 800.0), (180, 400.0), (300, 370.0), (720, 320.0), (1200, 305.0)):
        yield best(TODAY - DAY * 200, "power", span, watts - 20, family="cycling")
        yield best(TODAY - DAY * 5, "power", span, watts, family="cycling")
    yield lambda owner: rows.measures(owner, "hrv_rmssd_ms", [60.0 + number % 5 for number in range(70)])
    yield lambda owner: rows.measures(owner, "resting_heart_rate_bpm", [48.0 + number % 3 for number in range(70)])
    yield lambda owner: rows.measures(owner, "weight_kg", [70.0 - number / 100 for number in range(60)])
    stages = {"deep": 80.0, "rem": 90.0, "light": 300.0, "awake": 12.0}
    yield lambda owner: rows.nights(owner, [470.0] * 30, stages=stages)
    yield of(Goal, name="Race", sport="running", day=TODAY + DAY * 30, distance_m=42_195.0, target_s=12_600.0)
    yield of(Planned, day=TODAY, title="Easy", sport="running", duration_s=3600.0, load=45.0)
    yield of(Threshold, kind="ftp_w", value=250.0, valid_from=date(2026, 1, 1), estimated=True)


def session(day: date, **values: Any) -> Step:
    return lambda owner: rows.activity(owner, day, **values)


def of(model: Any, **values: Any) -> Step:
    return lambda owner: model.objects.create(athlete=owner, **values)


def best(day: date, measure: str, span: int, value: float, *, family: str) -> Step:
    def make(owner: Athlete) -> None:
        row = rows.activity(owner, day, sport=family)
        Best.objects.create(
            activity=row, athlete=owner, family=family, measure=measure, span=span, value=value, local_date=day
        )

    return make


def ride_of(owner: Athlete, *, backwards: bool = False) -> int:
    """Make a ride of intervals with everything that a ride can have, and three before it to compare with."""
    days = [TODAY - DAY * back for back in (40, 50, 60)]
    for day in reversed(days) if backwards else days:
        rows.activity(owner, day, **RIDE)
    made = streams(5400, power_w=150.0, heart_rate_bpm=150.0)
    for number in range(5):
        made["power_w"][900 + 600 * number : 1200 + 600 * number] = 320.0
    return rows.with_streams(rows.activity(owner, **RIDE), made).pk

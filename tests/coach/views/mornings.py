"""Weeks of nights, mornings and weigh-ins up to the athlete's today, without a file that was read."""

from datetime import UTC, datetime, time, timedelta

from coach.models import Athlete, ImportFile, ImportRun, Measure, Night
from tests import factories

SWING = (-4, 1, 3, -2, 5, 0, -3)


def mornings(owner: Athlete, *, days: int = 75, skip: int = 11, provider: str = "Ring") -> None:
    """Make a night a day, but for every so many, with HRV, resting heart rate and a weight in the morning."""
    run = ImportRun.objects.create(source=factories.source(owner))
    file = ImportFile.objects.create(run=run, name="days.json", size=1)
    shown = [back for back in range(days) if back % skip != skip - 1]
    Night.objects.bulk_create(_night(owner, file, back, provider) for back in shown)
    for metric, level in (("hrv_rmssd_ms", 64.0), ("resting_heart_rate_bpm", 49.0), ("weight_kg", 72.0)):
        Measure.objects.bulk_create(_measure(owner, file, back, provider, metric, level) for back in shown)


def _night(owner: Athlete, file: ImportFile, back: int, provider: str) -> Night:
    day = owner.today() - timedelta(days=back)
    began = datetime.combine(day - timedelta(days=1), time(21, 30), tzinfo=UTC) + timedelta(minutes=7 * SWING[back % 7])
    asleep = 440.0 + 12 * SWING[back % 7]
    stages = {"deep": 70.0, "rem": 100.0, "light": asleep - 170, "awake": 20.0}
    fields = {"start_at": began, "time_zone": "Europe/Berlin", "asleep_min": asleep, "stages": stages}
    return Night(athlete=owner, file=file, provider=provider, wake_date=day, **fields)


def _measure(owner: Athlete, file: ImportFile, back: int, provider: str, metric: str, level: float) -> Measure:
    day = owner.today() - timedelta(days=back)
    value = level * (1 + SWING[back % 7] / 100) + (0.02 * back if metric == "weight_kg" else 0)
    at = datetime.combine(day, time(5), tzinfo=UTC)
    return Measure(athlete=owner, file=file, provider=provider, metric=metric, at=at, local_date=day, value=value)

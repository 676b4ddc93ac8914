"""Nights and measures of the body, one of each a day, from two providers."""

import random
from datetime import UTC, datetime, time, timedelta

import numpy as np

from coach.models import Athlete, DayCurve, ImportFile, ImportRun, Measure, Night
from coach.streams import pack
from tests import factories

CURVES = 60
DAILY = {
    "weight_kg": (68.0, 0.6),
    "resting_heart_rate_bpm": (47.0, 2.0),
    "hrv_rmssd_ms": (62.0, 9.0),
    "steps": (8500.0, 2500.0),
}


def make(athlete: Athlete, *, days: int) -> None:
    chance = random.Random(11)
    run = ImportRun.objects.create(source=factories.source(athlete, "Health export"))
    file = ImportFile.objects.create(
        run=run, name="export.zip", size=10**9, sha256=f"{athlete.pk:064x}", outcome="imported"
    )
    today = athlete.today()
    Night.objects.bulk_create(
        (night(file, athlete, today - timedelta(days=back), chance) for back in range(days)), 1000
    )
    Measure.objects.bulk_create(
        (
            Measure(
                athlete=athlete, file=file, provider="Garmin", metric=metric,
                at=datetime.combine(today - timedelta(days=back), time(5), tzinfo=UTC),
                local_date=today - timedelta(days=back), value=round(max(1, chance.gauss(mean, spread)), 1),
            )
            for metric, (mean, spread) in DAILY.items()
            for back in range(days)
        ),
        batch_size=2000,
    )  # fmt: skip
    minutes = np.round(62 + 15 * np.sin(np.arange(1440) / 200))
    packed = pack({"heart_rate_bpm": minutes, "samples": np.ones(1440)})
    DayCurve.objects.bulk_create(
        DayCurve(athlete=athlete, file=file, provider="Garmin", metric="heart_rate_bpm",
                 local_date=today - timedelta(days=back), packed=packed)
        for back in range(min(CURVES, days))
    )  # fmt: skip


def night(file: ImportFile, athlete: Athlete, day: object, chance: random.Random) -> Night:
    asleep_min = round(chance.gauss(440, 45))
    start = datetime.combine(day, time(21, 40), tzinfo=UTC) - timedelta(days=1)  # type: ignore[arg-type]
    light, deep = round(asleep_min * 0.55), round(asleep_min * 0.2)
    return Night(
        athlete=athlete,
        file=file,
        provider="Garmin",
        wake_date=day,
        start_at=start,
        end_at=start + timedelta(minutes=asleep_min + 25),
        time_zone=athlete.time_zone,
        asleep_min=asleep_min,
        in_bed_min=asleep_min + 25,
        stages={"light": light, "deep": deep, "rem": asleep_min - light - deep, "awake": 12},
        pieces=[[0, light * 60, "light"], [light * 60, deep * 60, "deep"]],
    )

"""The rows of days and nights: made of what files say, counted in words."""

from collections.abc import Iterable

import numpy as np
from django.db.models import Count

from coach import places, streams
from coach.formats import wellness
from coach.models import DayCurve, ImportFile, Measure, Night

MINUTES = 1440
BATCH = 1000
WORDS = {
    "weight_kg": ("weight", "weights"),
    "body_fat_pct": ("body fat value", "body fat values"),
    "resting_heart_rate_bpm": ("resting heart rate", "resting heart rates"),
    "hrv_rmssd_ms": ("HRV value", "HRV values"),
    "hrv_sdnn_ms": ("HRV value", "HRV values"),
    "heart_rate_bpm": ("day of heart rate", "days of heart rate"),
    "respiration_per_min": ("breathing rate", "breathing rates"),
    "oxygen_saturation_pct": ("oxygen saturation", "oxygen saturations"),
    "vo2max_ml_kg_min": ("VO2max estimate", "VO2max estimates"),
    "steps": ("day of steps", "days of steps"),
    "sleep_min": ("sleep duration", "sleep durations"),
}


def write_nights(file: ImportFile, nights: Iterable[wellness.Night]) -> None:
    made = {(night.provider[:100], night.wake_date): _night(file, night) for night in nights}
    Night.objects.bulk_create(made.values(), batch_size=BATCH)


def _night(file: ImportFile, night: wellness.Night) -> Night:
    offset = "" if night.utc_offset_min is None else places.fixed(night.utc_offset_min)
    return Night(
        athlete=file.run.source.athlete,
        file=file,
        provider=night.provider[:100],
        wake_date=night.wake_date,
        start_at=night.start_at,
        end_at=night.end_at,
        time_zone=night.time_zone[:64] or offset,
        asleep_min=night.asleep_min,
        in_bed_min=night.in_bed_min,
        stages=dict(night.stages),
        pieces=[list(piece) for piece in night.pieces],
    )


def said(row: Night) -> wellness.Night:
    """Return the night as its file said it."""
    return wellness.Night(
        provider=row.provider,
        wake_date=row.wake_date,
        start_at=row.start_at,
        time_zone=row.time_zone,
        pieces=tuple((float(start_s), float(length_s), str(stage)) for start_s, length_s, stage in row.pieces),
    )


def write_measures(file: ImportFile, measures: Iterable[wellness.Measure]) -> None:
    made = {(measure.provider[:100], measure.metric, measure.at): _measure(file, measure) for measure in measures}
    Measure.objects.bulk_create(
        made.values(),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["file", "provider", "metric", "at"],
        update_fields=["value", "samples", "local_date"],
    )


def _measure(file: ImportFile, measure: wellness.Measure) -> Measure:
    return Measure(
        athlete=file.run.source.athlete,
        file=file,
        provider=measure.provider[:100],
        metric=measure.metric,
        at=measure.at,
        local_date=measure.local_date,
        value=measure.value,
        samples=measure.samples,
    )


def write_curves(file: ImportFile, curves: Iterable[wellness.Curve]) -> None:
    made = {(curve.provider[:100], curve.metric, curve.local_date): _curve(file, curve) for curve in curves}
    DayCurve.objects.bulk_create(
        made.values(),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["file", "provider", "metric", "local_date"],
        update_fields=["packed"],
    )


def _curve(file: ImportFile, curve: wellness.Curve) -> DayCurve:
    means, readings = np.full(MINUTES, np.nan), np.full(MINUTES, np.nan)
    for minute, (mean, count) in curve.minutes.items():
        means[minute], readings[minute] = round(mean, 1), count
    return DayCurve(
        athlete=file.run.source.athlete,
        file=file,
        provider=curve.provider[:100],
        metric=curve.metric,
        local_date=curve.local_date,
        packed=streams.pack({curve.metric: means, "samples": readings}),
    )


# In words


def sentence(file: ImportFile, *, implausible: int = 0, undated: int = 0) -> str:
    """Say how much of a file is stored, and how many values were left out."""
    counted = {("night", "nights"): Night.objects.filter(file=file).count()}
    kinds = Measure.objects.filter(file=file).order_by("metric").values_list("metric").annotate(Count("pk"))
    for metric, number in kinds:
        words = WORDS.get(metric, ("value", "values"))
        counted[words] = counted.get(words, 0) + number
    parts = [f"{number} {one if number == 1 else many}" for (one, many), number in counted.items() if number]
    stored = f"{listed(parts)}." if parts else ""
    limits = left_out(implausible, "outside of what a body can have") if implausible else ""
    days = left_out(undated, "of a day that cannot be") if undated else ""
    return " ".join(part for part in (stored, limits, days) if part)


def left_out(number: int, why: str) -> str:
    return f"1 value {why} was left out." if number == 1 else f"{number:,} values {why} were left out."


def listed(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + f" and {parts[-1]}" if len(parts) > 1 else "".join(parts)

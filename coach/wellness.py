"""What files say of days and nights, stored with the file that said it; for use inside the caller's save."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import numpy as np

from coach import streams
from coach import wellness_rows as rows
from coach.formats import nights as sleep
from coach.formats import sift, wellness
from coach.formats.wellness import Contents
from coach.models import DayCurve, ImportFile, Measure, Night

ADDED_UP = "steps"  # of the metrics that sum up many readings the one that is no mean
SUMMED = (ADDED_UP, "heart_rate_bpm")


def store(file: ImportFile, contents: Contents) -> str:
    """Store what a file says, in place of what it said before; return a sentence for the athlete."""
    clear(file)
    sifted = sift.sift(contents)
    rows.write_nights(file, sifted.contents.nights)
    rows.write_measures(file, sifted.contents.measures)
    rows.write_curves(file, sifted.contents.curves)
    return rows.sentence(file, implausible=sifted.implausible, undated=sifted.undated)


def add(file: ImportFile, contents: Contents) -> sift.Sifted:
    """Store a further part of what a file says: sums grow, means are weighed, sleeps that touch become one."""
    sifted = sift.sift(contents)
    rows.write_nights(file, _joined(file, sifted.contents.nights))
    rows.write_measures(file, _summed(file, sifted.contents.measures))
    rows.write_curves(file, _overlaid(file, sifted.contents.curves))
    return sifted


def clear(file: ImportFile) -> None:
    Night.objects.filter(file=file).delete()
    Measure.objects.filter(file=file).delete()
    DayCurve.objects.filter(file=file).delete()


def known(file: ImportFile) -> ImportFile | None:
    """Return another file of the athlete with the same bytes whose days and nights are stored."""
    same = ImportFile.objects.filter(run__source__athlete=file.run.source.athlete, sha256=file.sha256)
    others = same.exclude(pk=file.pk).order_by("pk")
    return others.filter(measures__isnull=False).first() or others.filter(nights__isnull=False).first()


def _joined(file: ImportFile, nights: Iterable[wellness.Night]) -> list[wellness.Night]:
    """Make nights anew of the new pieces and those stored of the days around."""
    found: list[wellness.Night] = []
    by_provider: dict[str, list[wellness.Night]] = {}
    for night in nights:
        by_provider.setdefault(night.provider, []).append(night)
    for provider, fresh in by_provider.items():
        days = {night.wake_date + timedelta(days=shift) for night in fresh for shift in (-1, 0, 1)}
        stored = Night.objects.filter(file=file, provider=provider, wake_date__in=days)
        parts = [*(rows.said(row) for row in stored), *fresh]
        stored.delete()
        found += sleep.nights(provider, [piece for night in parts for piece in sleep.pieces_of(night)])
    return found


def _summed(file: ImportFile, measures: tuple[wellness.Measure, ...]) -> list[wellness.Measure]:
    days = {measure.local_date for measure in measures if measure.metric in SUMMED}
    there = Measure.objects.filter(file=file, metric__in=SUMMED, local_date__in=days) if days else ()
    stored = {(row.provider, row.metric, row.at): row for row in there}
    return [_plus(measure, stored.get((measure.provider, measure.metric, measure.at))) for measure in measures]


def _plus(measure: wellness.Measure, row: Measure | None) -> wellness.Measure:
    if row is None:
        return measure
    samples = measure.samples + row.samples
    if measure.metric == ADDED_UP:
        return replace(measure, value=measure.value + row.value, samples=samples)
    weighed = measure.value * measure.samples + row.value * row.samples
    return replace(measure, value=weighed / samples, samples=samples)


def _overlaid(file: ImportFile, curves: tuple[wellness.Curve, ...]) -> list[wellness.Curve]:
    days = {curve.local_date for curve in curves}
    there = DayCurve.objects.filter(file=file, local_date__in=days) if days else ()
    stored = {(row.provider, row.metric, row.local_date): bytes(row.packed) for row in there}
    return [_over(curve, stored.get((curve.provider, curve.metric, curve.local_date))) for curve in curves]


def _over(curve: wellness.Curve, packed: bytes | None) -> wellness.Curve:
    if packed is None:
        return curve
    held = streams.unpack(packed)
    means, counts = held[curve.metric], held["samples"]
    minutes = {int(minute): (float(means[minute]), int(counts[minute])) for minute in np.flatnonzero(~np.isnan(means))}
    for minute, (mean, readings) in curve.minutes.items():
        before, count = minutes.get(minute, (0.0, 0))
        minutes[minute] = ((before * count + mean * readings) / (count + readings), count + readings)
    return replace(curve, minutes=minutes)

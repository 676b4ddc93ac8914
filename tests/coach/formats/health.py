"""Reads generated Apple Health exports for the tests."""

from datetime import datetime, timedelta, timezone

from coach.formats import apple
from tests.traps import apple_xml as made

WINTER = timezone(timedelta(hours=1))
SUMMER = timezone(timedelta(hours=2))
MORNING = datetime(2026, 3, 3, 6, 40, tzinfo=WINTER)


def batches(data, *, state=None, size=4096, part_bytes=1 << 24):
    chunks = (data[at : at + size] for at in range(0, len(data), size))
    found = apple.steps(chunks, state=state or {}, part_bytes=part_bytes)
    return [step.batch for step in found if step.batch is not None]


def read(*records, **how):
    (batch,) = batches(made.xml(*records, **how))
    return batch


def values(batch, metric="weight_kg"):
    return [measure.value for measure in batch.contents.measures if measure.metric == metric]

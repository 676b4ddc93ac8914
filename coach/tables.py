"""Every table in which an athlete has rows, and how those rows are found."""

from collections.abc import Iterator
from typing import Any

from django.db import models

from coach.models import (
    Activity,
    Annotation,
    Athlete,
    Best,
    Correction,
    DayCurve,
    Doubt,
    EvaluationCase,
    EvaluationText,
    EvaluationVerdict,
    Finding,
    Goal,
    ImportFile,
    ImportRun,
    Insight,
    Layout,
    Measure,
    Night,
    Opinion,
    Planned,
    Provenance,
    Ruling,
    Source,
    Spending,
    Suggestion,
    Threshold,
    Token,
    TrainingDay,
    Upload,
)
from coach.streams import unpack

# name -> model, and the path from its rows to the athlete.
TABLES: dict[str, tuple[type[models.Model], str]] = {
    "profile": (Athlete, "pk"),
    "thresholds": (Threshold, "athlete"),
    "sources": (Source, "athlete"),
    "imports": (ImportRun, "source__athlete"),
    "files": (ImportFile, "run__source__athlete"),
    "activities": (Activity, "athlete"),
    "bests": (Best, "athlete"),
    "training_days": (TrainingDay, "athlete"),
    "goals": (Goal, "athlete"),
    "planned": (Planned, "athlete"),
    "suggestions": (Suggestion, "athlete"),
    "recordings": (Provenance, "athlete"),
    "doubts": (Doubt, "athlete"),
    "rulings": (Ruling, "athlete"),
    "corrections": (Correction, "athlete"),
    "nights": (Night, "athlete"),
    "measures": (Measure, "athlete"),
    "day_curves": (DayCurve, "athlete"),
    "insights": (Insight, "athlete"),
    "opinions": (Opinion, "insight__athlete"),
    "sentences": (Annotation, "activity__athlete"),
    "evaluation_cases": (EvaluationCase, "athlete"),
    "evaluation_texts": (EvaluationText, "case__athlete"),
    "evaluation_verdicts": (EvaluationVerdict, "case__athlete"),
    "spendings": (Spending, "athlete"),
    "findings": (Finding, "source__athlete"),
    "layouts": (Layout, "athlete"),
    "tokens": (Token, "athlete"),
    "uploads": (Upload, "athlete"),
}
SECRET = frozenset({"digest"})


def of(athlete: Athlete) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Yield each table's name and rows, a row at a time."""
    for name, (model, path) in TABLES.items():
        yield name, rows_of(model, path, athlete)


def rows_of(model: type[models.Model], path: str, athlete: Athlete) -> Iterator[dict[str, Any]]:
    names = [field.attname for field in model._meta.concrete_fields if field.attname not in SECRET]
    found = model._default_manager.filter(**{path: athlete.pk}).order_by("pk").values(*names)
    for row in found.iterator(chunk_size=500):
        yield {name: _value(value) for name, value in row.items()}


def _value(value: Any) -> Any:
    """Return packed streams as lists, so that no program of ours is needed to read them."""
    if not isinstance(value, memoryview | bytes):
        return value
    streams = unpack(bytes(value))
    return {name: [None if one != one else float(one) for one in values] for name, values in streams.items()}

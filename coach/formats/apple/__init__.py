"""Reads Apple Health exports: any amount of XML in little memory, in parts, from wherever the last attempt ended."""

from coach.formats.apple.package import Export, holds, is_document, opened
from coach.formats.apple.reading import Batch, Step, steps
from coach.formats.apple.routes import joined
from coach.formats.apple.workouts import Workout

__all__ = ["Batch", "Export", "Step", "Workout", "holds", "is_document", "joined", "opened", "steps"]

"""The rows of Coach."""

from coach.models.activity import Activity, Provenance, Streams
from coach.models.athlete import Athlete, Threshold
from coach.models.insight import Insight
from coach.models.source import ImportFile, ImportRun, Source

__all__ = [
    "Activity",
    "Athlete",
    "ImportFile",
    "ImportRun",
    "Insight",
    "Provenance",
    "Source",
    "Streams",
    "Threshold",
]

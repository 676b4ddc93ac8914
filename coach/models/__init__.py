"""The rows of Coach."""

from coach.models.activity import Activity, Provenance, Streams
from coach.models.athlete import Athlete, Threshold
from coach.models.doubt import Correction, Doubt, Ruling
from coach.models.insight import Insight
from coach.models.intake import Export, Finding, Layout, Token, Upload, Watched
from coach.models.source import ImportFile, ImportRun, Source
from coach.models.wellness import DayCurve, Measure, Night

__all__ = [
    "Activity",
    "Athlete",
    "Correction",
    "DayCurve",
    "Doubt",
    "Export",
    "Finding",
    "ImportFile",
    "ImportRun",
    "Insight",
    "Layout",
    "Measure",
    "Night",
    "Provenance",
    "Ruling",
    "Source",
    "Streams",
    "Threshold",
    "Token",
    "Upload",
    "Watched",
]

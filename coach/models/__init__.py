"""The rows of Coach."""

from coach.models.activity import Activity, Provenance, Sketch, Streams
from coach.models.annotation import Annotation
from coach.models.athlete import Athlete, Threshold
from coach.models.best import Best
from coach.models.doubt import Correction, Doubt, Ruling
from coach.models.evaluation import Evaluation, EvaluationCase, EvaluationText, EvaluationVerdict
from coach.models.insight import Insight, Opinion
from coach.models.intake import Export, Finding, Layout, Token, Upload, Watched
from coach.models.invite import Invite
from coach.models.plan import Goal, Planned, Suggestion
from coach.models.source import ImportFile, ImportRun, Source
from coach.models.training_day import TrainingDay
from coach.models.wellness import DayCurve, Measure, Night
from coach.models.writing import Spending, Upstream, WriterScore

__all__ = [
    "Activity",
    "Annotation",
    "Athlete",
    "Best",
    "Correction",
    "DayCurve",
    "Doubt",
    "Evaluation",
    "EvaluationCase",
    "EvaluationText",
    "EvaluationVerdict",
    "Export",
    "Finding",
    "Goal",
    "ImportFile",
    "ImportRun",
    "Insight",
    "Invite",
    "Layout",
    "Measure",
    "Night",
    "Opinion",
    "Planned",
    "Provenance",
    "Ruling",
    "Sketch",
    "Source",
    "Spending",
    "Streams",
    "Suggestion",
    "Threshold",
    "Token",
    "TrainingDay",
    "Upload",
    "Upstream",
    "Watched",
    "WriterScore",
]

"""What stands around the sessions: thresholds, plans, ways in, questions, texts, and the line."""

from collections.abc import Sequence
from datetime import timedelta

from coach import columns, originals, tokens
from coach.models import (
    Activity,
    Athlete,
    Doubt,
    Export,
    Finding,
    Goal,
    ImportFile,
    ImportRun,
    Insight,
    Layout,
    Planned,
    Provenance,
    Suggestion,
    Threshold,
    Upload,
)
from coach.quality import CHECKS
from jobs import api
from tests import factories

QUESTIONS = 30
IN_LINE = 60
TEXTS = 300
IMPORTS_IN_LINE = 14
KINDS = {"ftp_w": 235, "lthr_bpm": 165, "hr_max_bpm": 188, "hr_rest_bpm": 50, "threshold_pace_s_per_km": 268}


def thresholds(athlete: Athlete, *, years: float) -> None:
    """Two tests of each kind a year, as somebody does who trains by numbers."""
    today = athlete.today()
    Threshold.objects.bulk_create(
        Threshold(athlete=athlete, kind=kind, value=value + number % 7, valid_from=today - timedelta(days=182 * number))
        for kind, value in KINDS.items()
        for number in range(max(1, round(years * 2)))
    )


def plans(athlete: Athlete, made: Sequence[Activity]) -> None:
    today = athlete.today()
    Goal.objects.create(athlete=athlete, name="Marathon", day=today + timedelta(days=80), distance_m=42_195)
    Planned.objects.bulk_create(
        Planned(athlete=athlete, day=today + timedelta(days=day), title="Easy hour", duration_s=3600, load=45)
        for day in range(-60, 60, 2)
    )
    Suggestion.objects.bulk_create(
        Suggestion(
            athlete=athlete, activity=row, kind="ftp_w", value=256, day=row.local_date,
            sentence="Your best 20 minutes let expect a higher threshold power.", state="left" if number else "open",
        )
        for number, row in enumerate(reversed(made[-40:]))
    )  # fmt: skip


def ways_in(athlete: Athlete) -> None:
    Upload.objects.create(athlete=athlete, name="export.zip", size=2 * 10**9, received=10**9)
    Layout.objects.create(athlete=athlete, heads="a" * 64, mapping={"columns": []})
    Export.objects.create(athlete=athlete, size=10**8)
    tokens.make(athlete, "Phone")
    source = factories.source(athlete, "Watch")
    details = [{"day": str(athlete.today()), "sentence": "A gap of 4 min while the timer was on."}] * 200
    for check in CHECKS:
        Finding.objects.create(
            source=source, check_name=check, severity="note", sentence="Looked at.", details=details, count=200
        )


def table(athlete: Athlete, made: Sequence[Activity]) -> None:
    """Hand in a training log, a row a session, whose columns are still to be explained."""
    rows = (f"{row.local_date},{row.sport},{row.timer_s / 60:.1f},{row.distance_m / 1000:.1f}" for row in made)
    sha256, size = originals.keep(["\n".join(["when,what,how long,how far", *rows]).encode()])
    run = ImportRun.objects.create(source=factories.source(athlete, "Log"))
    file = ImportFile(run=run, name="log.csv", size=size, sha256=sha256, outcome="asked")
    file.look = columns.look_at(file)
    file.save()


def questions(athlete: Athlete, made: Sequence[Activity]) -> None:
    run = ImportRun.objects.create(source=factories.source(athlete, "Phone"))
    for number, candidate in enumerate(made[-QUESTIONS:]):
        file = ImportFile.objects.create(
            run=run, name=f"doubt-{number}.gpx", size=9000, sha256=f"{candidate.pk:064x}", outcome="doubted"
        )
        origin = Provenance.objects.create(
            athlete=athlete, file=file, sha256=file.sha256, session=0, format="gpx", precedence=3,
            started_at=candidate.started_at, timer_s=candidate.timer_s, distance_m=candidate.distance_m,
            header={"sport": candidate.sport, "elapsed_s": candidate.elapsed_s, "seen": {"heart_rate_bpm": 141}},
        )  # fmt: skip
        kind, about = ("match", candidate) if number % 3 else ("date", None)
        Doubt.objects.create(
            athlete=athlete, kind=kind, provenance=origin, candidate=about, sentence="It may be the same session."
        )


def texts(athlete: Athlete, made: Sequence[Activity]) -> None:
    """A text of each of the latest sessions, and many of load."""
    written = {"headline": "A steady hour.", "summary": "As planned.", "findings": [], "suggestions": []}
    subjects = [("activity", str(row.pk)) for row in made[-TEXTS:]] + [("load", "current")] * TEXTS
    Insight.objects.bulk_create(
        Insight(
            athlete=athlete, scope=scope, subject=subject, fingerprint=f"{number:064}", writer="builtin/1",
            language="en", text=written, facts={}, as_of=athlete.today(),
        )
        for number, (scope, subject) in enumerate(subjects)
    )  # fmt: skip


def line(athlete: Athlete, made: Sequence[Activity]) -> None:
    """Texts about sessions and imports that wait in line: more of them than a page shows."""
    for row in made[-IN_LINE:]:
        api.enqueue("insight", athlete.owner, f"activity/{row.pk}")
    for run in ImportRun.objects.filter(source__athlete=athlete)[:IMPORTS_IN_LINE]:
        api.enqueue("import", athlete.owner, str(run.pk), args={"source": run.source_id})

"""An athlete of whom there is a row of everything, each with a mark in every text that it holds."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from coach import exports, originals, tokens, weights
from coach.models import (
    Annotation,
    Athlete,
    Correction,
    DayCurve,
    Doubt,
    Evaluation,
    EvaluationCase,
    EvaluationText,
    EvaluationVerdict,
    Export,
    Finding,
    Goal,
    ImportFile,
    ImportRun,
    Insight,
    Invite,
    Layout,
    Measure,
    Night,
    Opinion,
    Planned,
    Provenance,
    Source,
    Spending,
    Suggestion,
    Token,
    Upload,
    Upstream,
    Watched,
    WriterScore,
)
from coach.streams import pack
from jobs import api
from tests import factories


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """The rows whose keys stand in addresses."""

    athlete: Athlete
    rows: dict[str, Any]
    secret: str  # of the token

    def __getitem__(self, name: str) -> Any:
        return self.rows[name].pk


def of(ana: Athlete, *, mark: str) -> Everything:
    """Make a row of each model, with the mark in whatever a file, a model or the athlete calls something."""
    today = ana.today()
    secret = tokens.make(ana, mark[:90])
    source = Source.objects.create(athlete=ana, name=mark[:100])
    run = ImportRun.objects.create(source=source)
    sha256, size = originals.keep([b"a recording"])
    kept = {"run": run, "size": size, "sha256": sha256}
    file = ImportFile.objects.create(name=f"{mark}.fit", outcome="imported", sentence=mark, **kept)
    ImportFile.objects.create(name=f"{mark}2.fit", outcome="refused", sentence=mark, **kept)
    table, table_size = originals.keep([f"Date;Weight;{mark}\n2026-04-03;70.5;{mark}\n".encode()])
    asked = {"run": run, "name": f"{mark}.csv", "outcome": "asked", "sentence": mark}
    ride = factories.activity(
        ana, today, source=source, name=mark, note=mark, flags=[mark], started_at=timezone.now() - timedelta(hours=3)
    )
    provenance = Provenance.objects.create(
        activity=ride, athlete=ana, file=file, sha256=sha256, session=0, format="fit", device=mark[:100]
    )
    threshold = factories.ftp(ana)
    rows = {
        "activity": ride,
        "recording": provenance,
        "run": run,
        "file": file,
        "table": ImportFile.objects.create(size=table_size, sha256=table, **asked),
        "source": source,
        "threshold": threshold,
        "token": Token.objects.get(),
        "weight": weights.put(ana, today, 70),
        "goal": Goal.objects.create(athlete=ana, name=mark[:100], day=today + timedelta(days=20)),
        "planned": Planned.objects.create(athlete=ana, title=mark, note=mark, day=today, uid=mark),
        "doubt": Doubt.objects.create(
            athlete=ana, provenance=provenance, kind="match", candidate=ride, sentence=mark[:500]
        ),
        "suggestion": Suggestion.objects.create(
            athlete=ana, activity=ride, kind="ftp_w", value=270, day=today, sentence=mark
        ),
        "upload": Upload.objects.create(athlete=ana, name=mark, size=10),
        "export": Export.objects.create(athlete=ana, size=3),
        "insight": Insight.objects.create(
            athlete=ana, scope="activity", subject=str(ride.pk), fingerprint="f", writer=f"model/{mark[:80]}",
            language="en", text=_text(mark), facts=_facts(mark), asked=mark[:80],
            dropped=[{"text": mark, "violation": mark}],
        ),
        "night": Night.objects.create(athlete=ana, file=file, provider=mark[:100], wake_date=today, asleep_min=400),
    }  # fmt: skip
    Opinion.objects.create(insight=rows["insight"], good=False, note=mark)
    Annotation.objects.create(
        activity=ride, about="x", fingerprint="f", writer=f"model/{mark[:80]}", language="en", asked=mark[:80],
        text=f"{mark} {{{{key}}}}", facts=_facts(mark),
    )  # fmt: skip
    rows["evaluation"] = Evaluation.objects.create(
        title=mark[:100], created_by="staff", sides=[{"model": mark[:80], "prompt": 1}, {"model": "", "prompt": 2}]
    )
    case = EvaluationCase.objects.create(
        evaluation=rows["evaluation"], athlete=ana, insight=rows["insight"], position=1, language="en",
        facts={"scope": "activity", "subject": str(ride.pk), "as_of": None, "facts": _facts(mark)},
    )  # fmt: skip
    for side in (0, 1):
        EvaluationText.objects.create(
            case=case, side=side, writer=f"model/{mark[:80]}", text=_text(mark), error=mark[:300],
            violations=[{"check": mark, "where": mark, "text": mark}],
        )  # fmt: skip
    EvaluationVerdict.objects.create(case=case, judge=mark[:150], better=0)
    Upstream.objects.create(pool="gateway", model=mark[:80], place="x")
    at = timezone.now()
    Measure.objects.create(
        athlete=ana, file=file, provider=mark[:100], metric="hrv_rmssd_ms", at=at, local_date=today, value=60
    )
    Watched.objects.create(athlete=ana, name=mark, size=1, changed_ns=1, trouble=mark[:200])
    Layout.objects.create(athlete=ana, heads="0" * 64, mapping={"provider": mark})
    Finding.objects.create(source=source, check_name="gaps", severity="warning", sentence=mark, count=1)
    Correction.objects.create(athlete=ana, key=f"{sha256}/0", field="started_at", value="2026-05-31T07:30:00+00:00")
    DayCurve.objects.create(
        athlete=ana, file=file, provider=mark[:100], metric="stress", local_date=today, packed=pack({"stress": [1.0]})
    )
    WriterScore.objects.create(model=mark[:80], prompt_version=1)
    Spending.objects.create(athlete=ana, day=today, calls=1)
    Invite.objects.create(label=mark[:100], digest="0" * 64, expires_at=timezone.now())
    packed = exports.path_of(rows["export"].pk)
    packed.parent.mkdir(parents=True, exist_ok=True)
    packed.write_text(mark)
    job = api.enqueue("insight", ana.owner, f"activity/{ride.pk}", fingerprint="x", args={"athlete": ana.pk})
    return Everything(athlete=ana, rows={**rows, "job": _Job(job.id)}, secret=secret)


@dataclass(frozen=True, slots=True)
class _Job:
    pk: int


def _text(mark: str) -> dict[str, Any]:
    part = {"text": f"{mark} {{{{key}}}}", "facts": ["key"]}
    return {
        "headline": mark, "summary": mark, "findings": [part], "suggestions": [part], "confidence": "high",
        "missing": [mark],
    }  # fmt: skip


def _facts(mark: str) -> dict[str, Any]:
    words = dict.fromkeys(("label", "display", "meaning", "convention", "source"), mark)
    return {"key": words}

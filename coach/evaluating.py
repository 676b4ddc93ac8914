"""Evaluations: one or two models or prompts write about stored cases, behind everybody who waits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count

from coach import cases, gateway, narrator, scores, upstreams
from coach.models import Evaluation, EvaluationCase, EvaluationText, EvaluationVerdict, Insight, Opinion
from coach.scopes.facts import Facts
from jobs import api

KIND = "evaluate"
OWNER = "staff"
LAST = 30  # a priority behind everything that an athlete waits for
MOST_CASES = 100
MOST_FAILURES = 2  # calls in a row that came to nothing, until the job waits with the rest


class Refused(Exception):
    """There is nothing to evaluate; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    prompt: int
    model: str = ""  # none: the one that the settings name

    def __str__(self) -> str:
        return f"{self.model or 'the model of the settings'}, prompt {self.prompt}"


# Asking


def make(title: str, insights: Iterable[Insight], sides: Sequence[Side], *, by: str) -> tuple[Evaluation, int]:
    """Store the cases and put the job in line; return the evaluation, and how many insights cannot be a case.

    Left out are those of athletes who let no model write, and those whose facts an old version kept in part. Raises
    Refused when none is left.
    """
    chosen = list(insights)[:MOST_CASES]
    usable = [row for row in chosen if row.athlete.uses_model and facts_of(row) is not None]
    if not gateway.configured():
        raise Refused("There is no writing service to ask.")
    if not usable:
        raise Refused("None of these insights can be a case: their athletes let no model write, or they are too old.")
    with transaction.atomic():
        made = Evaluation.objects.create(
            title=title[:100],
            created_by=by,
            sides=[{"model": side.model, "prompt": side.prompt} for side in sides],
        )
        EvaluationCase.objects.bulk_create(
            EvaluationCase(
                evaluation=made,
                athlete=row.athlete,
                insight=row,
                position=position,
                language=row.language,
                facts={
                    "scope": row.scope,
                    "subject": row.subject,
                    "as_of": row.as_of and row.as_of.isoformat(),
                    "facts": row.facts,
                },
            )
            for position, row in enumerate(usable, start=1)
        )
        api.enqueue(
            KIND,
            OWNER,
            str(made.pk),
            fingerprint=str(made.pk),
            priority=LAST,
            items=[str(pk) for pk in made.cases.order_by("position").values_list("pk", flat=True)],
        )
    return made, len(chosen) - len(usable)


def facts_of(row: Insight) -> Facts | None:
    return cases.restored(row.facts, scope=row.scope, subject=row.subject, as_of=row.as_of)


def sides_of(evaluation: Evaluation) -> list[Side]:
    return [Side(prompt=each["prompt"], model=each["model"]) for each in evaluation.sides]


def ticket(evaluation: Evaluation) -> api.Ticket | None:
    return api.ticket(KIND, OWNER, str(evaluation.pk))


def stop(evaluation: Evaluation, *, by: str) -> bool:
    found = ticket(evaluation)
    return bool(found) and found is not None and api.stop(found.id, by=by) != "over"


def retry(evaluation: Evaluation, *, by: str) -> bool:
    """Have what is missing written; texts that are there stay."""
    found = ticket(evaluation)
    if found is None or not found.can_retry:
        return False
    EvaluationText.objects.filter(case__evaluation=evaluation).exclude(error="").delete()
    return api.retry(found.id, by=by)


# Writing, in the worker


def write(run: api.Run) -> dict[str, int]:
    """Have each side write about each case, once."""
    evaluation = Evaluation.objects.filter(pk=run.subject).first()
    if evaluation is None:
        raise api.Reject("The evaluation is no longer there.")
    failures, made = 0, 0
    for item in run.items():
        case = evaluation.cases.filter(pk=item.key).select_related("athlete").first()
        facts = restored(case) if case else None
        if case is None or facts is None or not case.athlete.uses_model:
            with run.save():
                item.skip("The athlete lets no model write any more." if case else "The case is no longer there.")
            continue
        errors = []
        for number, side in enumerate(sides_of(evaluation)):
            if case.texts.filter(side=number).exists():
                continue
            try:
                keep(run, case, number, written(run, case, facts, side))
                made, failures = made + 1, 0
            except api.Retry as error:
                failures += 1
                if failures >= MOST_FAILURES:
                    raise
                errors.append(fail(run, case, number, error))
            except api.Reject as error:
                errors.append(fail(run, case, number, error))
        with run.save():
            item.partial(errors[0]) if errors else item.ok()
    return {"written": made}


def restored(case: EvaluationCase) -> Facts | None:
    about = case.facts
    return cases.restored(about["facts"], scope=about["scope"], subject=about["subject"])


def written(run: api.Run, case: EvaluationCase, facts: Facts, side: Side) -> gateway.Written:
    """Have it written without the texts before it: no side shall pay for what another one said."""
    task = gateway.task(model=side.model, prompt_version=side.prompt)
    return gateway.write(run, facts, language=case.language, task=task, memory=upstreams.KEPT)


def keep(run: api.Run, case: EvaluationCase, number: int, made: gateway.Written) -> None:
    values = {
        "writer": made.writer,
        "text": made.text,
        "violations": made.dropped,
        "checked": scores.of(made.tally),
    }
    run.keep(lambda: EvaluationText.objects.get_or_create(case=case, side=number, defaults=values))


def fail(run: api.Run, case: EvaluationCase, number: int, error: Exception) -> str:
    said = str(error)[:300]
    values: dict[str, Any] = {"writer": "", "error": said or "It failed."}
    run.keep(lambda: EvaluationText.objects.get_or_create(case=case, side=number, defaults=values))
    return said


def prompt_of(row: Insight) -> str:
    """Return what would be sent for these facts today; empty where they were kept in part only."""
    facts = facts_of(row)
    return gateway.as_sent(facts, language=row.language) if facts else ""


def verdict(case: EvaluationCase, given: EvaluationVerdict) -> str:
    """Say whom somebody preferred."""
    sides = sides_of(case.evaluation)
    known = given.better is not None and given.better < len(sides)
    return f"{given.judge}: {sides[given.better or 0] if known else 'neither'}"


def opinions_of(side: Side) -> dict[bool, int]:
    """Count what athletes thought of the texts that this model and prompt wrote for them: helped, and not."""
    task = gateway.task(model=side.model, prompt_version=side.prompt)
    given = Opinion.objects.filter(insight__writer=gateway.writer(task=task)).order_by()
    counted = dict(given.values_list("good").annotate(Count("pk")))
    return {good: counted.get(good, 0) for good in (True, False)}


def is_sound(text: EvaluationText) -> bool:
    """Say whether the model wrote it itself."""
    return not text.error and text.writer != narrator.WRITER

"""Evaluations: one or two models or prompts write about stored cases, behind everybody who waits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

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


class Gone(Exception):
    """The case was deleted while it was written about."""


class Made(NamedTuple):
    evaluation: Evaluation
    left_out: int  # insights that cannot be a case
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    prompt: int
    model: str = ""  # none: the one that the settings name

    def __str__(self) -> str:
        return f"{self.model or 'the model of the settings'}, prompt {self.prompt}"


# Asking


def make(title: str, insights: Iterable[Insight], sides: Sequence[Side], *, by: str) -> Made:
    """Store the cases and put the job in line, unless the same is under way: whoever clicks twice pays once.

    Left out are insights of athletes who let no model write, and those whose facts an old version kept in part. Raises
    Refused when none is left.
    """
    if not gateway.configured():
        raise Refused("There is no writing service to ask.")
    named = [replace(side, model=side.model or gateway.model()) for side in sides]  # the settings may change meanwhile
    if len(set(named)) < len(named):
        raise Refused("Both sides are the same.")
    chosen = list(insights)[:MOST_CASES]
    usable = [row for row in chosen if row.athlete.uses_model and facts_of(row) is not None]
    if not usable:
        raise Refused("None of these insights can be a case: their athletes let no model write, or they are too old.")
    stored = [{"model": side.model, "prompt": side.prompt} for side in named]
    with transaction.atomic():
        # Held until the end, so that a second one finds the first.
        list(Insight.objects.select_for_update(no_key=True).filter(pk__in=[row.pk for row in usable]).order_by("pk"))
        if there := under_way(usable, stored):
            return Made(there, len(chosen) - len(usable), False)
        made = Evaluation.objects.create(title=title[:100], created_by=by, sides=stored)
        EvaluationCase.objects.bulk_create(case(made, row, position) for position, row in enumerate(usable, start=1))
        api.enqueue(
            KIND,
            OWNER,
            str(made.pk),
            fingerprint=str(made.pk),
            priority=LAST,
            items=[str(pk) for pk in made.cases.order_by("position").values_list("pk", flat=True)],
        )
    return Made(made, len(chosen) - len(usable), True)


def case(evaluation: Evaluation, row: Insight, position: int) -> EvaluationCase:
    return EvaluationCase(
        evaluation=evaluation,
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


def under_way(insights: Sequence[Insight], sides: Sequence[dict[str, Any]]) -> Evaluation | None:
    """Return the evaluation of the same cases by the same sides that has not ended, if there is one."""
    wanted = {row.pk for row in insights}
    for found in Evaluation.objects.filter(sides=sides, cases__insight=insights[0]).order_by("-pk")[:MOST_CASES]:
        if wanted == set(found.cases.values_list("insight", flat=True)):
            line = ticket(found)
            if line and line.is_active:
                return found
    return None


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
    return found is not None and found.can_retry and api.retry(found.id, by=by)


# Writing, in the worker


def write(run: api.Run) -> dict[str, int]:
    """Have each side write about each case, once."""
    evaluation = Evaluation.objects.filter(pk=run.subject).first()
    if evaluation is None:
        raise api.Reject("The evaluation is no longer there.")
    if not gateway.configured():
        raise api.Reject("There is no writing service to ask.")
    writing = Writing(run=run, sides=sides_of(evaluation))
    for item in run.items():
        case = evaluation.cases.filter(pk=item.key).select_related("athlete").first()
        facts = restored(case) if case else None
        if case is None or facts is None or not case.athlete.uses_model:
            with run.save():
                item.skip("The athlete lets no model write any more." if case else "The case is no longer there.")
            continue
        try:
            errors = writing.about(case, facts)
        except Gone:
            with run.save():
                item.skip("The case is no longer there.")
            continue
        with run.save():
            item.partial(errors[0]) if errors else item.ok()
    return {"written": writing.made}


@dataclass(slots=True, kw_only=True)
class Writing:
    """One attempt: what came of its calls."""

    run: api.Run
    sides: list[Side]
    made: int = 0
    asked: bool = False  # at all: a screen may go before the next call
    failures: int = 0  # in a row
    unknown: dict[int, str] = field(default_factory=dict)  # side -> why the service does not take its model

    def about(self, case: EvaluationCase, facts: Facts) -> list[str]:
        """Have those sides write that have no text about the case; return why one has none. May raise Gone."""
        there = set(case.texts.filter(error="").values_list("side", flat=True))
        tried = (self.tried(case, facts, number) for number in range(len(self.sides)) if number not in there)
        return [error for error in tried if error]

    def tried(self, case: EvaluationCase, facts: Facts, number: int) -> str:
        """Return why there is no text; nothing where there is one."""
        if number in self.unknown:
            return fail(self.run, case, number, self.unknown[number])
        side = self.sides[number]
        if self.asked:
            self.run.make_way()
        self.asked = True
        try:
            keep(self.run, case, number, written(self.run, case, facts, side))
        except api.Misconfigured as error:
            if side.model == gateway.model():
                raise
            # That staff tried a model which is not there must not keep athletes waiting.
            self.unknown[number] = str(error)
            return fail(self.run, case, number, str(error))
        except api.Retry as error:
            self.failures += 1
            if self.failures >= MOST_FAILURES:
                raise
            return fail(self.run, case, number, str(error))
        except api.Reject as error:
            return fail(self.run, case, number, str(error))
        self.made, self.failures = self.made + 1, 0
        return ""


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
        "error": "",
    }
    store(run, case, number, values)


def fail(run: api.Run, case: EvaluationCase, number: int, said: str) -> str:
    said = said[:300] or "It failed."
    store(run, case, number, {"writer": "", "error": said})
    return said


def store(run: api.Run, case: EvaluationCase, number: int, values: dict[str, Any]) -> None:
    """Save what came of a side in the place of an earlier failure; raises Gone when the case is."""

    def act() -> None:
        if EvaluationCase.objects.select_for_update(no_key=True).filter(pk=case.pk).first() is None:
            raise Gone
        EvaluationText.objects.update_or_create(case=case, side=number, defaults=values)

    run.keep(act)


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

"""The only code that talks to the writing service: asks it for an insight, and believes only what is grounded."""

import hashlib
import json
import logging
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from coach.gateway import answer, client, prompt
from coach.gateway.completion import Completion
from coach.gateway.conf import POOL, conf, route
from coach.gateway.grounding import Checked
from coach.gateway.memory import PROCESS, Memory
from coach.gateway.metering import Free, Meter, tokens_of
from coach.gateway.request import Messages
from coach.gateway.task import INSIGHT, NOTE, Task
from coach.scopes.facts import Facts
from jobs.api import JobsError, Misconfigured, Reject, Snooze, UpstreamDown

if TYPE_CHECKING:
    from jobs.api import Run

__all__ = [
    "INSIGHT",
    "NOTE",
    "Memory",
    "Meter",
    "Tally",
    "Task",
    "Written",
    "as_sent",
    "configured",
    "model",
    "note_as_sent",
    "prompt_versions",
    "route",
    "task",
    "write",
    "writer",
]

logger = logging.getLogger("coach.gateway")
CHECKED = "gateway.checked"
FELL_BACK = "gateway.fell_back"

# A repair begins only when this share of the time for one call is left, so that it can also end.
LEAST_SHARE_LEFT = 0.4


@dataclass(slots=True, kw_only=True)
class Tally:
    """What the checks found in all answers to one question."""

    answers: int = 0
    findings: int = 0
    dropped: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    seconds: float = 0.0  # that the answers took

    @property
    def repaired(self) -> bool:
        return self.answers > 1

    def add(self, checked: Checked) -> None:
        self.answers += 1
        self.findings += checked.findings
        self.dropped += sum(each["where"].startswith(("findings[", "text")) for each in checked.dropped)
        self.rules.update(each["check"] for each in checked.violations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An insight's text with tokens, and who wrote it.

    `dropped` are the findings and suggestions that could not be verified, each with what was wrong; of a text that
    the narrator wrote because no answer was sound, everything that was wrong with the answers.
    """

    text: dict[str, Any]
    writer: str
    dropped: list[dict[str, str]] = field(default_factory=list)
    asked: str = ""  # the model that was asked, whoever wrote in the end
    tally: Tally = field(default_factory=Tally)


def configured() -> bool:
    """Say whether there is a writing service to ask."""
    return bool(conf().url)


def model() -> str:
    """Return the model that the settings name; empty where the service knows for itself."""
    return conf().model


def writer(pool: str = POOL, task: Task = INSIGHT) -> str:
    """Return who writes: the model of this pool's upstream and the version of its instructions, or the narrator."""
    if not configured():
        from coach.narrator import WRITER

        return WRITER
    model = re.sub(r"[^\w.:@+-]+", "-", task.model or conf(pool).model)[:70] or "default"
    return f"model/{model}{task.mark}/{task.wording.version}"


def task(*, model: str = "", prompt_version: int = prompt.VERSION) -> Task:
    """Return what asks for an insight by another model, or with an older version of the instructions."""
    return replace(INSIGHT, model=model, wording=prompt.Wording(version=prompt_version))


def prompt_versions() -> tuple[int, ...]:
    """Return the versions of the instructions, the newest first."""
    return prompt.versions()


def as_sent(facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return the messages that would ask for an insight, letter for letter as a request has them."""
    return json.dumps(prompt.messages(facts, language=language, recent=recent), ensure_ascii=False)


def note_as_sent(facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = ()) -> str:
    asked = prompt.messages(facts, language=language, recent=recent, wording=prompt.NOTE)
    return json.dumps(asked, ensure_ascii=False)


def write(
    run: "Run",
    facts: Facts,
    *,
    language: str,
    recent: Sequence[Mapping[str, Any]] = (),
    meter: Meter | None = None,
    task: Task = INSIGHT,
    memory: Memory = PROCESS,
) -> Written:
    """Return an insight about the facts; `recent` are the texts of the scope's last insights, newest first.

    `task` may be another text than an insight.
    Asks once more when the first answer fails, naming what is wrong; then the narrator writes. `meter` counts the
    calls and may refuse them. Raises what a job handler may: UpstreamDown, Misconfigured, Retry, Reject, Snooze,
    Stopped.
    """
    meter = meter or Free()
    if facts.insufficient or not configured():
        return narrated(facts, language=language, recent=recent, wrong=[], task=task)
    timeout_s = conf().call_seconds
    started = time.monotonic()
    asked = prompt.messages(facts, language=language, recent=recent, wording=task.wording)
    tally = Tally()

    def tried(asked: Messages, timeout_s: float) -> tuple[str, Checked]:
        completion = metered(run, asked, timeout_s=timeout_s, meter=meter, task=task, memory=memory)
        tally.tokens += tokens_of(asked, completion)
        tally.seconds += completion.seconds
        said, checked = judged(run, completion, facts, language=language, recent=recent, task=task)
        tally.add(checked)
        return said, checked

    if not meter.reserve():
        raise meter.closed()
    said, checked = tried(asked, timeout_s)
    wrong = list(checked.violations)
    left_s = timeout_s - (time.monotonic() - started)
    if not checked.ok and left_s >= LEAST_SHARE_LEFT * timeout_s and meter.reserve():
        again = prompt.repair(asked, said, checked.violations)
        try:
            _said, checked = tried(again, left_s)
            wrong += checked.violations
        except Reject as error:  # it answers the question but not the complaint: the narrator can still write
            wrong.append({"check": "repair", "where": "answer", "text": str(error)[:80]})
    if not checked.ok:
        fallen = narrated(facts, language=language, recent=recent, wrong=wrong, task=task)
        return replace(fallen, asked=writer(run.pool, task), tally=tally)
    by = writer(run.pool, task)
    return Written(text=checked.text, writer=by, dropped=checked.dropped, asked=by, tally=tally)


def judged(
    run: "Run",
    completion: Completion,
    facts: Facts,
    *,
    language: str,
    recent: Sequence[Mapping[str, Any]],
    task: Task,
) -> tuple[str, Checked]:
    """Return what was said, for a repair, and what is left of it after the check."""
    given = answer.read(completion, has_shape=task.has_shape)
    checked = task.check(given.text, facts, language=language, recent=recent)
    counted = ",".join(sorted({each["check"] for each in checked.violations}))
    logger.info(
        "%s job=%s scope=%s ok=%s reasoning=%s violations=%s checks=%s",
        CHECKED,
        run.id,
        facts.scope,
        checked.ok,
        given.from_reasoning,
        len(checked.violations),
        counted or "-",
    )
    return given.said, checked


def metered(run: "Run", asked: Messages, *, timeout_s: float, meter: Meter, task: Task, memory: Memory) -> Completion:
    """Make the call and count its tokens; one that reached nobody costs nothing."""
    try:
        completion = client.complete(run, asked, timeout_s=timeout_s, form=task.form, model=task.model, memory=memory)
    except (UpstreamDown, Misconfigured, Snooze):
        meter.give_back()
        raise
    except JobsError:
        meter.used(tokens_of(asked))  # it was read, and perhaps answered in part
        raise
    meter.used(tokens_of(asked, completion))
    return completion


def narrated(
    facts: Facts,
    *,
    language: str,
    recent: Sequence[Mapping[str, Any]],
    wrong: list[dict[str, str]],
    task: Task = INSIGHT,
) -> Written:
    """Have the built-in narrator write; the same facts give the same text."""
    from coach import narrator

    if wrong:
        logger.info("%s scope=%s violations=%s", FELL_BACK, facts.scope, len(wrong))
    shown = "\n".join(f"{fact.key}={fact.display}" for fact in facts.facts if not fact.passing)
    digest = hashlib.sha256(f"{facts.scope}/{facts.subject}\n{shown}".encode()).digest()
    seed = int.from_bytes(digest[:4])
    text = task.narrate(facts, language=language, seed=seed, recent=recent)
    return Written(text=text, writer=narrator.WRITER, dropped=wrong)

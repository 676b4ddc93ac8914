"""The only code that talks to the writing service: asks it for an insight, and believes only what is grounded."""

import hashlib
import logging
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coach.gateway import answer, client, grounding, prompt
from coach.gateway.conf import POOL, conf, route
from coach.gateway.grounding import Checked
from coach.gateway.request import Messages
from coach.scopes.facts import Facts
from jobs.api import Reject

if TYPE_CHECKING:
    from jobs.api import Run

__all__ = ["Written", "configured", "route", "write", "writer"]

logger = logging.getLogger("coach.gateway")
CHECKED = "gateway.checked"
FELL_BACK = "gateway.fell_back"

# A repair begins only when this share of the time for one call is left, so that it can also end.
LEAST_SHARE_LEFT = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An insight's text with tokens, and who wrote it.

    `dropped` are the findings and suggestions that could not be verified, each with what was wrong; of a text that
    the narrator wrote because no answer was sound, everything that was wrong with the answers.
    """

    text: dict[str, Any]
    writer: str
    dropped: list[dict[str, str]] = field(default_factory=list)


def configured() -> bool:
    """Say whether there is a writing service to ask."""
    return bool(conf().url)


def writer(pool: str = POOL) -> str:
    """Return who writes: the model of this pool's upstream and the version of its instructions, or the narrator."""
    if not configured():
        from coach.narrator import WRITER

        return WRITER
    model = re.sub(r"[^\w.:@+-]+", "-", conf(pool).model)[:80] or "default"
    return f"model/{model}/{prompt.VERSION}"


def write(run: "Run", facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = ()) -> Written:
    """Return an insight about the facts; `recent` are the texts of the scope's last insights, newest first.

    Asks once more when the first answer fails, naming what is wrong; then the narrator writes. Raises what a job
    handler may: UpstreamDown, Misconfigured, Retry, Reject, Stopped.
    """
    if facts.insufficient or not configured():
        return narrated(facts, language=language, recent=recent, wrong=[])
    timeout_s = conf().call_seconds
    started = time.monotonic()
    asked = prompt.messages(facts, language=language, recent=recent)
    said, checked = attempt(run, asked, facts, language=language, recent=recent, timeout_s=timeout_s)
    wrong = list(checked.violations)
    left_s = timeout_s - (time.monotonic() - started)
    if not checked.ok and left_s >= LEAST_SHARE_LEFT * timeout_s:
        again = prompt.repair(asked, said, checked.violations)
        try:
            _said, checked = attempt(run, again, facts, language=language, recent=recent, timeout_s=left_s)
            wrong += checked.violations
        except Reject as error:  # it answers the question but not the complaint: the narrator can still write
            wrong.append({"check": "repair", "where": "answer", "text": str(error)[:80]})
    if not checked.ok:
        return narrated(facts, language=language, recent=recent, wrong=wrong)
    return Written(text=checked.text, writer=writer(run.pool), dropped=checked.dropped)


def attempt(
    run: "Run",
    asked: Messages,
    facts: Facts,
    *,
    language: str,
    recent: Sequence[Mapping[str, Any]],
    timeout_s: float,
) -> tuple[str, Checked]:
    """Make one call; return what was said, for a repair, and what is left of it after the check."""
    given = answer.read(client.complete(run, asked, timeout_s=timeout_s))
    checked = grounding.check(given.text, facts, language=language, recent=recent)
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


def narrated(
    facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]], wrong: list[dict[str, str]]
) -> Written:
    """Have the built-in narrator write; the same facts give the same text."""
    from coach import narrator

    if wrong:
        logger.info("%s scope=%s violations=%s", FELL_BACK, facts.scope, len(wrong))
    shown = "\n".join(f"{fact.key}={fact.display}" for fact in facts.facts if not fact.passing)
    digest = hashlib.sha256(f"{facts.scope}/{facts.subject}\n{shown}".encode()).digest()
    seed = int.from_bytes(digest[:4])
    text = narrator.write(facts, language=language, seed=seed, recent=recent)
    return Written(text=text, writer=narrator.WRITER, dropped=wrong)

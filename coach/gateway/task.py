"""What a model may be asked for: an insight, or one sentence; each with its words, its shape and its checks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coach import narrator
from coach.gateway import answer, grounding, prompt, schema
from coach.gateway.prompt import Wording
from coach.gateway.schema import Form

Narrate = Callable[..., dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    wording: Wording
    form: Form
    has_shape: Callable[[dict[str, Any]], bool]
    check: Callable[..., grounding.Checked]
    narrate: Narrate
    model: str = ""  # another one than the settings name
    mark: str = ""  # behind the model's name where its faults are counted


INSIGHT = Task(
    wording=prompt.INSIGHT,
    form=schema.INSIGHT_FORM,
    has_shape=answer.is_insight,
    check=grounding.check,
    narrate=narrator.write,
)
NOTE = Task(
    wording=prompt.NOTE,
    form=schema.NOTE_FORM,
    has_shape=answer.is_note,
    check=grounding.check_note,
    narrate=narrator.note,
    mark="+notes",
)

"""Puts a completion together from its chunks, or from the one object of an upstream that does not stream."""

import json
from dataclasses import dataclass, field
from typing import Any

from coach.gateway.events import DONE


class Malformed(Exception):
    """A chunk is not JSON, or not an object."""


class ReportedError(Exception):
    """The upstream reports an error under status 200."""

    def __init__(self, error: Any) -> None:
        super().__init__(str(error)[:200])
        self.error = error


@dataclass(slots=True, kw_only=True)
class Completion:
    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: str = ""
    finish: str | None = None
    done: bool = False
    usage: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0  # from the request to the end
    silent_s: float | None = None  # from the request to the first word

    @property
    def text(self) -> str:
        return "".join(self.content)

    @property
    def thoughts(self) -> str:
        return "".join(self.reasoning)

    @property
    def started(self) -> bool:
        return bool(self.content or self.reasoning or self.refusal)

    @property
    def complete(self) -> bool:
        """Say whether the end was seen: a finish_reason or [DONE]. That the bytes ended says nothing."""
        return self.done or self.finish is not None

    def take(self, data: str) -> None:
        """Add the data of one event, or a whole body."""
        if data.strip() == DONE:
            self.done = True
            return
        try:
            payload = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise Malformed from error
        if not isinstance(payload, dict):
            raise Malformed
        # An error may come beside choices, so it is looked for first.
        if payload.get("error"):
            raise ReportedError(payload["error"])
        self._take_usage(payload.get("usage"))
        choices = payload.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], dict):
            self._take_choice(choices[0])

    def _take_choice(self, choice: dict[str, Any]) -> None:
        message = choice.get("delta") or choice.get("message") or {}
        if isinstance(message, dict):
            _append(self.content, message.get("content"))
            _append(self.reasoning, message.get("reasoning_content") or message.get("reasoning"))
            refusal = message.get("refusal")
            self.refusal += refusal if isinstance(refusal, str) else ""
            if message.get("tool_calls") or message.get("function_call"):
                self.finish = "tool_calls"
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish:
            self.finish = finish

    def _take_usage(self, usage: Any) -> None:
        if isinstance(usage, dict):
            self.usage = {
                name: count
                for name, count in usage.items()
                if isinstance(count, int) and 0 <= count < 2**63 and name.endswith("_tokens")
            }


def _append(parts: list[str], content: Any) -> None:
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if isinstance(content, str) and content:
        parts.append(content)

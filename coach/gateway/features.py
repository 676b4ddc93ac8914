"""What a request asks for beyond the messages, and which of it an upstream has turned out not to know."""

import re
from dataclasses import dataclass, replace
from typing import Any

from coach.gateway.conf import Conf
from coach.gateway.schema import INSIGHT_FORM, Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    schema: str = "json_schema"  # then "json_object", then ""
    usage: bool = True
    limit: str = "max_tokens"  # then "max_completion_tokens", then ""
    temperature: bool = True

    def fields(self, upstream: Conf, *, max_tokens: int, form: Form = INSIGHT_FORM) -> dict[str, Any]:
        """Return the fields of the request body that these features are."""
        fields: dict[str, Any] = {}
        if self.schema == "json_schema":
            named = {"name": form.name, "strict": True, "schema": form.schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.schema:
            fields["response_format"] = {"type": self.schema}
        if self.usage:
            fields["stream_options"] = {"include_usage": True}
        if self.limit:
            fields[self.limit] = max_tokens
        if self.temperature and upstream.temperature is not None:
            fields["temperature"] = upstream.temperature
        return fields

    def without(self, complaint: str) -> "Features | None":
        """Return what is left after a 400 that names one of them; None when it names none that could go."""
        text = complaint.lower()
        if self.usage and "stream_options" in text:
            return replace(self, usage=False)
        if self.schema and re.search(r"response_format|json_schema|json_object|grammar|schema", text):
            return replace(self, schema="json_object" if self.schema == "json_schema" else "")
        if self.limit and re.search(r"max_(completion_)?tokens", text):
            return replace(self, limit="max_completion_tokens" if self.limit == "max_tokens" else "")
        if self.temperature and "temperature" in text:
            return replace(self, temperature=False)
        return None

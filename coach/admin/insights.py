"""Insights: the text, the facts it was written from, and what could not be verified."""

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from coach import prose, scopes
from coach.admin.kept import Derived
from coach.models import Insight


class ByScope(admin.SimpleListFilter):
    title = "scope"
    parameter_name = "scope"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return [(scope.name, scope.title) for scope in scopes.scopes().values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Insight]) -> QuerySet[Insight]:
        return queryset.filter(scope=self.value()) if self.value() else queryset


@admin.register(Insight)
class InsightAdmin(Derived[Insight]):
    list_display = ("created_at", "athlete", "scope", "subject", "headline", "writer", "left_out")
    list_select_related = ("athlete__user",)
    list_filter = (ByScope, "language")
    search_fields = ("athlete__user__username", "subject")
    ordering = ("-id",)
    fields = (
        "athlete", "scope", "subject", "writer", "language", "as_of", "created_at", "fingerprint",
        "words", "its_facts", "what_was_dropped",
    )  # fmt: skip

    @admin.display(description="headline")
    def headline(self, insight: Insight) -> str:
        return prose.plain(insight.text.get("headline", ""), insight.facts)

    @admin.display(description="dropped")
    def left_out(self, insight: Insight) -> str:
        return str(len(insight.dropped) or "")

    @admin.display(description="text")
    def words(self, insight: Insight) -> SafeString:
        """Show the text as the athlete reads it, without the links."""
        text = insight.text
        parts = [text.get("headline", ""), text.get("summary", "")]
        parts += [part.get("text", "") for name in ("findings", "suggestions") for part in text.get(name, [])]
        return format_html_join("", "<p>{}</p>", ((prose.plain(part, insight.facts),) for part in parts if part))

    @admin.display(description="facts")
    def its_facts(self, insight: Insight) -> SafeString:
        rows = ((key, fact.get("label", ""), fact.get("display", "")) for key, fact in insight.facts.items())
        body = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
        return format_html('<table class="console-table">{}</table>', body)

    @admin.display(description="dropped")
    def what_was_dropped(self, insight: Insight) -> SafeString:
        return format_html("<pre>{}</pre>", json.dumps(insight.dropped, indent=2, ensure_ascii=False))

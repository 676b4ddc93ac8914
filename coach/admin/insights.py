"""Insights: the text and its versions, the facts and the prompt, what was wrong with it and what it cost."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from coach import evaluating, insights, prose, scopes, versions
from coach.admin.evaluations import MAY
from coach.admin.kept import Derived
from coach.models import Insight, WriterScore

BRIEF = 10  # versions and judgements on the page of an insight


class ByScope(admin.SimpleListFilter):
    title = "scope"
    parameter_name = "scope"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return [(scope.name, scope.title) for scope in scopes.scopes().values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Insight]) -> QuerySet[Insight]:
        return queryset.filter(scope=self.value()) if self.value() else queryset


class ByModel(admin.SimpleListFilter):
    """The models and prompts that were ever asked, as they are counted: asking the insights would read all of them."""

    title = "model and prompt"
    parameter_name = "asked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        scores = WriterScore.objects.exclude(model__endswith="+notes").order_by("-last_at")[:20]
        return [(f"model/{row.model}/{row.prompt_version}", str(row)) for row in scores]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Insight]) -> QuerySet[Insight]:
        return queryset.filter(asked=self.value()) if self.value() else queryset


class ByFault(admin.SimpleListFilter):
    title = "what came of it"
    parameter_name = "came"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return [("dropped", "parts were dropped"), ("fell_back", "the narrator stood in")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Insight]) -> QuerySet[Insight]:
        if self.value() == "dropped":
            return queryset.exclude(dropped=[])
        if self.value() == "fell_back":
            return queryset.exclude(asked="").filter(writer__startswith="builtin/")
        return queryset


class ByOpinion(admin.SimpleListFilter):
    title = "athlete's opinion"
    parameter_name = "opinion"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return [("good", "it helped"), ("bad", "it is not right"), ("note", "with a word why")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Insight]) -> QuerySet[Insight]:
        match self.value():
            case "note":
                return queryset.filter(opinion__isnull=False).exclude(opinion__note="")
            case "good" | "bad":
                return queryset.filter(opinion__good=self.value() == "good")
        return queryset


@admin.register(Insight)
class InsightAdmin(Derived[Insight]):
    list_display = ("created_at", "athlete", "scope", "subject", "headline", "writer", "left_out", "cost", "rated")
    list_select_related = ("athlete__user", "opinion")
    list_filter = (ByScope, ByModel, ByFault, ByOpinion, "language")
    search_fields = ("athlete__user__username", "subject")
    ordering = ("-id",)
    actions = ("evaluate",)
    change_form_template = "admin/coach/insight/change_form.html"
    fields = (
        "athlete", "scope", "subject", "writer", "language", "as_of", "created_at", "fingerprint", "its_cost",
        "its_opinion",
        "words", "what_was_dropped", "its_facts", "its_prompt", "its_versions", "its_judgements",
    )  # fmt: skip

    # What staff may do

    def has_run_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY)

    @admin.action(permissions=["run"], description="Evaluate: have models or prompts compared on these")
    def evaluate(self, request: HttpRequest, queryset: QuerySet[Insight]) -> HttpResponse:
        chosen = queryset.order_by("-pk").values_list("pk", flat=True)[: evaluating.MOST_CASES]
        ids = ",".join(map(str, chosen))
        return HttpResponseRedirect(reverse("admin:coach_evaluation_add", query={"insights": ids}))

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        again = self.admin_site.admin_view(self.write_again)
        return [path("<int:pk>/again/", again, name="coach_insight_again"), *super().get_urls()]

    def write_again(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Have the text written anew from the facts as they are now; this one stays as a version."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_run_permission(request) and self.has_view_permission(request)):
            raise PermissionDenied
        insight = get_object_or_404(Insight.objects.select_related("athlete__user"), pk=pk)
        refusal = insights.again(insight)
        if refusal:
            self.message_user(request, refusal, messages.WARNING)
        else:
            self.log_change(request, insight, "Had it written again.")
            self.message_user(request, "It is in line to be written again.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:coach_insight_change", args=[pk]))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= {"may_run": self.has_run_permission(request)}
        return super().render_change_form(request, context, *args, **kwargs)

    # Cells

    @admin.display(description="headline")
    def headline(self, insight: Insight) -> str:
        return prose.plain(insight.text.get("headline", ""), insight.facts)

    @admin.display(description="dropped")
    def left_out(self, insight: Insight) -> str:
        return str(len(insight.dropped) or "")

    @admin.display(description="tokens")
    def cost(self, insight: Insight) -> str:
        return str(insight.checked.get("tokens") or "")

    @admin.display(description="rated")
    def rated(self, insight: Insight) -> str:
        return str(getattr(insight, "opinion", ""))

    @admin.display(description="athlete's opinion")
    def its_opinion(self, insight: Insight) -> str:
        given = getattr(insight, "opinion", None)
        if given is None:
            return "None."
        return f"{given}, {given.given_at:%Y-%m-%d}{': ' if given.note else '.'}{given.note}"

    @admin.display(description="cost")
    def its_cost(self, insight: Insight) -> str:
        checked = insight.checked
        if not checked:
            return "Nothing: no model was asked."
        answers, repaired = checked.get("answers", 0), ", the second a repair" if checked.get("repaired") else ""
        said = f"{answers} {'answer' if answers == 1 else 'answers'}{repaired} from {insight.asked or 'a model'}"
        if "tokens" not in checked:
            return f"{said}."
        return f"{said}: {checked['tokens']} tokens in {checked.get('seconds', 0):.1f} s."

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
        return table(rows)

    @admin.display(description="violations")
    def what_was_dropped(self, insight: Insight) -> SafeString | str:
        """Show what broke which rule where, and the words that were thrown away for it."""
        if not insight.dropped:
            return "None."
        names = ("check", "where", "text", "said")
        return table([each.get(name, "") for name in names] for each in insight.dropped)

    @admin.display(description="prompt")
    def its_prompt(self, insight: Insight) -> SafeString | str:
        sent = evaluating.prompt_of(insight)
        return (
            format_html("<details><summary>As it would be sent</summary><pre>{}</pre></details>", sent)
            if sent
            else ("Its facts were kept by an older version, in part only.")
        )

    @admin.display(description="versions")
    def its_versions(self, insight: Insight) -> SafeString:
        """List the texts about the same thing, with what changed in the facts from one to the next."""
        same = Insight.objects.filter(athlete=insight.athlete, scope=insight.scope, subject=insight.subject)
        found = list(same.order_by("-pk")[: BRIEF + 1])
        older = [*found[1:], None]
        rows = (
            (version_link(row, is_this=row == insight), row.writer, changes(before, row) if before else "")
            for row, before in zip(found[:BRIEF], older, strict=False)
        )
        return table(rows)

    @admin.display(description="judged")
    def its_judgements(self, insight: Insight) -> SafeString | str:
        cases = insight.evaluation_cases.select_related("evaluation").prefetch_related("verdicts").order_by("-pk")
        rows = [
            (
                format_html(
                    '<a href="{}">{}</a>',
                    reverse("admin:coach_evaluation_change", args=[case.evaluation_id]),
                    case.evaluation.title,
                ),
                ", ".join(evaluating.verdict(case, each) for each in case.verdicts.all()),
            )
            for case in cases[:BRIEF]
        ]
        return table(rows) if rows else "In no evaluation so far."


def table(rows: Any) -> SafeString:
    body = format_html_join("", "<tr>{}</tr>", ((cells(row),) for row in rows))
    return format_html('<table class="console-table">{}</table>', body)


def cells(row: Any) -> SafeString:
    return format_html_join("", "<td>{}</td>", ((cell,) for cell in row))


def version_link(row: Insight, *, is_this: bool) -> SafeString:
    moment = f"{row.created_at:%Y-%m-%d %H:%M}"
    if is_this:
        return format_html("<strong>{}</strong>", moment)
    return format_html('<a href="{}">{}</a>', reverse("admin:coach_insight_change", args=[row.pk]), moment)


def changes(before: Insight, after: Insight) -> str:
    """Say which facts changed: fitness 62 → 64."""
    moved = [f"{each.label} {each.before} → {each.after}" for each in versions.changes(before, after)]
    more = f" and {len(moved) - 6} more" if len(moved) > 6 else ""
    return (", ".join(moved[:6]) + more) or "the same facts"

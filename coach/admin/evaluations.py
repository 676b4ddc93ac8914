"""Evaluations: made, watched, judged blindly, and taken along as a table."""

import csv
import io
import json
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse

from coach import comparing, evaluating, exports, scopes
from coach.admin.evaluation_form import EvaluationForm
from coach.admin.kept import Derived
from coach.models import Evaluation, EvaluationCase, EvaluationText

MAY = "coach.run_evaluation"


@admin.register(Evaluation)
class EvaluationAdmin(Derived[Evaluation]):
    list_display = ("title", "of_sides", "of_texts", "created_by", "created_at")
    search_fields = ("title",)
    ordering = ("-id",)
    fields = ("title", "of_sides", "created_by", "created_at")
    change_form_template = "admin/coach/evaluation/change_form.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Evaluation]:
        texts = EvaluationText.objects.filter(case__evaluation=OuterRef("pk")).order_by()
        counted = texts.values("case__evaluation").annotate(n=Count("pk")).values("n")
        cases = EvaluationCase.objects.filter(evaluation=OuterRef("pk")).order_by()
        of_cases = cases.values("evaluation").annotate(n=Count("pk")).values("n")
        return super().get_queryset(request).annotate(n_texts=Subquery(counted), n_cases=Subquery(of_cases))

    @admin.display(description="sides")
    def of_sides(self, evaluation: Evaluation) -> str:
        return " · ".join(map(str, evaluating.sides_of(evaluation)))

    @admin.display(description="texts")
    def of_texts(self, evaluation: Evaluation) -> str:
        wanted = (getattr(evaluation, "n_cases", 0) or 0) * len(evaluation.sides)
        return f"{getattr(evaluation, 'n_texts', 0) or 0} of {wanted}"

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        guard = self.admin_site.admin_view
        return [
            path("<int:pk>/do/<slug:verb>/", guard(self.operate), name="coach_evaluation_operate"),
            path("<int:pk>/judge/", guard(self.judge), name="coach_evaluation_judge"),
            path("<int:pk>/export/<slug:form>/", guard(self.export), name="coach_evaluation_export"),
            *super().get_urls(),
        ]

    # Making one

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        chosen = {"insights": request.GET.get("insights", "")}
        form = EvaluationForm(request.POST) if request.method == "POST" else EvaluationForm(initial=chosen)
        if request.method == "POST" and form.is_valid():
            try:
                return self._made(request, form)
            except evaluating.Refused as refused:
                form.add_error(None, str(refused))
        context = self._context(request, title="Add an evaluation", form=form, chosen=len(form.ids()))
        return TemplateResponse(request, "admin/coach/evaluation/add.html", context)

    def _made(self, request: HttpRequest, form: EvaluationForm) -> HttpResponse:
        by = request.user.get_username()
        made, left_out, is_new = evaluating.make(form.cleaned_data["title"], form.chosen(), form.sides(), by=by)
        cases = made.cases.count()
        if is_new:
            self.log_addition(request, made, f"Put {cases} cases in line: {self.of_sides(made)}.")
            self.message_user(request, f"{cases} cases are in line.", messages.SUCCESS)
        else:
            self.message_user(request, "The same is under way; this is its page.", messages.WARNING)
        if left_out:
            said = f"{left_out} insights were left out: their athletes let no model write, or they are too old."
            self.message_user(request, said, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:coach_evaluation_change", args=[made.pk]))

    # Its page

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        evaluation: Evaluation = context["original"]
        ticket = evaluating.ticket(evaluation)
        context |= {
            "may": request.user.has_perm(MAY),
            "columns": comparing.columns(evaluation),
            "ticket": ticket,
            "done": sum(count for state, count in ticket.items.items() if state not in ("pending", "running"))
            if ticket
            else 0,
            "cases": comparing.in_order(evaluation),
            "two": len(evaluation.sides) == 2,
            "title": evaluation.title,
            "subtitle": None,
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def operate(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        """Stop it, or have what is missing written."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        evaluation = self._own(request, pk)
        by = request.user.get_username()
        if verb == "stop":
            moved, said = evaluating.stop(evaluation, by=by), "Stopped; what is written stays."
        elif verb == "retry":
            moved, said = evaluating.retry(evaluation, by=by), "What is missing is in line again."
        else:
            raise Http404
        if moved:
            self.log_change(request, evaluation, said)
        self.message_user(request, said if moved else "Nothing moved.", messages.SUCCESS if moved else messages.WARNING)
        return HttpResponseRedirect(reverse("admin:coach_evaluation_change", args=[pk]))

    def judge(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show two texts about one case; nothing on the page says whose they are."""
        evaluation = self._own(request, pk)
        who = request.user.get_username()
        if request.method == "POST":
            case = get_object_or_404(evaluation.cases, pk=_number(request.POST.get("case", "")))
            try:
                comparing.judge(case, judge=who, choice=request.POST.get("choice", ""))
            except ValueError:
                raise Http404 from None
            self.log_change(request, evaluation, f"Judged case {case.position}.")
            return HttpResponseRedirect(request.path)
        pair = comparing.next_pair(evaluation, judge=who)
        context = self._context(request, title=f"Judge: {evaluation.title}", original=evaluation, pair=pair)
        if pair:
            about = pair.case.facts
            context |= {
                "question": scopes.question(about["scope"]),
                "facts": [(fact["label"], fact["display"]) for fact in about["facts"].values()],
                "scope": about["scope"],
            }
        return TemplateResponse(request, "admin/coach/evaluation/judge.html", context)

    def export(self, request: HttpRequest, pk: int, form: str) -> HttpResponse:
        evaluation = self._own(request, pk)
        if form not in ("csv", "json"):
            raise Http404
        rows = comparing.rows(evaluation)
        if request.method == "GET":
            self.log_change(request, evaluation, f"Exported as {form.upper()}.")
        said = json.dumps(rows, ensure_ascii=False, indent=2) if form == "json" else as_csv(rows)
        kind = "application/json" if form == "json" else "text/csv; charset=utf-8"
        disposition = {"Content-Disposition": f'attachment; filename="evaluation-{pk}.{form}"'}
        return HttpResponse(said, content_type=kind, headers=disposition)

    def _own(self, request: HttpRequest, pk: int) -> Evaluation:
        if not request.user.has_perm(MAY):
            raise PermissionDenied
        return get_object_or_404(Evaluation, pk=pk)

    def _context(self, request: HttpRequest, **more: Any) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts, **more}


def as_csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows({name: exports.cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _number(given: str) -> int:
    return int(given) if given.isdecimal() and len(given) < 19 else 0

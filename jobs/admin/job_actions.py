"""What staff do to jobs of the list: to those ticked at once, to all that match by a job of the queue."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.html import format_html

from jobs.admin import cells, job_list
from jobs.console import every, found, operate
from jobs.models import Job

if TYPE_CHECKING:
    from jobs.admin.job import JobAdmin

ALL = "1"  # of select_across
TICK = "Tick the jobs that are meant, or choose all that match."

type Action = Callable[["JobAdmin", HttpRequest, QuerySet[Job]], HttpResponse | None]


class ActionForm(helpers.ActionForm):
    # Text: what is no number is told by the action itself, which a form that is not valid would keep from running.
    priority = forms.CharField(
        required=False,
        widget=forms.NumberInput({"min": 0, "max": operate.PRIORITIES[-1], "placeholder": "0–100"}),
    )


DESCRIPTIONS = {
    "promote": "Promote: before all others",
    "run_now": "Run now: past the gap, never past the capacity",
    "stop": "Stop",
    "retry": "Retry: put in line again",
    "retry_items": "Retry what did not succeed of jobs with items",
    "priority": "Change priority: lower goes first",
}


def action(name: str) -> Action:
    """Return an action: one transition a row, then a report of what moved and why the rest did not."""

    @admin.action(permissions=["operate"], description=DESCRIPTIONS[name])
    def act(modeladmin: "JobAdmin", request: HttpRequest, queryset: QuerySet[Job]) -> HttpResponse | None:
        priority = priority_of(request) if name == "priority" else operate.USUAL
        if priority is None:
            return None
        across = request.POST.get("select_across") == ALL
        if (across or operate.VERBS[name].hurts) and not request.POST.get("sure"):
            return asked(modeladmin, request, name, across=across)
        if across:
            _ask_for_all(request, name, priority)
        else:
            _act(request, name, priority)
        return None

    act.__name__ = name
    return act


def priority_of(request: HttpRequest) -> int | None:
    """Return the priority that was given; None, with a message, when it is none."""
    text = request.POST.get("priority", "").strip()
    if text.isascii() and text.isdigit() and int(text) in operate.PRIORITIES:
        return int(text)
    most = operate.PRIORITIES[-1]
    messages.error(request, f"Give the priority as a number from 0 to {most}; lower goes first.")
    return None


def asked(modeladmin: "JobAdmin", request: HttpRequest, name: str, *, across: bool) -> HttpResponse:
    """Say what will be done to how many, and ask once more."""
    ticked = [] if across else _ticked(request)
    if not ticked and not across:
        messages.warning(request, TICK)
        return HttpResponseRedirect(request.get_full_path())
    return _sure(modeladmin, request, name, across=across, ticked=ticked)


def asked_of_one(modeladmin: "JobAdmin", request: HttpRequest, name: str, job: int) -> HttpResponse:
    return _sure(modeladmin, request, name, across=False, ticked=[job], leave=cells.address("job", job))


def _sure(
    modeladmin: "JobAdmin", request: HttpRequest, name: str, *, across: bool, ticked: list[int], leave: str = ""
) -> HttpResponse:
    context = {
        **modeladmin.admin_site.each_context(request),
        "opts": Job._meta,
        "title": f"{operate.VERBS[name].label}?",
        "label": operate.VERBS[name].label,
        "hurts": operate.VERBS[name].hurts,
        "name": name,
        "across": across,
        "wanted": job_list.wanted_of(request).sentence,
        "ticked": ticked,
        "number": len(ticked),
        "priority": request.POST.get("priority", ""),
        "back": request.get_full_path(),
        "leave": leave or request.get_full_path(),
    }
    return TemplateResponse(request, "admin/jobs/job/sure.html", context)


def _act(request: HttpRequest, name: str, priority: int) -> None:
    """Act on those ticked, in the order they are due; they count even if the filter has lost them since."""
    ticked = _ticked(request)
    if not ticked:
        messages.warning(request, TICK)
        return
    ordered = Job.objects.filter(pk__in=ticked).order_by("band", "turn", "id").values_list("pk", flat=True)
    chosen = list(ordered[: operate.MOST + 1])
    report = operate.VERBS[name](chosen[: operate.MOST], by=cells.who(request), priority=priority)
    cells.tell(request, report, more=len(chosen) > operate.MOST)


def _ticked(request: HttpRequest) -> list[int]:
    """Return the ids that were ticked; the form always sends a 0, or no action would run to see that none is."""
    ids = map(found.id_of, request.POST.getlist(helpers.ACTION_CHECKBOX_NAME))
    return [number for number in ids if number]


def _ask_for_all(request: HttpRequest, name: str, priority: int) -> None:
    wanted = job_list.wanted_of(request)
    made = every.ask(name, wanted, by=cells.who(request), priority=priority)
    if made is None:
        messages.warning(request, "There is no job.")
        return
    link = cells.link("job", made.id, f"job {made.id}")
    said: Any = format_html(
        "{}: {} does it, and tells there what moved and why the rest did not.", wanted.sentence, link
    )
    messages.success(request, said)

"""Cells: a state as a word in its colour, a time, a link to another row."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jobs.console import words
from jobs.console.operate import Report


def state(word: str) -> SafeString:
    return format_html('<span class="state state-{}">{}</span>', word, word)


def time(moment: datetime | None) -> SafeString | str:
    """Return how long ago, with the full time on tap."""
    if moment is None:
        return "–"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        f"{moment:%Y-%m-%d %H:%M:%S} UTC",
        words.when(moment),
    )


def address(model: str, key: object) -> str:
    return reverse(f"admin:jobs_{model}_change", args=[quote(str(key))])


def link(model: str, key: object, text: object = "") -> SafeString | str:
    """Return a link to a row of the queue; a dash when there is no key."""
    if key in (None, ""):
        return "–"
    return format_html('<a href="{}">{}</a>', address(model, key), text or key)


def kinds(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def tell(request: HttpRequest, report: Report, *, more: bool = False) -> None:
    """Say what an action did, and why not."""
    level = messages.SUCCESS if report.total_moved and not report.refused else messages.WARNING
    rest = " These were the first of more; run it again for the rest." if more else ""
    messages.add_message(request, level, f"{report.sentence}{rest}")


def who(request: HttpRequest) -> str:
    """Return the name that goes into the audit."""
    user: Any = request.user
    return str(user.get_username())

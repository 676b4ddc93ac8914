"""Turns an insight's tokens into what is read: {{key}} becomes the fact's display, linked to the fact."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

NO_BREAK = "\u00a0"
LONGEST_UNBROKEN = 18  # signs: a day such as 18 November 2026 stays on its line
TOKEN = re.compile(r"\{\{\s*([a-z0-9_]+)\s*\}\}")


def html(text: str, facts: Mapping[str, Mapping[str, Any]], *, here: Collection[str]) -> SafeString:
    """Return the text with its facts in place; everything else is escaped.

    Those that are `here`, on the page, are linked to; an older text may hold one that the page has no more.
    """
    parts: list[str] = []
    end = 0
    for match in TOKEN.finditer(text):
        parts.append(conditional_escape(text[end : match.start()]))
        parts.append(_fact(match.group(1), facts, here=here))
        end = match.end()
    parts.append(conditional_escape(text[end:]))
    return mark_safe("".join(parts))  # noqa: S308  (every part is escaped above)


def plain(text: str, facts: Mapping[str, Mapping[str, Any]]) -> str:
    return TOKEN.sub(lambda match: str(facts.get(match.group(1), {}).get("display", "–")), text)


def _fact(key: str, facts: Mapping[str, Mapping[str, Any]], *, here: Collection[str]) -> SafeString:
    fact = facts.get(key)
    if fact is None:
        return SafeString("–")
    said = (str(fact.get(part) or "").rstrip(".") for part in ("label", "meaning", "convention"))
    title = ". ".join(part for part in said if part)
    display = str(fact["display"])
    if len(display) <= LONGEST_UNBROKEN:
        display = display.replace(" ", NO_BREAK)
    if key not in here:
        return format_html('<span class="fact" title="{}">{}</span>', title, display)
    return format_html('<a class="fact" href="#fact-{}" title="{}">{}</a>', key, title, display)

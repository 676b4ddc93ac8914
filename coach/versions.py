"""The texts that a screen has had, what changed in the facts between them, and what the athlete thinks of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from coach import prose, remarks
from coach.models import Athlete, Insight, Opinion

PAGE = 10
NOTE_LENGTH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A fact that reads otherwise than before; `–` where there was none, or is none any more."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    insight: Insight
    headline: str  # plain text, as the next
    summary: str
    is_first: bool
    changes: tuple[Change, ...]


def of(athlete: Athlete, scope: str, subject: str, *, before: int | None = None) -> tuple[list[Version], int | None]:
    """Return a page of versions, newest first, and the key after which the next page begins, if there is one."""
    rows = Insight.objects.filter(athlete=athlete, scope=scope, subject=subject).select_related("opinion")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: PAGE + 1])
    shown = [version(row, older) for row, older in zip_longest(found, found[1:])][:PAGE]
    return shown, shown[-1].insight.pk if len(found) > PAGE else None


def version(row: Insight, older: Insight | None) -> Version:
    return Version(
        insight=row,
        headline=prose.plain(row.text["headline"], row.facts),
        summary=prose.plain(row.text["summary"], row.facts),
        is_first=older is None,
        changes=tuple(changes(older, row)) if older else (),
    )


def changes(before: Insight, after: Insight) -> Iterator[Change]:
    """Compare what the two texts were written from, as it was read."""
    translated = before.language != after.language
    for key in {**after.facts, **before.facts}:
        was, now = before.facts.get(key, {}), after.facts.get(key, {})
        if is_same(was, now, translated=translated):
            continue
        change = Change(
            label=now.get("label") or was.get("label") or key,
            before=was.get("display", "–"),
            after=now.get("display", "–"),
        )
        if change.before != change.after:
            yield change


def is_same(was: Mapping[str, Any], now: Mapping[str, Any], *, translated: bool) -> bool:
    """Say whether a fact only reads otherwise, in other units or another language; a word is the same in neither."""
    if "value" not in was or "value" not in now:
        return False
    return bool(was["value"] == now["value"]) or (translated and isinstance(was["value"], str))


def judge(insight: Insight, *, good: bool | None, note: str = "") -> Opinion | None:
    """Keep what the athlete thinks of a text, None for nothing any more.

    The same thumb again changes nothing: it may be a second click, or another tab.
    """
    if good is None:
        Opinion.objects.filter(insight=insight).delete()
        return None
    note = remarks.cleaned(note)[:NOTE_LENGTH]
    held = Opinion.objects.filter(insight=insight).first()
    if held is not None and held.good == good and not note:
        return held
    kept, _ = Opinion.objects.update_or_create(insight=insight, defaults={"good": good, "note": note})
    return kept

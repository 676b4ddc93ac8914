"""The texts that a screen has had, what changed in the facts between them, and what the athlete thinks of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

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
    for key in {**after.facts, **before.facts}:
        was, now = before.facts.get(key, {}), after.facts.get(key, {})
        change = Change(
            label=now.get("label") or was.get("label") or key,
            before=was.get("display", "–"),
            after=now.get("display", "–"),
        )
        if change.before != change.after:
            yield change


def judge(insight: Insight, *, good: bool, note: str = "") -> Opinion | None:
    """Keep what the athlete thinks of a text; the same thumb again, without a word more, takes it back."""
    note = remarks.cleaned(note)[:NOTE_LENGTH]
    held = Opinion.objects.filter(insight=insight).first()
    if held is not None and held.good == good and not note:
        held.delete()
        return None
    kept, _ = Opinion.objects.update_or_create(insight=insight, defaults={"good": good, "note": note})
    return kept

"""Asks for the best of each of many spans in one statement, and writes that statement in little time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import IntegerField, Value

from coach.models import Best
from coach.models.best import BestQuerySet

Key = tuple[str, int]  # measure and span
# What stands, where the text of a part is written, in place of that by which parts of one shape differ.
SPAN, LEVEL, DAY, NUMBER = 2**31 - 1, -1.0, date(1, 1, 1), -2


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The best of these rows over a span: of those of days before `until`, and of those that are better."""

    rows: BestQuerySet
    key: Key
    until: date | None = None
    better_than: float | None = None

    @property
    def shape(self) -> tuple[Any, ...]:
        return id(self.rows), self.key[0], self.until is None, self.better_than is None

    def text(self) -> tuple[str, Sequence[Any]]:
        """Return the statement of all parts of this shape, and what goes into it."""
        measure = self.key[0]
        is_most = measure == Best.Measure.POWER
        found = self.rows.filter(measure=measure, span=SPAN)
        if self.until is not None:
            found = found.filter(local_date__lt=DAY)
        if self.better_than is not None:
            found = found.filter(value__gt=LEVEL) if is_most else found.filter(value__lt=LEVEL)
        told = found.annotate(part=Value(NUMBER, output_field=IntegerField()))
        # Of equals the one that was first.
        return told.order_by("-value" if is_most else "value", "local_date", "pk")[:1].query.sql_with_params()

    def values(self, text: Sequence[Any], *, number: int) -> list[Any]:
        own = {SPAN: self.key[1], LEVEL: self.better_than, DAY: self.until, NUMBER: number}
        return [next((own[mark] for mark in own if _is(value, mark)), value) for value in text]


def firsts(*asked: Sequence[Part]) -> tuple[dict[Key, Best], ...]:
    """Return for each list of parts the best row of each key that has one; one statement.

    Django needs half a millisecond to write a part, and there may be eighty: each shape is written once.
    """
    found: tuple[dict[Key, Best], ...] = tuple({} for _ in asked)
    texts: dict[tuple[Any, ...], tuple[str, Sequence[Any]]] = {}
    statements, values = [], []
    for number, parts in enumerate(asked):
        for part in parts:
            text, marked = texts.get(part.shape) or texts.setdefault(part.shape, part.text())
            statements.append(f"({text})")
            values += part.values(marked, number=number)
    for row in Best.objects.raw(" UNION ALL ".join(statements), values) if statements else ():
        found[row.part][row.measure, row.span] = row  # type: ignore[attr-defined]
    return found


def _is(value: Any, mark: Any) -> bool:
    return isinstance(value, type(mark)) and bool(value == mark)

"""Lists that are paged by where the last page ended: page 1,000 costs what page 1 costs, and nothing is counted."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db.models import BooleanField, F, Func, Model, QuerySet, Value
from django.db.models.expressions import Combinable, CombinedExpression, OrderBy
from django.http import HttpRequest

AFTER, BEFORE = "after", "before"
LOOKED_THROUGH = 50_000  # rows in the order of the list; what matches beyond is on the next page


class Beyond(Func):
    """Compares rows, as an index of these columns is ordered."""

    output_field = BooleanField()
    conditional = True

    def __init__(self, columns: Sequence[F | CombinedExpression], values: Sequence[Value], *, op: str) -> None:
        super().__init__(*columns, *values)
        self.op = op

    def as_sql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        parts = [compiler.compile(part) for part in self.get_source_expressions()]
        texts = [text for text, _ in parts]
        middle = len(texts) // 2
        left, right = ", ".join(texts[:middle]), ", ".join(texts[middle:])
        return f"({left}) {self.op} ({right})", [value for _, values in parts for value in values]


class KeysetChangeList(ChangeList):
    """Needs `keyset(request)` of its admin: the columns of the order, and whether it falls."""

    newer: str = ""
    older: str = ""
    looked_further: bool = False  # the page ends where enough was looked through, not where it is full

    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Any]:
        """Where a page begins is no filter, and another filter begins at the first page."""
        for name in (AFTER, BEFORE):
            self.params.pop(name, None)
            self.filter_params.pop(name, None)
        return super().get_queryset(request, exclude_parameters)

    model_admin: Any

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[str | Combinable]:
        columns, falls = self.model_admin.keyset(request)
        return [f"-{name}" if falls else name for name in columns]

    def expression(self, name: str) -> F | CombinedExpression:
        """Return a column of the order as its index has it."""
        return F(name)

    def base(self, request: HttpRequest) -> QuerySet[Any] | None:
        """Return the rows that an index serves in the order of the list; None when all that match are few to seek."""
        return None

    def get_results(self, request: HttpRequest) -> None:
        self.columns, falls = self.model_admin.keyset(request)
        back = BEFORE in request.GET
        falls = falls != back
        key = self._key(request.GET.get(BEFORE if back else AFTER, ""))
        sides = map(self.expression, self.columns)
        order = [OrderBy(side, descending=falls) for side in sides]
        rows, base = self.queryset.order_by(*order), self.base(request)
        if key:
            rows = rows.filter(self._beyond(key, op="<" if falls else ">"))
        bound = self._bound(base, key, order, falls=falls) if base is not None else None
        if bound:
            rows = rows.filter(self._beyond(bound, op=">=" if falls else "<="))
        found = list(rows[: self.list_per_page + 1])
        self._set(found, key, bound, back=back)

    def _set(self, found: list[Any], key: list[Any] | None, bound: Any, *, back: bool) -> None:
        full, shown = len(found) > self.list_per_page, found[: self.list_per_page]
        self.looked_further = bool(bound) and not full
        end = self._text(shown[-1]) if full else (_packed(bound) if bound else "")
        start = self._text(shown[0]) if shown else _packed(key) if key else ""
        if back:
            shown.reverse()
            self.newer, self.older = end, start
        else:
            self.newer, self.older = start if key else "", end
        self.result_list = shown
        self.result_count = len(shown)
        self.full_result_count, self.show_full_result_count = None, False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False
        self.paginator = self.model_admin.get_paginator(None, shown, self.list_per_page)

    def _bound(self, base: QuerySet[Any], key: Any, order: Sequence[OrderBy], *, falls: bool) -> list[Any] | None:
        """Return where the page stops looking; None when it may look to the end."""
        rows = base.order_by(*order)
        if key:
            rows = rows.filter(self._beyond(key, op="<" if falls else ">"))
        found = rows.values_list(*self.columns)[LOOKED_THROUGH : LOOKED_THROUGH + 1]
        return next((list(row) for row in found), None)

    def _beyond(self, key: Sequence[Any], *, op: str) -> Beyond:
        fields = [_field(self.model, name) for name in self.columns]
        given = [Value(value, output_field=field) for field, value in zip(fields, key, strict=True)]
        return Beyond([self.expression(name) for name in self.columns], given, op=op)

    def _text(self, row: Any) -> str:
        return _packed([getattr(row, name) for name in self.columns])

    def _key(self, text: str) -> list[Any] | None:
        if not text:
            return None
        fields = [_field(self.model, name) for name in self.columns]
        try:
            parts = list(map(_word, json.loads(text)))
            key = [field.to_python(part) for field, part in zip(fields, parts, strict=True)]
            if any(isinstance(part, datetime) and part.tzinfo is None for part in key):
                raise ValueError("A list packs moments with their zone.")
        except (ValueError, TypeError, ValidationError, RecursionError) as error:
            raise IncorrectLookupParameters from error
        return key

    @property
    def newer_query(self) -> str:
        return self.get_query_string({BEFORE: self.newer}, [AFTER]) if self.newer else ""

    @property
    def older_query(self) -> str:
        return self.get_query_string({AFTER: self.older}, [BEFORE]) if self.older else ""


def _field(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name)


def _word(part: Any) -> str:
    """Return a part of a key as a list packs it: a text that a database can hold. Raises ValueError for another."""
    if not isinstance(part, str) or b"\0" in part.encode():
        raise ValueError("This key is forged.")
    return part


def _packed(key: Sequence[Any]) -> str:
    return json.dumps([part.isoformat() if isinstance(part, datetime) else str(part) for part in key])

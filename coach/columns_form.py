"""The form that asks what the columns of a table are."""

from typing import Any

from django import forms

from coach.columns import Preview
from coach.formats.table import DATE_ORDERS, NIGHT_DATES, ROLES, WEIGHT_UNITS, Mapping

OPEN = ("", "Choose")


class ColumnsForm(forms.Form):
    """One choice a column, and what the cells leave open."""

    date_order = forms.ChoiceField(
        label="Order of the dates", choices=[OPEN, *DATE_ORDERS.items()], required=False,
        help_text="03/04/2026 is the third of April or the fourth of March; only you can know.",
    )  # fmt: skip
    weight_unit = forms.ChoiceField(
        label="Unit of the weights", choices=[OPEN, *WEIGHT_UNITS.items()], required=False,
        help_text="Needed for weights only. A cell that names its own unit keeps it.",
    )  # fmt: skip
    night_date = forms.ChoiceField(
        label="The date of a night is", choices=list(NIGHT_DATES.items()), required=False,
        help_text="Needed for sleep only.",
    )  # fmt: skip
    provider = forms.CharField(
        label="Measured by", max_length=100, required=False,
        help_text="The scale or app it comes from; the values of two are never mixed.",
    )  # fmt: skip

    def __init__(self, data: Any = None, *, preview: Preview) -> None:
        said = preview.mapping
        initial = {name: getattr(said, name) for name in ("date_order", "weight_unit", "night_date", "provider")}
        super().__init__(data, initial=initial)
        self.width = len(preview.heads)
        for place, head in enumerate(preview.heads):
            choice = forms.ChoiceField(
                label=head, choices=list(ROLES.items()), required=False, initial=said.columns[place]
            )
            self.fields[f"column_{place}"] = choice

    def columns(self) -> list[forms.BoundField]:
        return [self[f"column_{place}"] for place in range(self.width)]

    def others(self) -> list[forms.BoundField]:
        return [self[name] for name in ("date_order", "weight_unit", "night_date", "provider")]

    def mapping(self) -> Mapping:
        """Return what was said; after is_valid."""
        said = self.cleaned_data
        provider = {"provider": said["provider"]} if said["provider"] else {}
        return Mapping(
            columns=tuple(said[f"column_{place}"] for place in range(self.width)),
            date_order=said["date_order"],
            weight_unit=said["weight_unit"],
            night_date=said["night_date"] or "morning",
            **provider,
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            for trouble in self.mapping().troubles():
                self.add_error(None, trouble)
        return cleaned

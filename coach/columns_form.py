"""The form that asks what the columns of a table are."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from coach.columns import Preview
from coach.formats.table import DATE_ORDERS, NIGHT_DATES, ROLES, WEIGHT_UNITS
from coach.formats.table import Mapping as Said
from coach.retelling import retold

PROVIDER = gettext_noop("My table")  # of coach.formats.table.mapping
Choice = tuple[str, Any]
OPEN: Choice = ("", _("Choose"))


def told(words: Mapping[str, str], *before: Choice) -> Callable[[], list[Choice]]:
    """Return choices whose words are those of whoever looks at the form."""
    return lambda: [*before, *((key, retold(word)) for key, word in words.items())]


class ColumnsForm(forms.Form):
    """One choice a column, and what the cells leave open."""

    date_order = forms.ChoiceField(
        label=_("Order of the dates"), choices=told(DATE_ORDERS, OPEN), required=False,
        help_text=_("03/04/2026 is the third of April or the fourth of March; only you can know."),
    )  # fmt: skip
    weight_unit = forms.ChoiceField(
        label=_("Unit of the weights"), choices=told(WEIGHT_UNITS, OPEN), required=False,
        help_text=_("Needed for weights only. A cell that names its own unit keeps it."),
    )  # fmt: skip
    night_date = forms.ChoiceField(
        label=_("The date of a night is"), choices=told(NIGHT_DATES), required=False,
        help_text=_("Needed for sleep only."),
    )  # fmt: skip
    provider = forms.CharField(
        label=_("Measured by"), max_length=100, required=False,
        help_text=_("The scale or app it comes from; the values of two are never mixed."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, preview: Preview) -> None:
        said = preview.mapping
        initial = {name: getattr(said, name) for name in ("date_order", "weight_unit", "night_date")}
        initial["provider"] = gettext(PROVIDER) if said.provider == PROVIDER else said.provider
        super().__init__(data, initial=initial)
        self.width = len(preview.heads)
        for place, head in enumerate(preview.heads):
            choice = forms.ChoiceField(label=head, choices=told(ROLES), required=False, initial=said.columns[place])
            self.fields[f"column_{place}"] = choice

    def columns(self) -> list[forms.BoundField]:
        return [self[f"column_{place}"] for place in range(self.width)]

    def others(self) -> list[forms.BoundField]:
        return [self[name] for name in ("date_order", "weight_unit", "night_date", "provider")]

    def mapping(self) -> Said:
        """Return what was said; after is_valid."""
        said = self.cleaned_data
        # What Coach calls a table that nobody named is one name in every language.
        named = said["provider"] not in ("", gettext(PROVIDER))
        provider = {"provider": said["provider"]} if named else {}
        return Said(
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

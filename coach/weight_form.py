"""The form for a weight by hand: a day and what the scale showed, in the athlete's own unit."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from coach import display, weights
from coach.display import Style
from coach.formats.wellness import METRICS
from coach.models import Athlete
from coach.preferred import WEIGHT

OLDEST_YEARS = 20


class WeightForm(forms.Form):
    weight = forms.CharField(
        max_length=12, widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
    )
    weighed_on = forms.DateField(
        label=_("Day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the day like 2026-05-31.")},
    )

    def __init__(self, *args: Any, athlete: Athlete, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"weighed_on": athlete.today()})
        super().__init__(*args, **kwargs)
        self.athlete = athlete
        self.style = Style(units=athlete.units)
        self.fields["weight"].label = gettext("Weight (%(unit)s)") % {"unit": unit_of(self.style)}

    def clean_weight(self) -> float:
        """Return kilograms."""
        return kilograms(str(self.cleaned_data["weight"]), style=self.style)

    def clean_weighed_on(self) -> date:
        day: date = self.cleaned_data["weighed_on"]
        today = self.athlete.today()
        if day > today:
            raise forms.ValidationError(_("This day is still to come. Give today or a day before it."))
        if day.year < today.year - OLDEST_YEARS:
            raise forms.ValidationError(_("Give a day of the last %(n)s years."), params={"n": OLDEST_YEARS})
        return day

    def save(self) -> str:
        """Keep the weight and say so."""
        row = weights.put(self.athlete, self.cleaned_data["weighed_on"], self.cleaned_data["weight"])
        style = Style(units=self.athlete.units, language=self.athlete.language)
        said = gettext("Saved: %(weight)s on %(day)s.")
        weight = display.show("weight", row.value, style=style)
        return said % {"weight": weight, "day": display.day(row.local_date, style=style)}


def kilograms(raw: str, *, style: Style, least: float | None = None, most: float | None = None) -> float:
    """Read a weight in the athlete's unit; ValidationError for what no human being weighs."""
    metric = METRICS[WEIGHT]
    low, high = least or metric.least, most or metric.most
    try:
        value = float(raw.strip().replace(",", "."))
    except ValueError as error:
        wrong = _("Give a number of %(unit)s, such as 72.5.")
        raise forms.ValidationError(wrong, params={"unit": unit_of(style)}) from error
    found = value * (display.KILOGRAMS_PER_POUND if style.imperial else 1.0)
    if not low <= found <= high:  # a value that is no number fails here, too
        edges = [display.number(display.in_unit(edge, style=style)) for edge in (low, high)]
        raise forms.ValidationError(
            _("This should lie between %(least)s and %(most)s %(unit)s."),
            params={"least": edges[0], "most": edges[1], "unit": unit_of(style)},
        )
    return found


def unit_of(style: Style) -> str:
    """Return kg or lb as the reader calls it."""
    return display.unit(display.mass_unit(style), style=Style(language=get_language() or "en"))

"""The form by which an athlete says what a session was."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach import display, remarks
from coach.display import METRES_PER_FOOT, METRES_PER_MILE, Style
from coach.models import Activity
from coach.models.activity import SESSION_TYPES

FELT = {
    1: _("very, very easy"),
    2: _("easy"),
    3: _("moderate"),
    4: _("somewhat hard"),
    5: _("hard"),
    7: _("very hard"),
    10: _("as hard as I can"),
}
FURTHEST_M, HIGHEST_M = 2_000_000.0, 20_000.0


class RemarksForm(forms.Form):
    """Distance and ascent are empty unless the athlete put them right, and are in the athlete's units."""

    stated_type = forms.ChoiceField(label=_("Session type"), required=False)
    effort = forms.TypedChoiceField(
        label=_("How hard it felt"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[
            ("", _("Not said")),
            *((n, format_lazy(_("{n}, {felt}"), n=n, felt=FELT[n]) if n in FELT else str(n)) for n in range(1, 11)),
        ],
        help_text=_("Where nothing else is measured, load is taken from this and the time."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, max_length=remarks.MOST_LETTERS, widget=forms.Textarea(attrs={"rows": 3})
    )
    distance = forms.FloatField(required=False, min_value=0.01)
    ascent = forms.FloatField(required=False, min_value=0)
    is_race = forms.BooleanField(label=_("This was a race"), required=False)
    is_ignored = forms.BooleanField(
        label=_("Ignore this activity"), required=False, help_text=_("It stays in the list, and counts nowhere.")
    )

    def __init__(self, data: Any = None, *, activity: Activity, inputs: dict[str, float], found: str, style: Style):
        self.km_m, self.metre_m = (METRES_PER_MILE, METRES_PER_FOOT) if style.imperial else (1000.0, 1.0)
        words = {name: getattr(activity, name) for name in ("stated_type", "effort", "note", "is_race", "is_ignored")}
        initial = words | {"distance": self._shown("distance_m", inputs), "ascent": self._shown("ascent_m", inputs)}
        super().__init__(data, initial=initial, prefix="said")
        far, high = (display.unit(unit, style=style) for unit in (("mi", "ft") if style.imperial else ("km", "m")))
        choices = [("", gettext("As the data says: %(kind)s") % {"kind": found}), *SESSION_TYPES.items()]
        self.fields["stated_type"].choices = choices  # type: ignore[attr-defined]
        self.fields["distance"].label = gettext("Distance, put right (%(unit)s)") % {"unit": far}
        self.fields["ascent"].label = gettext("Ascent, put right (%(unit)s)") % {"unit": high}
        for name in ("distance", "ascent"):
            self.fields[name].help_text = gettext("Leave it empty to keep what was recorded.")
            self.fields[name].widget.attrs |= {"step": "any", "inputmode": "decimal"}

    def _shown(self, field: str, inputs: dict[str, float]) -> float | None:
        unit = self.km_m if field == "distance_m" else self.metre_m
        return round(inputs[field] / unit, 3) if field in inputs else None

    def clean_note(self) -> str:
        return remarks.cleaned(self.cleaned_data["note"])

    def clean_distance(self) -> float | None:
        return self._metres("distance", self.km_m, most=FURTHEST_M)

    def clean_ascent(self) -> float | None:
        return self._metres("ascent", self.metre_m, most=HIGHEST_M)

    def _metres(self, name: str, unit_m: float, *, most: float) -> float | None:
        value: float | None = self.cleaned_data[name]
        if value is None:
            return None
        if value * unit_m > most:
            raise forms.ValidationError(_("This should be at most %(most)s."), params={"most": f"{most / unit_m:,.0f}"})
        return round(value * unit_m, 2)

    def values(self) -> dict[str, Any]:
        """Return what was said, by the names of `coach.said`."""
        named = dict(self.cleaned_data)
        return named | {"distance_m": named.pop("distance"), "ascent_m": named.pop("ascent")}

"""The form above the list of activities."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.listing import Wish
from coach.models.activity import FOUND_TYPES, SESSION_TYPES
from coach.templatetags.drawing.sports import sport

SORTS = (("", _("Newest first")), ("longest", _("Longest first")), ("load", _("Highest load first")))
TYPES = FOUND_TYPES | SESSION_TYPES
DAY = {"invalid": _("Write the day like 2026-05-31.")}


class ListForm(forms.Form):
    name = forms.CharField(label=_("Name or note"), required=False, max_length=100)
    sport = forms.ChoiceField(label=_("Sport"), required=False)
    kind = forms.ChoiceField(label=_("Session type"), required=False)
    first = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}), error_messages=DAY
    )
    last = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}), error_messages=DAY
    )
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=SORTS)

    def __init__(self, data: Any, *, sports: list[str], kinds: list[str]) -> None:
        super().__init__(data)
        choices = [("", gettext("All sports")), *((name, sport(name).word) for name in sports)]
        self.fields["sport"].choices = choices  # type: ignore[attr-defined]
        types = sorted((str(TYPES[name]), name) for name in kinds)
        self.fields["kind"].choices = [("", gettext("All types")), *((name, word) for word, name in types)]  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        return str(self.cleaned_data["name"]).replace("\x00", "").strip()

    def wish(self) -> Wish:
        """Return what was asked for; a field that is wrong asks for nothing, and says what is wrong."""
        self.is_valid()
        known = {name: value for name, value in self.cleaned_data.items() if value}
        return Wish(**known)

"""Which cases are evaluated, and what writes about them."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from coach import evaluating, gateway, scopes
from coach.evaluating import Side
from coach.models import Insight
from coach.models.athlete import Language

MODEL_HELP = "Empty: the model of the settings. The service has to know it."


class EvaluationForm(forms.Form):
    title = forms.CharField(max_length=100)
    insights = forms.CharField(required=False, widget=forms.HiddenInput)  # ids, from the list of insights
    scope = forms.ChoiceField(required=False)
    language = forms.ChoiceField(required=False)
    opinion = forms.ChoiceField(required=False, label="What the athlete thought of it")
    newest = forms.IntegerField(
        min_value=1, max_value=evaluating.MOST_CASES, initial=20, label="How many of the newest insights"
    )
    first_prompt = forms.TypedChoiceField(coerce=int, label="Prompt of the first side")
    first_model = forms.CharField(max_length=80, required=False, label="Model of the first side", help_text=MODEL_HELP)
    second_prompt = forms.TypedChoiceField(
        coerce=int, required=False, empty_value=None, label="Prompt of the second side"
    )
    second_model = forms.CharField(
        max_length=80, required=False, label="Model of the second side", help_text=MODEL_HELP
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        versions = [(number, f"version {number}") for number in gateway.prompt_versions()]
        self.choices("scope", [("", "any"), *((scope.name, scope.title) for scope in scopes.scopes().values())])
        self.choices("language", [("", "any"), *Language.choices])
        self.choices("opinion", [("", "anything"), ("good", "it helped"), ("bad", "it is not right")])
        self.choices("first_prompt", versions)
        self.choices("second_prompt", [("", "no second side"), *versions])
        if self.ids():
            for name in ("scope", "language", "opinion", "newest"):
                del self.fields[name]

    def choices(self, name: str, values: list[tuple[Any, Any]]) -> None:
        self.fields[name].choices = values  # type: ignore[attr-defined]

    def ids(self) -> list[int]:
        """Return the insights that were chosen in their list."""
        given = str((self.data or self.initial).get("insights", ""))
        return [int(each) for each in given.split(",") if each.isdecimal() and len(each) < 19]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("second_prompt") is None and cleaned.get("second_model"):
            self.add_error("second_prompt", "Say with which prompt.")
        elif "first_prompt" in cleaned and len(set(self.sides())) < len(self.sides()):
            self.add_error("second_prompt", "Both sides are the same.")
        return cleaned

    def sides(self) -> list[Side]:
        given = self.cleaned_data
        first = Side(prompt=given["first_prompt"], model=given.get("first_model", "").strip())
        if given.get("second_prompt") is None:
            return [first]
        return [first, Side(prompt=given["second_prompt"], model=given.get("second_model", "").strip())]

    def chosen(self) -> QuerySet[Insight]:
        rows = Insight.objects.select_related("athlete").order_by("-pk")
        if self.ids():
            return rows.filter(pk__in=self.ids())[: evaluating.MOST_CASES]
        given = self.cleaned_data
        narrowed = {name: given[name] for name in ("scope", "language") if given.get(name)}
        if given.get("opinion"):
            narrowed["opinion__good"] = given["opinion"] == "good"
        return rows.filter(athlete__uses_model=True, **narrowed)[: given["newest"]]

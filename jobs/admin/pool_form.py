"""The form of a pool: three fields that take effect at once, everywhere."""

from typing import TYPE_CHECKING, Any

from django import forms

from jobs import reserve
from jobs.models import Pool

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    PoolModelForm = forms.ModelForm[Pool]
else:
    PoolModelForm = forms.ModelForm

LONGEST_GAP_SECONDS = 24 * 3600


class PoolForm(PoolModelForm):
    """Carries along what was shown, so that only what this person changed is written."""

    gap_seconds = forms.FloatField(
        label="Gap in seconds",
        min_value=0,
        max_value=LONGEST_GAP_SECONDS,
        help_text="How long a seat rests after the end of each call.",
    )

    reserve_lines = forms.CharField(
        label="Leave to the neighbours",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=f"Seats that are not used at some hours, a line each: {reserve.EXAMPLE}",
    )

    class Meta:
        model = Pool
        fields = ("capacity",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True
        if self.instance.pk and "gap_seconds" in self.fields:
            self.initial["gap_seconds"] = f"{self.instance.gap.total_seconds():g}"
            self.initial["reserve_lines"] = reserve.told(self.instance.reserve)

    def clean_reserve_lines(self) -> reserve.Reserve:
        try:
            return reserve.parse(self.cleaned_data["reserve_lines"])
        except reserve.BadReserve as error:
            raise forms.ValidationError(str(error)) from error

    def changes(self) -> dict[str, Any]:
        """Return what pools.change takes, of the fields that this person changed."""
        named = {"capacity": "capacity", "gap_seconds": "gap_s", "reserve_lines": "reserve"}
        return {named[field]: self.cleaned_data[field] for field in self.changed_data}

"""The forms of the athlete's pages."""

import re
from datetime import date
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Min
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach import display, imports, sources
from coach.display import Style
from coach.models import Athlete, Source, Threshold
from coach.weight_form import kilograms

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    AthleteForm = forms.ModelForm[Athlete]
    OneSourceForm = forms.ModelForm[Source]
    OneThresholdForm = forms.ModelForm[Threshold]
else:
    AthleteForm = OneSourceForm = OneThresholdForm = forms.ModelForm

WEEK_STARTS = ((1, _("Monday")), (6, _("Saturday")), (7, _("Sunday")))
PACE = re.compile(r"^(\d{1,2}):([0-5]\d)$")
NEED_MIN = (240, 720)
GOAL_KG = (25.0, 300.0)
LIMITS = {  # what a human being can have
    Threshold.Kind.FTP: (50, 600),
    Threshold.Kind.LTHR: (80, 220),
    Threshold.Kind.HR_MAX: (100, 240),
    Threshold.Kind.HR_REST: (25, 110),
    Threshold.Kind.PACE: (120, 900),
}


class Files(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files; an empty one is taken too, the import says what is wrong with it."""

    widget = Files

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[Any]]":
        return [file for file in data or [] if file]


class ImportForm(forms.Form):
    """Files that come with the form, and by their ids those that arrived in pieces before."""

    recordings = FilesField(required=False)
    uploads = forms.CharField(required=False)
    source = forms.CharField(required=False, max_length=100)

    def clean_uploads(self) -> list[str]:
        return str(self.cleaned_data["uploads"]).split()

    def clean_source(self) -> str:
        """Return a name fit to be shown, like that of a file."""
        return sources.meant(imports.clean_name(self.cleaned_data["source"] or imports.FIRST_SOURCE))

    def source_of(self, athlete: Athlete) -> Source:
        """Return the source that these files belong to; a name that is new makes a new one."""
        source, _ = Source.objects.get_or_create(athlete=athlete, name=self.cleaned_data["source"])
        return source


class BeganForm(forms.Form):
    """When a recording began, on the athlete's own clock."""

    began = forms.DateTimeField(
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        error_messages={
            "required": _("Give the day and the time at which you set out."),
            "invalid": _("Write the day and the time like 2026-05-31T07:30."),
        },
    )


class LongSelect(forms.Select):
    """A choice of hundreds, written at once: Django renders a template for each, which took half of the page's time."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        options = format_html_join(
            "\n",
            "<option{}{}>{}</option>",
            (
                ("" if key == label else format_html(' value="{}"', key), " selected" * (key == value), label)
                for key, label in self.choices
            ),
        )
        given = self.build_attrs(self.attrs, {**(attrs or {}), "name": name})
        return format_html("<select{}>\n{}\n</select>", flatatt(given), options)


def time_zones(current: str) -> list[tuple[str, str]]:
    """Return the zones to choose from, with the one that holds among them."""
    zones = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    known = ["UTC", *zones]
    names = known if current in known else [current, *known]
    return [(name, name.replace("_", " ")) for name in names]


class ProfileForm(AthleteForm):
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        widget=LongSelect,
        help_text=_("Days and weeks begin here; what you record elsewhere keeps the time of its place."),
    )
    week_starts_on = forms.TypedChoiceField(label=_("Week starts on"), choices=WEEK_STARTS, coerce=int)
    sleep_need = forms.CharField(
        label=_("Sleep you need a night"),
        required=False,
        max_length=8,
        help_text=_("Hours, like 7:30. Adults need 7 to 9; without an answer 8 are taken."),
    )
    weight_goal = forms.CharField(required=False, max_length=12, help_text=_("Leave it empty if you have none."))

    class Meta:
        model = Athlete
        fields = ["time_zone", "units", "week_starts_on", "language", "sex", "birth_year"]
        labels = {
            "units": _("Units"),
            "language": _("Language"),
            "sex": _("Sex"),
            "birth_year": _("Year of birth"),
        }
        help_texts = {
            "sex": _("The formula for load from heart rate differs for women and men."),
            "birth_year": _("Only used to estimate a maximum heart rate where none was measured."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = time_zones(self.instance.time_zone)  # type: ignore[attr-defined]
        # A weight is read in the unit that stands on the form, also when that very form changes the units.
        self.style = Style(units=self.instance.units)
        unit = display.unit(display.mass_unit(self.style), style=Style(language=self.instance.language))
        self.fields["weight_goal"].label = gettext("Weight you aim at (%(unit)s)") % {"unit": unit}
        goal, need = self.instance.weight_goal_kg, self.instance.sleep_need_min
        said = {
            "sleep_need": f"{need // 60}:{need % 60:02d}",
            "weight_goal": "" if goal is None else display.number(display.in_unit(goal, style=self.style), digits=1),
        }
        self.initial.update(said)

    def clean_sleep_need(self) -> int:
        """Return minutes of 7:30, 7.5 or 7,5."""
        raw = str(self.cleaned_data["sleep_need"]).strip().replace(",", ".")
        clock = PACE.match(raw)
        try:
            minutes = int(clock[1]) * 60 + int(clock[2]) if clock else round(float(raw or 8) * 60)
        except (ValueError, OverflowError) as error:
            raise forms.ValidationError(_("Give hours, such as 7:30 or 8.")) from error
        if not NEED_MIN[0] <= minutes <= NEED_MIN[1]:
            raise forms.ValidationError(_("This should lie between 4 and 12 hours."))
        return minutes

    def clean_weight_goal(self) -> float | None:
        raw = str(self.cleaned_data["weight_goal"])
        least, most = GOAL_KG
        return kilograms(raw, style=self.style, least=least, most=most) if raw.strip() else None

    def save(self, commit: bool = True) -> Athlete:
        self.instance.sleep_need_min = self.cleaned_data["sleep_need"]
        self.instance.weight_goal_kg = self.cleaned_data["weight_goal"]
        return super().save(commit)


class ThresholdForm(OneThresholdForm):
    value = forms.CharField(label=_("Value"), help_text=_("Watts, beats a minute, or a pace as minutes:seconds."))

    class Meta:
        model = Threshold
        fields = ["kind", "value", "valid_from", "estimated"]
        labels = {"kind": _("Kind"), "valid_from": _("Holds from"), "estimated": _("This is an estimate")}
        help_texts = {
            "valid_from": _(
                "Sessions before that day keep what they have. Left empty it is today, and of the first of its kind "
                "the day of your first session."
            )
        }
        widgets = {"valid_from": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}

    def __init__(self, *args: Any, athlete: Athlete, **kwargs: Any) -> None:
        kwargs.setdefault("instance", Threshold(athlete=athlete))
        super().__init__(*args, **kwargs)
        self.fields["valid_from"].required = False
        self.style = Style(units=athlete.units, language=athlete.language)
        per_km, per_mile = _("Threshold pace (minutes:seconds per km)"), _("Threshold pace (minutes:seconds per mile)")
        named = {Threshold.Kind.PACE.value: per_mile if self.style.imperial else per_km}
        choices = dict(Threshold.Kind.choices) | named
        self.fields["kind"].choices = list(choices.items())  # type: ignore[attr-defined]

    def clean_valid_from(self) -> date:
        """Refuse a day to come: it is a slip of the year, and no session could be scored by it."""
        day: date = self.cleaned_data["valid_from"] or self._usual_day()
        if day > self.instance.athlete.today():
            raise forms.ValidationError(_("This day is still to come. Give today or a day before it."))
        return day

    def _usual_day(self) -> date:
        athlete = self.instance.athlete
        today: date = athlete.today()
        if athlete.thresholds.filter(kind=self.cleaned_data.get("kind")).exists():
            return today
        first: date | None = athlete.activities.aggregate(first=Min("local_date"))["first"]
        return min(first or today, today)

    def clean_value(self) -> float:
        """Read "4:30" as seconds and anything else as a number, and see that a human being can have it.

        A pace is read in the athlete's unit and kept in seconds per kilometre.
        """
        raw = self.cleaned_data["value"].strip()
        kind = self.cleaned_data.get("kind", "")
        pace = PACE.match(raw)
        try:
            value = int(pace[1]) * 60 + int(pace[2]) if pace else float(raw.replace(",", "."))
        except ValueError as error:
            raise forms.ValidationError(_("Give a number, or a pace such as 4:30.")) from error
        if kind == Threshold.Kind.PACE and self.style.imperial:
            value *= 1000 / display.METRES_PER_MILE
        least, most = LIMITS.get(kind, (20, 2500))
        if not least <= value <= most:
            bounds = {"least": shown(kind, least, style=self.style), "most": shown(kind, most, style=self.style)}
            raise forms.ValidationError(_("This should lie between %(least)s and %(most)s."), params=bounds)
        return value

    def clean(self) -> dict[str, Any]:
        """A second value for the same day takes the place of the first."""
        cleaned = super().clean() or {}
        if "kind" in cleaned and "valid_from" in cleaned:
            of_that_day = self.instance.athlete.thresholds.filter(
                kind=cleaned["kind"], valid_from=cleaned["valid_from"]
            )
            self.instance = of_that_day.first() or self.instance
        return cleaned


class SourceForm(OneSourceForm):
    class Meta:
        model = Source
        fields = ["name"]
        labels = {"name": _("Name")}

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        others = Source.objects.filter(athlete=self.instance.athlete, name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("Another of your sources is called that."))
        return name


def shown(kind: str, value: float, *, style: Style = display.METRIC) -> str:
    """Show a threshold as people write it: 250, or 4:30 for a pace, by the mile where that is their unit."""
    if kind == Threshold.Kind.PACE:
        seconds = round(value * display.METRES_PER_MILE / 1000 if style.imperial else value)
        return f"{seconds // 60}:{seconds % 60:02d}"
    return f"{value:g}"

"""The forms of goals and plan."""

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from coach import display, plans
from coach.display import METRES_PER_MILE, Style
from coach.formats import ics
from coach.metrics.sports import sport
from coach.models import Athlete, Goal, Planned

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    OneGoalForm = forms.ModelForm[Goal]
    OnePlannedForm = forms.ModelForm[Planned]
else:
    OneGoalForm = OnePlannedForm = forms.ModelForm

SPORTS = (("", _("Any")), *plans.SPORTS)
CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)")
RACE_CLOCK = re.compile(r"(?:(\d{1,3}):)?([0-5]?\d):([0-5]\d)")
FURTHEST_M, LONGEST_RACE_S = 1_000_000.0, 360_000.0
LONGEST_MIN = 1440.0
MOST_LOAD = 2000.0
YEARS_AHEAD = 5


class DayField(forms.DateField):
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_error_messages = {"invalid": _("Write the day like 2026-05-31."), "required": _("Give the day.")}


class OfAthlete:
    """What both forms share: whose they are, and days that a plan can reach."""

    athlete: Athlete
    cleaned_data: dict[str, Any]

    def clean_day(self) -> Any:
        day, today = self.cleaned_data["day"], self.athlete.today()
        if day < today:
            raise forms.ValidationError(_("This day is over. Give today or a day after it."))
        if day.year > today.year + YEARS_AHEAD:
            raise forms.ValidationError(_("Give a day within the next %(n)s years."), params={"n": YEARS_AHEAD})
        return day


class GoalForm(OfAthlete, OneGoalForm):
    day = DayField(label=_("Day"))
    sport = forms.ChoiceField(label=_("Sport"), choices=SPORTS, required=False)
    distance = forms.CharField(label=_("Distance"), required=False, max_length=10)
    target = forms.CharField(
        label=_("Time you aim for"),
        required=False,
        max_length=10,
        help_text=_("Hours, minutes and seconds, like 3:30:00; or minutes and seconds, like 45:30."),
    )

    class Meta:
        model = Goal
        fields = ["name", "day", "sport"]
        labels = {"name": _("Race or goal")}

    def __init__(self, data: Any = None, files: Any = None, *, athlete: Athlete) -> None:
        super().__init__(data, files, instance=Goal(athlete=athlete), prefix="goal")
        self.athlete = athlete
        self.unit_m, unit = (METRES_PER_MILE, "mi") if athlete.units == "imperial" else (1000.0, "km")
        self.fields["distance"].label = gettext("%(title)s (%(unit)s)") % {
            "title": gettext("Distance"),
            "unit": display.unit(unit, style=Style(language=get_language() or "en")),
        }
        self.fields["distance"].widget.attrs["inputmode"] = "decimal"

    def clean_distance(self) -> float | None:
        """Return metres."""
        far = number(str(self.cleaned_data["distance"]), gettext("Give the distance as a number, such as 42.2."))
        if far is None:
            return None
        if not 0 < far * self.unit_m <= FURTHEST_M:
            raise forms.ValidationError(
                _("This should lie above 0, and at %(most)s at most."),
                params={"most": f"{FURTHEST_M / self.unit_m:.0f}"},
            )
        return round(far * self.unit_m, 1)

    def clean_target(self) -> float | None:
        """Return seconds of 3:30:00 or 45:30."""
        raw = str(self.cleaned_data["target"]).strip()
        if not raw:
            return None
        found = RACE_CLOCK.fullmatch(raw)
        seconds = int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3]) if found else 0
        if not 0 < seconds <= LONGEST_RACE_S:
            raise forms.ValidationError(_("Write the time like 3:30:00 or 45:30."))
        return float(seconds)

    def clean(self) -> dict[str, Any]:
        """Catch 3:30 for a marathon, which is meant as hours and reads as minutes."""
        super().clean()
        far, seconds = self.cleaned_data.get("distance"), self.cleaned_data.get("target")
        if far and seconds and far / seconds > sport(self.cleaned_data.get("sport", "")).fastest_mps:
            self.add_error("target", gettext("Nobody is that fast. Write hours, minutes and seconds, like 3:30:00."))
        return self.cleaned_data

    def keep(self) -> str:
        """Save and say so; raises plans.Refused."""
        goal = self.save(commit=False)
        goal.distance_m, goal.target_s = self.cleaned_data["distance"], self.cleaned_data["target"]
        plans.add_goal(goal)
        return gettext("The goal is in your plan.")


class PlannedForm(OfAthlete, OnePlannedForm):
    day = DayField(label=_("Day"))
    sport = forms.ChoiceField(label=_("Sport"), choices=SPORTS, required=False)
    duration = forms.CharField(
        label=_("Duration"), required=False, max_length=10, help_text=_("Like 1:30, or minutes.")
    )
    load = forms.CharField(
        label=_("Planned load"), required=False, max_length=10, help_text=_("Points; 100 are an hour at threshold.")
    )

    class Meta:
        model = Planned
        fields = ["title", "day", "sport"]
        labels = {"title": _("Session")}

    def __init__(self, data: Any = None, files: Any = None, *, athlete: Athlete) -> None:
        super().__init__(data, files, instance=Planned(athlete=athlete), prefix="session")
        self.athlete = athlete

    def clean_duration(self) -> float | None:
        """Return seconds of 1:30 or 90."""
        raw = str(self.cleaned_data["duration"]).strip()
        clock = CLOCK.fullmatch(raw)
        minutes = (
            int(clock[1]) * 60 + int(clock[2])
            if clock
            else number(raw, gettext("Write the duration like 1:30, or as minutes."))
        )
        if minutes is not None and not 1 <= minutes <= LONGEST_MIN:
            raise forms.ValidationError(_("This should lie between 1 minute and 24 hours."))
        return None if minutes is None else minutes * 60.0

    def clean_load(self) -> float | None:
        load = number(str(self.cleaned_data["load"]), gettext("Give the load as a number of points, such as 65."))
        if load is not None and not 0 <= load <= MOST_LOAD:
            raise forms.ValidationError(
                _("This should lie between %(least)s and %(most)s."), params={"least": 0, "most": f"{MOST_LOAD:.0f}"}
            )
        return load

    def keep(self) -> str:
        """Save and say so; raises plans.Refused."""
        session = self.save(commit=False)
        session.duration_s, session.load = self.cleaned_data["duration"], self.cleaned_data["load"]
        plans.add_session(session)
        return gettext("The session is in your plan.")


class CalendarForm(forms.Form):
    calendar = forms.FileField(
        label=_("Calendar file (.ics)"),
        help_text=_("As your training platform or calendar exports it. Sent again, it changes what it brought before."),
        error_messages={"required": _("Choose a calendar file first."), "empty": _("This file is empty.")},
    )

    def __init__(self, data: Any = None, files: Any = None, *, athlete: Athlete) -> None:
        super().__init__(data, files, prefix="file")
        self.athlete = athlete

    def keep(self) -> str:
        """Read the file and say what became of it; raises plans.Refused."""
        return plans.read_calendar(self.athlete, self.cleaned_data["calendar"].read(ics.MOST_BYTES + 1))


def number(raw: str, wrong: str) -> float | None:
    text = raw.strip().replace(",", ".")
    if not text:
        return None
    try:
        return float(text)
    except ValueError as error:
        raise forms.ValidationError(wrong) from error

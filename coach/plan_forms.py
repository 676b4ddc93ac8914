"""The forms of goals and plan."""

import re
from typing import TYPE_CHECKING, Any

from django import forms

from coach import plans
from coach.formats import ics
from coach.models import Athlete, Goal, Planned

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    OneGoalForm = forms.ModelForm[Goal]
    OnePlannedForm = forms.ModelForm[Planned]
else:
    OneGoalForm = OnePlannedForm = forms.ModelForm

SPORTS = (("", "Any"), *plans.SPORTS)
CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)")
LONGEST_MIN = 1440.0
MOST_LOAD = 2000.0
YEARS_AHEAD = 5


class DayField(forms.DateField):
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_error_messages = {"invalid": "Write the day like 2026-05-31.", "required": "Give the day."}


class OfAthlete:
    """What both forms share: whose they are, and days that a plan can reach."""

    athlete: Athlete
    cleaned_data: dict[str, Any]

    def clean_day(self) -> Any:
        day, today = self.cleaned_data["day"], self.athlete.today()
        if day < today:
            raise forms.ValidationError("This day is over. Give today or a day after it.")
        if day.year > today.year + YEARS_AHEAD:
            raise forms.ValidationError(f"Give a day within the next {YEARS_AHEAD} years.")
        return day


class GoalForm(OfAthlete, OneGoalForm):
    day = DayField(label="Day")
    sport = forms.ChoiceField(choices=SPORTS, required=False)

    class Meta:
        model = Goal
        fields = ["name", "day", "sport"]
        labels = {"name": "Race or goal"}

    def __init__(self, data: Any = None, files: Any = None, *, athlete: Athlete) -> None:
        super().__init__(data, files, instance=Goal(athlete=athlete), prefix="goal")
        self.athlete = athlete

    def keep(self) -> str:
        """Save and say so; raises plans.Refused."""
        plans.add_goal(self.save(commit=False))
        return "The goal is in your plan."


class PlannedForm(OfAthlete, OnePlannedForm):
    day = DayField(label="Day")
    sport = forms.ChoiceField(choices=SPORTS, required=False)
    duration = forms.CharField(required=False, max_length=10, help_text="Like 1:30, or minutes.")
    load = forms.CharField(
        label="Planned load", required=False, max_length=10, help_text="Points; 100 are an hour at threshold."
    )

    class Meta:
        model = Planned
        fields = ["title", "day", "sport"]
        labels = {"title": "Session"}

    def __init__(self, data: Any = None, files: Any = None, *, athlete: Athlete) -> None:
        super().__init__(data, files, instance=Planned(athlete=athlete), prefix="session")
        self.athlete = athlete

    def clean_duration(self) -> float | None:
        """Return seconds of 1:30 or 90."""
        raw = str(self.cleaned_data["duration"]).strip()
        clock = CLOCK.fullmatch(raw)
        minutes = (
            int(clock[1]) * 60 + int(clock[2]) if clock else number(raw, "Write the duration like 1:30, or as minutes.")
        )
        if minutes is not None and not 1 <= minutes <= LONGEST_MIN:
            raise forms.ValidationError("This should lie between 1 minute and 24 hours.")
        return None if minutes is None else minutes * 60.0

    def clean_load(self) -> float | None:
        load = number(str(self.cleaned_data["load"]), "Give the load as a number of points, such as 65.")
        if load is not None and not 0 <= load <= MOST_LOAD:
            raise forms.ValidationError(f"This should lie between 0 and {MOST_LOAD:.0f}.")
        return load

    def keep(self) -> str:
        """Save and say so; raises plans.Refused."""
        session = self.save(commit=False)
        session.duration_s, session.load = self.cleaned_data["duration"], self.cleaned_data["load"]
        plans.add_session(session)
        return "The session is in your plan."


class CalendarForm(forms.Form):
    calendar = forms.FileField(
        label="Calendar file (.ics)",
        help_text="As your training platform or calendar exports it. Sent again, it changes what it brought before.",
        error_messages={"required": "Choose a calendar file first.", "empty": "This file is empty."},
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

"""Filters that show a row's values the way its athlete reads them."""

import re
from datetime import date, datetime

from django import template
from django.utils.translation import get_language, gettext

from coach import annotating, display, places, prose, queue_words, sources
from coach.forms import shown
from coach.models import Activity, Athlete, Doubt, Goal, Measure, Provenance, Suggestion, Threshold
from coach.retelling import retold
from coach.scopes import goal
from coach.scopes.sports import session_name
from coach.templatetags.drawing.axis import clock
from coach.templatetags.drawing.sports import sport

register = template.Library()

CALLED = ("name", "sport", "indoor", "virtual", "local_date")  # columns that the name of a session is made of

register.filter("duration", display.duration)
register.filter("clock", clock)
register.filter("retold", retold)
register.filter("source_called", sources.called)
register.filter("queued", queue_words.sentence)
register.filter("failure", queue_words.error)


@register.filter
def distance(activity: Activity | Provenance, athlete: Athlete) -> str:
    style = display.Style(units=athlete.units, language=athlete.language)
    return display.show("distance", activity.distance_m, style=style) if activity.distance_m else ""


@register.filter
def weighed(row: Measure, athlete: Athlete) -> str:
    return display.show("weight", row.value, style=display.Style(units=athlete.units, language=athlete.language))


@register.filter
def aimed(row: Goal, athlete: Athlete) -> str:
    return goal.aim(row, style=display.Style(units=athlete.units, language=athlete.language))


@register.filter
def called(activity: Activity) -> str:
    """Return the name it was given, else what it was: Run, Indoor ride, Virtual ride."""
    return session_name(activity, style=display.Style(language=get_language() or "en"))


@register.filter
def sentence(activity: Activity, athlete: Athlete) -> str:
    """Return what was written about a session as it is now, with its values in place."""
    found = annotating.current(activity, athlete)
    return prose.plain(found.text, found.facts) if found else ""


@register.filter
def threshold_called(threshold: Threshold | Suggestion) -> str:
    """Return the name of its kind without a unit: the value that stands beside it has its own."""
    return re.split(r" ?[(（]", threshold.get_kind_display())[0]


@register.filter
def threshold_value(threshold: Threshold | Suggestion, athlete: Athlete) -> str:
    """Return 250 W, 170 bpm, 4:30 /km; or 7:15 /mi."""
    style = display.Style(units=athlete.units, language=athlete.language)
    units = {Threshold.Kind.FTP: "W", Threshold.Kind.PACE: "/mi" if style.imperial else "/km"}
    unit = units.get(Threshold.Kind(threshold.kind), "bpm")
    return display.with_unit_words(f"{shown(threshold.kind, threshold.value, style=style)} {unit}", style=style)


@register.filter
def weekday_day(day: date) -> str:
    """Return Tue 24 Nov, or 11月24日周二."""
    return display.short_day(day, style=display.Style(language=get_language() or "en"))


@register.filter
def sport_word(name: str) -> str:
    return sport(name).word


@register.filter
def lasted(seconds: float | None) -> str:
    return gettext("not said") if seconds is None else display.duration(seconds)


@register.filter
def beats(bpm: float | None) -> str:
    style = display.Style(language=get_language() or "en")
    return display.show("heart_rate", bpm, style=style) if bpm else gettext("not measured")


@register.filter
def wall(moment: datetime, zone: str) -> datetime:
    """Return the moment as the clock on the wall of its place has it."""
    return places.local(moment, zone).replace(tzinfo=None)


@register.simple_tag
def open_doubts(athlete: Athlete) -> int:
    return Doubt.objects.open().filter(athlete=athlete).count()

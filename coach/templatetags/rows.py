"""Filters that show a row's values the way its athlete reads them."""

from django import template

from coach import display
from coach.forms import shown
from coach.models import Activity, Athlete, Threshold
from coach.templatetags.drawing.sports import sport

register = template.Library()

THRESHOLD_UNITS = {Threshold.Kind.FTP: "W", Threshold.Kind.PACE: "/km"}

register.filter("duration", display.duration)


@register.filter
def distance(activity: Activity, athlete: Athlete) -> str:
    style = display.Style(units=athlete.units, language=athlete.language)
    return display.distance(activity.distance_m, style=style) if activity.distance_m else ""


@register.filter
def called(activity: Activity) -> str:
    """Return the name it was given, else what it was: Run, Indoor ride, Virtual ride."""
    if activity.name:
        return activity.name
    word = sport(activity.sport).word
    kind = "Virtual" if activity.virtual else "Indoor" if activity.indoor else ""
    return f"{kind} {word.lower()}" if kind else word


@register.filter
def threshold_value(threshold: Threshold) -> str:
    return f"{shown(threshold.kind, threshold.value)} {THRESHOLD_UNITS.get(Threshold.Kind(threshold.kind), 'bpm')}"

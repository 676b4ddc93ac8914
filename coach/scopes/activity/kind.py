"""Tells what kind of session it was, so that it is judged by what it was meant to be."""

import math

from coach.metrics.intervals import Intervals
from coach.models import Activity

SHORT_SECONDS = 600
LONG_SECONDS = {"running": 5400.0, "cycling": 10_800.0}
LONG_ELSEWHERE_SECONDS = 9000.0
LONG_BELOW = 0.85
# Below these shares of threshold a session is easy, and below those steady. Speed and heart rate span less than power.
EASY_BELOW = {"power": 0.75}
EASY_BELOW_ELSEWHERE = 0.82
STEADY_BELOW = {"power": 0.88}
STEADY_BELOW_ELSEWHERE = 0.92
WORDS = {
    "intervals": "interval session",
    "long": "long session",
    "easy": "easy session",
    "steady": "steady session",
    "hard": "hard session",
    "short": "short session",
    "unmeasured": "session without a measured intensity",
}
# What the athlete may say it was; that counts before what the data looks like.
STATED = {
    "recovery": "recovery session",
    "endurance": "endurance session",
    "long": "long session",
    "tempo": "tempo session",
    "threshold": "threshold session",
    "intervals": "interval session",
    "race": "race",
    "strength": "strength session",
    "technique": "technique session",
}
RULE = (
    "Intervals: at least three efforts alike in length and level. Short: under 10 minutes. Long: from 90 minutes "
    "running, 3 hours riding, else 2.5 hours, below 85 % of threshold. Easy: below 75 % of threshold power, or 82 % of "
    "threshold pace or load by heart rate. Steady: below 88 or 92 %. Hard: above."
)


def stated_of(activity: Activity) -> str:
    """Return the word for what the athlete said it was; "" where nothing was said."""
    return STATED.get(activity.stated_type or ("race" if activity.is_race else ""), "")


def intensity_of(activity: Activity) -> float | None:
    """Return the share of threshold at which this load comes together in this time; None for an estimated load."""
    if activity.load_from == Activity.LoadFrom.ESTIMATE or activity.timer_s <= 0:
        return None
    return math.sqrt(activity.load / (activity.timer_s / 36))


def kind_of(activity: Activity, *, family: str, intervals: Intervals | None) -> str:
    """Return one of the keys of WORDS, by the rule that the fact spells out."""
    intensity = intensity_of(activity)
    if activity.timer_s < SHORT_SECONDS:
        return "short"
    if intervals is not None:
        return "intervals"
    if intensity is None:
        return "unmeasured"
    if activity.timer_s >= LONG_SECONDS.get(family, LONG_ELSEWHERE_SECONDS) and intensity < LONG_BELOW:
        return "long"
    if intensity < EASY_BELOW.get(activity.load_from, EASY_BELOW_ELSEWHERE):
        return "easy"
    return "steady" if intensity < STEADY_BELOW.get(activity.load_from, STEADY_BELOW_ELSEWHERE) else "hard"

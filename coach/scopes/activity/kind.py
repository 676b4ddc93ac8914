"""The words for what kind of session it was, by what the athlete said or the data looks like."""

from coach.models import Activity

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

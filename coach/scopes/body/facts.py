"""Puts the facts of the body together."""

from coach.display import Style
from coach.metrics.body import LEAST_POINTS, Slope
from coach.models import Athlete
from coach.scopes.body import charts
from coach.scopes.body.chinese import SAID
from coach.scopes.body.scale import Scale, ftp_of, scale_of
from coach.scopes.body.terms import FAST, FAST_PCT, TERMS
from coach.scopes.facts import Facts
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.terms import History, Value, state, style_of, unknown, worded

TITLE = "Body"
HISTORY = 42  # weigh-ins
NOTHING = (
    "There is no weight here yet. Type in what your scale shows today, or upload the weights of your scale, watch or "
    "health app: an Apple Health or Garmin export, or a table with a day and a weight."
)
OLD = (
    "The last weight here is {days} days old, which says nothing of today. "
    "Type in what your scale shows, or upload newer values."
)


@scope(
    "body",
    title=TITLE,
    question="What is my weight doing?",
    answers=(
        "the trend, and its change a week with the interval; where the interval holds zero, that it may be steady",
        "that a single weigh-in is no change",
        "how far the goal is, where there is one; nothing about eating, and no praise for losing fast",
        "threshold power to weight, and whether that threshold is an estimate",
    ),
)
def body(athlete: Athlete, subject: str) -> Facts:
    """Facts of the weight up to today; its only subject is `current`."""
    if subject != "current":
        raise UnknownSubject(f"Body has no subject {subject!r}; it is always current.")
    scale, style = scale_of(athlete), style_of(athlete)
    title = worded(TITLE, SAID, style=style)
    if not scale.is_fresh:
        sentence = ended(scale, style=style)
        return Facts(scope="body", subject=subject, title=title, insufficient=sentence, as_of=scale.today)
    facts = state(TERMS, values_of(athlete, scale), style=style, histories=histories(scale))
    return Facts(
        scope="body",
        subject=subject,
        title=title,
        facts=facts,
        as_of=scale.today,
        missing=unknown(facts),
        charts={"weight": charts.chart(scale, goal_kg=athlete.weight_goal_kg, style=style)},
        tables={"weight": charts.table(scale, style=style)},
    )


def ended(scale: Scale, *, style: Style) -> str:
    if not scale.days:
        return worded(NOTHING, SAID, style=style)
    return worded(OLD, SAID, style=style).format(days=(scale.today - scale.days[-1]).days)


def values_of(athlete: Athlete, scale: Scale) -> dict[str, Value]:
    level = float(scale.trend_kg[-1])
    values: dict[str, Value] = {
        "weight": level,
        "weigh_ins": float(scale.of_slope),
        "last_raw": float(scale.raw_kg[-1]),
        "last_day": scale.days[-1].isoformat(),
        "weight_from": scale.provider,
        "today": scale.today.isoformat(),
    }
    return values | moving(scale, level) | aim(athlete, level) | power(athlete, scale, level)


def moving(scale: Scale, level: float) -> dict[str, Value]:
    """Return the change a week with its interval; None, and how many weigh-ins it takes, where it cannot be told."""
    found: Slope | None = scale.slope()
    if found is None:
        return {"slope": None, "weigh_ins_short": float(max(LEAST_POINTS - scale.of_slope, 1))}
    week, margin = 7 * found.per_day, 7 * found.margin
    share = 100 * week / level
    values: dict[str, Value] = {
        "slope": week,
        "slope_low": week - margin,
        "slope_high": week + margin,
        "slope_is": "clear" if found.is_clear else "open",
        "slope_share": share,
    }
    return values | ({"fast": FAST} if found.is_clear and abs(share) > FAST_PCT else {})


def aim(athlete: Athlete, level: float) -> dict[str, Value]:
    goal = athlete.weight_goal_kg
    return {} if goal is None else {"goal": goal, "goal_gap": level - goal}


def power(athlete: Athlete, scale: Scale, level: float) -> dict[str, Value]:
    """Return power to weight, only for those who have a threshold power."""
    ftp = ftp_of(athlete, scale.today)
    if ftp is None:
        return {}
    return {
        "ftp": ftp.value,
        "ftp_is": "estimated" if ftp.estimated else "as you entered it",
        "w_per_kg": ftp.value / level,
    }


def histories(scale: Scale) -> dict[str, History]:
    return {"weight": tuple(round(float(value), 2) for value in scale.trend_kg[-HISTORY:])}

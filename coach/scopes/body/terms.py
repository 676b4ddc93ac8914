"""What the facts of the body mean; a single weigh-in is never a change."""

from coach.metrics.body import LEAST_POINTS, SLOPE_DAYS
from coach.scopes.basics import AS_SET, COACH, DAYS_WEIGHED, LINE, MEASURED, SETTINGS, VALID
from coach.scopes.body import chinese
from coach.scopes.terms import Term, with_chinese

TREND_SOURCE = "Walker, The Hacker's Diet"
SLOPE_RULE = (
    f"Straight line by least squares through the weigh-ins of {SLOPE_DAYS} days, {LEAST_POINTS} of them or more."
)
FAST_PCT = 1.0
FAST = "1 % a week"

ENGLISH = (
    Term(
        key="weight",
        label="Weight, trend",
        kind="weight",
        unit="kg",
        meaning="Where your weight stands when what changes from day to day, mostly water, is smoothed away.",
        convention="T + 0.1·(W − T) at each weigh-in, after a gap of k days T + (1 − 0.9ᵏ)·(W − T).",
        source=TREND_SOURCE,
    ),
    Term(
        key="slope",
        label="Change a week",
        kind="weekly_weight",
        unit="kg/week",
        meaning="How fast the weigh-ins of four weeks move. Read it with the interval beside it.",
        convention=SLOPE_RULE,
        source=LINE,
    ),
    Term(
        key="goal_gap",
        label="To your goal",
        kind="signed_weight",
        unit="kg",
        meaning="The trend less the weight you set as your goal.",
        convention="Trend − goal.",
        source=SETTINGS,
    ),
    Term(
        key="w_per_kg",
        label="Threshold power to weight",
        kind="power_to_weight",
        unit="W/kg",
        meaning="Your threshold power of today for each kilogram of the trend.",
        convention="FTP valid today ÷ trend in kilograms, in both systems of units.",
        source="Coggan",
    ),
    Term(
        key="slope_low",
        label="Change a week, at least",
        kind="weekly_weight",
        unit="kg/week",
        meaning="The lower end of the interval that the change a week lies in with 95 % confidence.",
        convention="Slope − t·standard error, two-sided 95 %.",
        source=LINE,
    ),
    Term(
        key="slope_high",
        label="Change a week, at most",
        kind="weekly_weight",
        unit="kg/week",
        meaning="The upper end of the interval that the change a week lies in with 95 % confidence.",
        convention="Slope + t·standard error, two-sided 95 %.",
        source=LINE,
    ),
    Term(
        key="slope_is",
        label="The change is",
        kind="word",
        meaning="Whether the interval leaves out no change at all.",
        convention="Clear: the interval does not hold zero. Open: it does, so weight may as well be steady.",
    ),
    Term(
        key="slope_share",
        label="Change a week, of the weight",
        kind="signed_percent_tenths",
        unit="%",
        meaning=f"The change a week as a share of the trend. Beyond {FAST} it is fast.",
        convention="Slope ÷ trend.",
        source=LINE,
    ),
    Term(key="fast", label="Fast from", kind="word", meaning="The change a week from which this page calls it fast."),
    Term(
        key="weigh_ins",
        label="Weigh-ins in 28 days",
        kind="count",
        meaning="On how many of the last 28 days there is a weight; that is what the change a week is made of.",
        convention=DAYS_WEIGHED,
        source=MEASURED,
    ),
    Term(
        key="weigh_ins_short",
        label="Weigh-ins to come",
        kind="count",
        meaning="How many more days with a weight are needed before a change a week can be told.",
        convention=f"{LEAST_POINTS} days with a weight within {SLOPE_DAYS}.",
        source=COACH,
    ),
    Term(
        key="last_raw",
        label="Last weigh-in",
        kind="weight",
        unit="kg",
        meaning="What the scale showed last. Against the day before it says nothing; the trend does.",
        convention="Of several weigh-ins in a day the first counts.",
        source=MEASURED,
    ),
    Term(key="last_day", label="Last weighed on", kind="day", meaning="The day of that weigh-in."),
    Term(
        key="goal",
        label="Your goal",
        kind="weight",
        unit="kg",
        meaning="The weight you set in your settings.",
        convention=AS_SET,
        source=SETTINGS,
    ),
    Term(
        key="ftp",
        label="Threshold power",
        kind="power",
        unit="W",
        meaning="The FTP of yours that is valid today.",
        convention=VALID,
        source=SETTINGS,
    ),
    Term(
        key="ftp_is",
        label="Threshold power is",
        kind="word",
        meaning="Whether you marked it as an estimate when you entered it.",
    ),
    Term(
        key="weight_from",
        label="Weight from",
        kind="word",
        meaning="Whose values these are.",
        convention="The scale with most days; what you typed in goes before it. Two scales are never mixed.",
    ),
    Term(key="today", label="Today", kind="day", meaning="The day this was computed for."),
)

TERMS = with_chinese(ENGLISH, chinese.TERMS)

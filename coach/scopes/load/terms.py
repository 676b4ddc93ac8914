"""What the facts of load mean, by which convention, and who is behind it."""

from coach.scopes.basics import COACH, DAYS_SINCE, SUM_OF_SEVEN
from coach.scopes.load import chinese
from coach.scopes.terms import Term, with_chinese

AWAY_DAYS = 42
SETTLING_DAYS = 42
BUILDING_POINTS = 1.0
GUIDE_POINTS = 7.0
GUIDE = "5 to 7"
CONVENTION = "42 and 7 days"
DEEP_FORM = -30.0
SHARE_DAYS = 42
SHARES = "Share of points over 42 days: the last ones, or after a break those up to the last session."

ENGLISH = (
    Term(
        key="ctl",
        label="Fitness",
        kind="points",
        meaning="What you have been doing for six weeks: the weighted mean of your daily load, in points a day.",
        convention="CTL: exponential mean with τ = 42 days, k = 1 − e^(−1/τ); rest days count as 0.",
        source="Banister 1975; Coggan 2003",
    ),
    Term(
        key="atl",
        label="Fatigue",
        kind="points",
        meaning="What you have been doing this week: the same mean over a much shorter time.",
        convention="ATL: exponential mean with τ = 7 days, k = 1 − e^(−1/τ); rest days count as 0.",
        source="Banister 1975; Coggan 2003",
    ),
    Term(
        key="tsb",
        label="Form this morning",
        kind="signed_points",
        meaning="Fitness less fatigue before today's training. Below zero: tired from more than you are used to.",
        convention="TSB: yesterday's CTL − ATL, so today's session does not move it.",
        source="Coggan 2003; TrainingPeaks",
    ),
    Term(
        key="phase",
        label="Phase",
        kind="word",
        meaning="A word for where you are, found by rule from ramp, form and the time since your last session.",
        convention=(
            "away: last session over 42 days ago; starting: under 42 days of data; "
            "overdoing: ramp above 7 or form below −30; building: ramp of 1 or more; easing: ramp of −1 or less; "
            "otherwise holding."
        ),
        source="Rule of this coach",
    ),
    Term(
        key="last_session",
        label="Last session",
        kind="day",
        meaning="The day of the last session that is here. Whatever you did since is not counted.",
    ),
    Term(
        key="days_away",
        label="Days away",
        kind="count",
        unit="days",
        meaning="How many days ago that session was; they count as rest.",
        convention=DAYS_SINCE,
        source=COACH,
    ),
    Term(
        key="ctl_then",
        label="Fitness then",
        kind="points",
        meaning="Fitness at the end of the day of your last session.",
        convention="CTL of that day.",
        source="Banister 1975; Coggan 2003",
    ),
    Term(
        key="ctl_peak",
        label="Highest fitness",
        kind="points",
        meaning="The highest that fitness has been on any day of your history here.",
        convention="Maximum of CTL over all days.",
        source="Banister 1975; Coggan 2003",
    ),
    Term(
        key="ctl_peak_on",
        label="Highest fitness on",
        kind="day",
        meaning="The first day on which fitness was that high.",
    ),
    Term(
        key="ramp",
        label="Ramp",
        kind="signed_tenths",
        unit="points/week",
        meaning="How much fitness changed in seven days. 5 to 7 points a week is a guide for building, no limit.",
        convention="CTL of the last counted day − CTL seven days before.",
        source="Coggan",
    ),
    Term(
        key="ramp_guide",
        label="Guide for the ramp",
        kind="word",
        unit="points/week",
        meaning="What coaches hold to be a ramp that builds and can be kept up for a while.",
        source="Coggan",
    ),
    Term(
        key="tsb_tomorrow",
        label="Form tomorrow",
        kind="signed_points",
        meaning="Fitness less fatigue after what you did today.",
        convention="Today's CTL − ATL at the end of the day.",
        source="Coggan 2003",
    ),
    Term(
        key="tsb_projected",
        label="Form after rest",
        kind="signed_points",
        meaning="Where form would be in seven days if you rested until then.",
        convention="TSB on the morning seven days from today with a load of 0 on every day before it.",
        source="Coggan 2003",
    ),
    Term(
        key="projected_on",
        label="Rest until",
        kind="day",
        meaning="The morning that form after rest is projected for.",
    ),
    Term(
        key="load_week",
        label="Load of seven days",
        kind="points",
        meaning="The sum of load over the last seven counted days; 100 points are an hour at threshold.",
        convention=SUM_OF_SEVEN,
        source=COACH,
    ),
    Term(
        key="load_ratio",
        label="Week against the weeks before",
        kind="ratio",
        meaning="The daily mean of the last 7 days over that of the 21 before. It describes a change, no risk.",
        convention="Uncoupled 7/21: the week is not part of what it is compared with.",
        source="Gabbett 2016; against it Lolli 2017, Impellizzeri 2020",
    ),
    Term(
        key="monotony",
        label="Monotony",
        kind="ratio",
        meaning="How alike the last seven days were. Above 2, hard and easy days hardly differ.",
        convention="Mean of the daily loads over their sample standard deviation.",
        source="Foster 1998",
    ),
    Term(
        key="strain",
        label="Strain",
        kind="points",
        meaning="The load of the seven days times their monotony.",
        convention="Weekly load × monotony.",
        source="Foster 1998",
    ),
    Term(
        key="share_power",
        label="Load from power",
        kind="percent",
        unit="%",
        meaning="How much of your load was measured with a power meter.",
        convention=SHARES,
        source=COACH,
    ),
    Term(
        key="share_pace",
        label="Load from pace",
        kind="percent",
        unit="%",
        meaning="How much of your load was measured by graded running pace.",
        convention=SHARES,
        source=COACH,
    ),
    Term(
        key="share_heart_rate",
        label="Load from heart rate",
        kind="percent",
        unit="%",
        meaning="How much of your load was measured by heart rate.",
        convention=SHARES,
        source=COACH,
    ),
    Term(
        key="share_effort",
        label="Load from effort",
        kind="percent",
        unit="%",
        meaning="How much of your load is taken from how hard you said it felt.",
        convention=SHARES,
        source="Foster 2001",
    ),
    Term(
        key="share_estimate",
        label="Load estimated",
        kind="percent",
        unit="%",
        meaning="How much of your load is a guess from sport and duration, because nothing was measured.",
        convention=SHARES,
        source=COACH,
    ),
    Term(
        key="convention",
        label="Convention",
        kind="word",
        meaning="The time constants of fitness and fatigue. Other programs use others, so their numbers differ.",
        convention="k = 1 − e^(−1/τ); the other convention in use is k = 1/τ.",
        source="Banister 1975; Coggan 2003",
    ),
    Term(key="today", label="Today", kind="day", meaning="The day this was computed for."),
)
TERMS = with_chinese(ENGLISH, chinese.TERMS)


def phase(*, days_away: int, days: int, ramp: float, tsb: float) -> str:
    """Return the word for where the athlete is; the rule is spelled out in the fact's convention."""
    if days_away > AWAY_DAYS:
        return "away"
    if days < SETTLING_DAYS:
        return "starting"
    if ramp > GUIDE_POINTS or tsb < DEEP_FORM:
        return "overdoing"
    if ramp >= BUILDING_POINTS:
        return "building"
    return "easing" if ramp <= -BUILDING_POINTS else "holding"

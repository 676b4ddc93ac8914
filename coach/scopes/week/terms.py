"""What the facts of a week mean, and by which convention."""

from coach.scopes import sports
from coach.scopes.basics import (
    COACH,
    DAYS_OVER,
    DAYS_WITH,
    LONGEST,
    NUMBER_OF,
    RECORDED,
    SHARE_OF_TIME,
    SUM_OF_DISTANCES,
    SUM_OF_LOADS,
    SUM_OF_TIMES,
)
from coach.scopes.terms import Term, with_chinese
from coach.scopes.week import chinese

USUAL = "Median of the four weeks before it, each up to the same weekday."
SPLIT = (
    "Time in zones: easy below LT1, moderate up to LT2, hard above it. By heart rate where measured, else by power, "
    "else by pace."
)

ENGLISH = (
    Term(
        key="load",
        label="Load",
        kind="points",
        meaning="The load of all sessions together; 100 points are an hour at threshold.",
        convention=SUM_OF_LOADS,
        source=COACH,
    ),
    Term(
        key="load_change",
        label="Load against usual",
        kind="signed_percent",
        unit="%",
        meaning="How this week's load differs from what you usually have by this weekday.",
        convention=USUAL,
        source=COACH,
    ),
    Term(
        key="timer",
        label="Time",
        kind="hours",
        unit="s",
        meaning="Training time with the timer running.",
        convention=SUM_OF_TIMES,
        source=RECORDED,
    ),
    Term(
        key="sessions",
        label="Sessions",
        kind="count",
        meaning="Recordings of this week.",
        convention=NUMBER_OF,
        source=RECORDED,
    ),
    Term(
        key="load_usual",
        label="Usual load",
        kind="points",
        meaning="Load by this weekday.",
        convention=USUAL,
        source=COACH,
    ),
    Term(
        key="timer_usual",
        label="Usual time",
        kind="hours",
        unit="s",
        meaning="Training time by this weekday.",
        convention=USUAL,
        source=COACH,
    ),
    Term(
        key="timer_change",
        label="Time against usual",
        kind="signed_percent",
        unit="%",
        meaning="How this week's training time differs from what you usually have by this weekday.",
        convention=USUAL,
        source=COACH,
    ),
    Term(
        key="sessions_usual",
        label="Usual sessions",
        kind="count",
        meaning="Sessions by this weekday.",
        convention=USUAL,
        source=COACH,
    ),
    Term(
        key="days_counted",
        label="Days counted",
        kind="count",
        meaning="Days of this week that are over, and today if there is a session on it.",
        convention=DAYS_OVER,
        source=COACH,
    ),
    Term(key="counted_until", label="Counted up to", kind="weekday", meaning="The last day that is counted."),
    Term(
        key="active_days",
        label="Days with training",
        kind="count",
        meaning="Days with a session.",
        convention=DAYS_WITH,
        source=RECORDED,
    ),
    Term(
        key="easy_share",
        label="Easy",
        kind="percent",
        unit="%",
        meaning="Share of training time at easy intensity.",
        convention=SPLIT,
        source="Seiler 2010",
    ),
    Term(
        key="moderate_share",
        label="Moderate",
        kind="percent",
        unit="%",
        meaning="Share of training time at moderate intensity.",
        convention=SPLIT,
        source="Seiler 2010",
    ),
    Term(
        key="hard_share",
        label="Hard",
        kind="percent",
        unit="%",
        meaning="Share of training time above threshold.",
        convention=SPLIT,
        source="Seiler 2010",
    ),
    Term(
        key="longest",
        label="Longest session",
        kind="duration",
        unit="s",
        meaning="The session with the longest timer.",
        convention=LONGEST,
        source=RECORDED,
    ),
    Term(key="longest_sport", label="Sport of the longest", kind="word", meaning="What that session was."),
    Term(key="longest_day", label="Day of the longest", kind="weekday", meaning="When that session was."),
    Term(key="main_sport", label="Main sport", kind="word", meaning="The sport with the most time."),
    Term(
        key="main_sport_share",
        label="Share of the main sport",
        kind="percent",
        unit="%",
        meaning="Share of training time in that sport.",
        convention=SHARE_OF_TIME,
        source=COACH,
    ),
    Term(
        key="monotony",
        label="Monotony",
        kind="ratio",
        meaning="How alike the seven days were. Above 2, hard and easy days hardly differ.",
        convention="Mean of the daily loads over their sample standard deviation; only of a whole week.",
        source="Foster 1998",
    ),
    Term(
        key="strain",
        label="Strain",
        kind="points",
        meaning="The week's load times its monotony.",
        convention="Weekly load × monotony; only of a whole week.",
        source="Foster 1998",
    ),
    Term(
        key="estimate_share",
        label="Load estimated",
        kind="percent",
        unit="%",
        meaning="How much of the load is a guess from sport and duration, because nothing was measured.",
        convention="Share of the week's points.",
        source=COACH,
    ),
)
TERMS = with_chinese(ENGLISH, chinese.TERMS)


def of_sport(sport: str) -> tuple[Term, ...]:
    """Return the terms of one sport; sports are never added up in distance."""
    key, word = key_of(sport), sports.word_of(sport)
    label = word.capitalize()
    words = {f"{key}_{name}": said for name, said in chinese.of_sport(word).items()}
    english = (
        Term(
            key=f"{key}_sessions",
            label=f"{label}: sessions",
            kind="count",
            meaning=f"Recordings of {word}.",
            convention=NUMBER_OF,
            source=RECORDED,
        ),
        Term(
            key=f"{key}_timer",
            label=f"{label}: time",
            kind="hours",
            unit="s",
            meaning=f"Timer of {word}.",
            convention=SUM_OF_TIMES,
            source=RECORDED,
        ),
        Term(
            key=f"{key}_distance",
            label=f"{label}: distance",
            kind="distance",
            unit="m",
            meaning=f"Distance covered in {word}.",
            convention=SUM_OF_DISTANCES,
            source=RECORDED,
        ),
        Term(
            key=f"{key}_ascent",
            label=f"{label}: ascent",
            kind="height",
            unit="m",
            meaning=f"Metres climbed in {word}.",
            convention=SUM_OF_DISTANCES,
            source=RECORDED,
        ),
        Term(
            key=f"{key}_load",
            label=f"{label}: load",
            kind="points",
            meaning=f"Points from {word}.",
            convention=SUM_OF_LOADS,
            source=COACH,
        ),
    )
    return with_chinese(english, words)


def key_of(sport: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in sport.lower()).strip("_") or "other"

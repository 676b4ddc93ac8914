"""What the facts of trends mean, and by which convention."""

from dataclasses import dataclass

from coach.display import METRIC, Style
from coach.scopes.basics import COACH, END_OF_LINE, LINE, LINES
from coach.scopes.terms import Term, with_chinese
from coach.scopes.trends import chinese

A_MONTH = 30
FIT = "Least squares; half the width of the 95 % interval by Student's t. A slope needs six points."


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How one measure is told; `level` and `change` are kinds of coach.display."""

    word: str
    level: str
    unit: str
    change: str
    spread: str
    good: str
    meaning: str
    convention: str
    source: str = ""


MEASURES = {
    "fitness": Measure(
        word="fitness",
        level="points",
        unit="",
        change="signed_tenths",
        spread="tenths",
        good="",
        meaning="Fitness (CTL), once a week: what you have been doing, no promise of what you can do.",
        convention="CTL of 42 days at the end of every seventh day, from six weeks of history on.",
        source="Banister 1975; Coggan 2003",
    ),
    "efficiency": Measure(
        word="effort per heartbeat",
        level="ratio",
        unit="",
        change="signed_thousandths",
        spread="thousandths",
        good="up",
        meaning="Normalized power, or graded speed in m/min, over heart rate, of even sessions from 20 minutes.",
        convention="EF of one sport, place and device; no race, variability up to 1.15.",
        source="Friel",
    ),
    "pace": Measure(
        word="pace at your usual heart rate",
        level="pace",
        unit="m/s",
        change="signed_pace",
        spread="pace_spread",
        good="down",
        meaning="Pace on the flat at your most usual heart rate, of runs within 5 beats of it.",
        convention="Graded pace brought to that heart rate in proportion; one sport, place and device.",
        source="Minetti 2002 (grade)",
    ),
    "vdot": Measure(
        word="VDOT",
        level="ratio",
        unit="",
        change="signed_tenths",
        spread="tenths",
        good="up",
        meaning="What your best result of each fourteen days is worth, from 3 km up.",
        convention="One point for each fourteen days with a result; jumps, slopes and virtual runs left out.",
        source="Daniels & Gilbert 1979",
    ),
    "volume": Measure(
        word="training time",
        level="hours",
        unit="s",
        change="signed_hours",
        spread="hours_spread",
        good="",
        meaning="Timer of each seven days, in hours a week.",
        convention="Whole weeks counted back from the last day with data; weeks without a session count as 0.",
    ),
}

ENGLISH_HEAD = (
    Term(
        key="clear_count",
        label="Clear lines",
        kind="count",
        meaning="Lines whose interval leaves zero out.",
        convention=LINES,
        source=LINE,
    ),
    Term(
        key="line_count",
        label="Lines",
        kind="count",
        meaning="Lines with at least six points.",
        convention=LINES,
        source=LINE,
    ),
    Term(key="window", label="Range", kind="word", meaning="How far the lines look back."),
    Term(key="until", label="Up to", kind="day", meaning="The last day with data: there the range ends."),
)
HEAD = with_chinese(ENGLISH_HEAD, chinese.HEAD)


def name_of(family: str, measure: str, *, style: Style = METRIC) -> str:
    if style.chinese:
        return chinese.name_of(family, measure)
    return f"{family.capitalize()}: {MEASURES[measure].word}" if family else MEASURES[measure].word.capitalize()


def of_slope(key: str, family: str, measure: str) -> Term:
    told = MEASURES[measure]
    return Term(
        key=f"{key}_slope",
        label=f"{name_of(family, measure)}, in 30 days",
        kind=told.change,
        unit=unit_of(measure),
        meaning=f"How much the line moves in {A_MONTH} days. {told.meaning}",
        convention=f"{told.convention} {FIT}",
        source=told.source or LINE,
        good=told.good,
        chinese=chinese.of_slope(family, measure),
    )


def of_rest(key: str, family: str, measure: str) -> tuple[Term, ...]:
    told, name = MEASURES[measure], name_of(family, measure)
    ends = "Where the line" if measure != "fitness" else "The first and last value; here where it"
    pulse = (of_pulse(key, name),) if measure == "pace" else ()
    terms = (
        *pulse,
        Term(
            key=f"{key}_margin",
            label=f"{name}: give or take",
            kind=told.spread,
            unit=unit_of(measure),
            meaning="Half the width of the interval around that change. Wider than the change: noise.",
            convention=FIT,
            source=LINE,
        ),
        Term(key=f"{key}_trend", label=f"{name}: reading", kind="word", meaning="What the interval allows to say."),
        Term(
            key=f"{key}_start",
            label=f"{name}: start",
            kind=told.level,
            unit=told.unit,
            meaning=f"{ends} begins.",
            convention=END_OF_LINE,
            source=told.source or LINE,
        ),
        Term(
            key=f"{key}_end",
            label=f"{name}: end",
            kind=told.level,
            unit=told.unit,
            meaning=f"{ends} ends.",
            convention=END_OF_LINE,
            source=told.source or LINE,
        ),
        Term(key=f"{key}_n", label=f"{name}: points", kind="word", meaning="How many points the line rests on."),
    )
    own = chinese.of_rest(family, measure)
    return with_chinese(terms, {f"{key}_{end}": words for end, words in own.items()})


def of_pulse(key: str, name: str) -> Term:
    return Term(
        key=f"{key}_pulse",
        label=f"{name}: heart rate",
        kind="heart_rate",
        unit="bpm",
        meaning="The heart rate that this pace is told for.",
        convention="Median of the average heart rates of even runs of one place and device, to a whole beat.",
        source=COACH,
    )


def unit_of(measure: str) -> str:
    return {"pace": "s/km", "volume": "h"}.get(measure, "")


TERMS = (
    *HEAD,
    *(of_slope(name, "running", name) for name in MEASURES),
    *(term for name in MEASURES for term in of_rest(name, "running", name)),
)

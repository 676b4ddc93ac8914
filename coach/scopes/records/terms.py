"""What the facts of records mean, and by which convention."""

from coach.scopes.basics import AS_SHOWN, BEST_BEFORE, COACH, POINTS_OF_LINE, RECORDED
from coach.scopes.records import chinese
from coach.scopes.records.spans import distance_word, duration_word, word
from coach.scopes.terms import Term, with_chinese

NEW_DAYS = 28
COUNTED = (
    "Not counted: distances in a virtual world or on a trainer, an e-bike, a net way down (1.5 % on foot, 0.5 % on a "
    "bike), satellite jumps, masked power."
)
LATELY = "Bests of the ninety days up to the last day with one."

ENGLISH_HEAD = (
    Term(key="newest_best_what", label="Newest record", kind="word", meaning="The record that was set last."),
    Term(key="newest_best_on", label="Set on", kind="day", meaning="The day of the newest record."),
    Term(
        key="newest_best_age",
        label="Days ago",
        kind="count",
        unit="days",
        meaning="How many days ago the newest record was set.",
        convention="Today less the day of the record.",
        source=COACH,
        passing=True,
    ),
)
HEAD = with_chinese(ENGLISH_HEAD, chinese.TERMS)
ENGLISH_TAIL = (
    Term(
        key="new_count",
        label="New records",
        kind="count",
        meaning=f"Records of the last {NEW_DAYS} days that took the place of an older one.",
        convention="The first best of its kind is not counted as new.",
        good="up",
        source=COACH,
    ),
    Term(
        key="cp",
        label="Critical power",
        kind="power",
        unit="W",
        meaning="The power that your bests say you can hold for long, in theory.",
        convention=f"Work = W′ + CP·t over bests of 2 to 20 minutes, at least three. {LATELY}",
        source="Monod & Scherrer 1965; Skiba 2012",
        good="up",
    ),
    Term(
        key="w_prime",
        label="W′",
        kind="kilojoules",
        unit="J",
        meaning="The work above critical power that you can do before it is used up.",
        convention="From the same line as critical power.",
        source="Monod & Scherrer 1965; Skiba 2012",
        good="up",
    ),
    Term(
        key="cp_points",
        label="Bests behind it",
        kind="count",
        meaning="Bests that the line was fitted to.",
        convention=POINTS_OF_LINE,
        source=COACH,
    ),
    Term(
        key="vdot",
        label="VDOT",
        kind="ratio",
        meaning="What your best recent result says about your endurance, as oxygen uptake.",
        convention=f"From elapsed time and distance, from a mile up. {LATELY}",
        source="Daniels & Gilbert 1979",
        good="up",
    ),
    Term(key="vdot_from", label="VDOT from", kind="word", meaning="The result that VDOT was computed from."),
    Term(
        key="vdot_from_on",
        label="Run on",
        kind="day",
        meaning="The day of that result.",
    ),
)
TAIL = with_chinese(ENGLISH_TAIL, chinese.TERMS)


def newest(measure: str) -> tuple[Term, ...]:
    """Return the terms of the newest record: power in W, a time in s."""
    kind, unit, good = ("power", "W", "up") if measure == "power" else ("duration", "s", "down")
    terms = (
        Term(
            key="newest_best",
            label="Its value",
            kind=kind,
            unit=unit,
            meaning="The value of the newest record.",
            convention=COUNTED,
            good=good,
            source=RECORDED,
        ),
        Term(
            key="newest_best_before",
            label="Before it",
            kind=kind,
            unit=unit,
            meaning="The best before that day.",
            convention=BEST_BEFORE,
            source=RECORDED,
        ),
        Term(
            key="newest_gain",
            label="Better by",
            kind=kind,
            unit=unit,
            meaning="By how much the newest record beat the one before.",
            good="up",
            convention=AS_SHOWN,
            source=COACH,
        ),
    )
    return with_chinese(terms, chinese.TERMS)


def of_best(measure: str, span: int) -> tuple[Term, ...]:
    """Return the terms of one best: its value, its name and its day."""
    key = f"best_{measure}_{span}"
    if measure == "power":
        label, kind, unit = f"{duration_word(span)} power", "power", "W"
        meaning = f"Your highest mean power over {duration_word(span)}, in timer time."
    else:
        label, kind, unit = distance_word(span).capitalize(), "duration", "s"
        meaning = f"Your shortest time over {distance_word(span)}, pauses included, in any part of a session."
    good = "up" if measure == "power" else "down"
    terms = (
        Term(
            key=key, label=label, kind=kind, unit=unit, meaning=meaning, convention=COUNTED, source=RECORDED, good=good
        ),
        Term(key=f"{key}_what", label=f"{label}: its name", kind="word", meaning="What this best is called in a text."),
        Term(key=f"{key}_on", label=f"{label}: day", kind="day", meaning="The day it was set."),
        Term(
            key=f"{key}_before",
            label=f"{label}: before",
            kind=kind,
            unit=unit,
            meaning="The best of the days before it.",
            convention=BEST_BEFORE,
            source=RECORDED,
        ),
        Term(
            key=f"{key}_gain",
            label=f"{label}: better by",
            kind=kind,
            unit=unit,
            meaning="By how much it beat the one before.",
            convention=AS_SHOWN,
            source=COACH,
            good="up",
        ),
    )
    own = chinese.of_best(measure, word(measure, span))
    return with_chinese(terms, {f"{key}{end}": words for end, words in own.items()})


def of_prediction(distance_m: int) -> tuple[Term, ...]:
    key, over = f"predicted_{distance_m}", distance_word(distance_m)
    value, result = chinese.of_prediction(over)
    terms = (
        Term(
            key=key,
            label=f"Predicted {over}",
            kind="duration",
            unit="s",
            meaning=f"What the result beside it is worth over {over}, on a flat course and trained for it.",
            convention="By VDOT, from the nearest distance between half and twice as far.",
            source="Daniels & Gilbert 1979",
        ),
        Term(key=f"{key}_from", label="Predicted from", kind="word", meaning="The result behind the prediction."),
    )
    return with_chinese(terms, {key: value, f"{key}_from": result})


TERMS = (*HEAD, *newest("power"), *of_best("power", 300), *of_best("time", 5000), *TAIL, *of_prediction(10_000))

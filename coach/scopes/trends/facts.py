"""Puts the facts of trends together."""

from coach import display
from coach.display import Style
from coach.models import Athlete
from coach.scopes.facts import Facts
from coach.scopes.registry import UnknownSubject, scope
from coach.scopes.terms import Value, state, style_of, unknown, worded
from coach.scopes.trends import charts
from coach.scopes.trends.chinese import SAID
from coach.scopes.trends.series import Series, series_of
from coach.scopes.trends.sessions import Range, read
from coach.scopes.trends.terms import A_MONTH, HEAD, MEASURES, of_rest, of_slope

RANGES = {"90d": 90, "180d": 180, "365d": 365}
TITLE = "Trends"
NOTHING = (
    "There is no session to draw a line through yet. Upload your recordings (FIT, GPX or TCX files, or a zip of them)."
)
TOO_FEW = (
    "Fewer than six points of each kind lie in this range, and a line through so few would be a guess. "
    "Look at a longer range, or upload more of your recordings."
)
PACE_GOES = {"rising": "slower", "falling": "faster"}
CLASSES = ((30, "30 or more"), (12, "12 to 29"), (0, "6 to 11"))


@scope(
    "trends",
    title=TITLE,
    question="Where am I going?",
    answers=(
        "which lines move clearly and which are noise, by their intervals",
        "the change in a month with its interval and how many points it rests on",
        "no cause: a line does not say why",
    ),
)
def trends(athlete: Athlete, subject: str) -> Facts:
    """Facts of the lines over a range that ends on the last day with data; the subject is 90d, 180d or 365d."""
    if subject not in RANGES:
        raise UnknownSubject(f"There is no range {subject!r}; there are {', '.join(RANGES)}.")
    found = read(athlete, days=RANGES[subject])
    every = series_of(found) if found else []
    style = style_of(athlete)
    if found is None or not every:
        why, last = (TOO_FEW, found.last) if found else (NOTHING, None)
        title, why = (worded(text, SAID, style=style) for text in (TITLE, why))
        return Facts(scope="trends", subject=subject, title=title, insufficient=why, as_of=last)
    return told(found, every, subject=subject, style=style)


def told(found: Range, every: list[Series], *, subject: str, style: Style) -> Facts:
    values: dict[str, Value] = {
        "clear_count": float(sum(one.line.is_clear for one in every)),
        "line_count": float(len(every)),
        "window": f"{RANGES[subject]} days",
        "until": found.last.isoformat(),
    }
    for one in every:
        values |= values_of(one)
    slopes = [of_slope(one.key, one.family, one.measure) for one in every]
    rest = [term for one in every for term in of_rest(one.key, one.family, one.measure)]
    facts = state((*slopes, *HEAD, *rest), values, style=style)
    shown = {fact.key: fact.display for fact in facts}
    readings = {
        one.key: (shown[f"{one.key}_slope"], shown[f"{one.key}_margin"], shown[f"{one.key}_trend"]) for one in every
    }
    drawn = [
        charts.picture(
            one,
            found,
            trend=readings[one.key][2],
            change=" ± ".join(readings[one.key][:2]),
            goes=PACE_GOES.get(str(values[f"{one.key}_trend"]), "") if one.measure == "pace" else "",
            style=style,
        )
        for one in every
    ]
    return Facts(
        scope="trends",
        subject=subject,
        title=worded(TITLE, SAID, style=style),
        facts=facts,
        as_of=found.last,
        missing=unknown(facts),
        charts={"trends": {"first": found.first, "last": found.last, "lines": drawn}},
        tables={"trends": charts.table(every, readings, style=style)}
        | {one.key: charts.points(one, style=style) for one in every},
    )


def values_of(one: Series) -> dict[str, Value]:
    slope, margin = of_month(one)
    pulse: dict[str, Value] = {} if one.pulse_bpm is None else {f"{one.key}_pulse": one.pulse_bpm}
    return pulse | {
        f"{one.key}_slope": slope,
        f"{one.key}_margin": margin,
        f"{one.key}_trend": reading(one, slope),
        f"{one.key}_start": charts.level(one, 0.0),
        f"{one.key}_end": charts.level(one, one.last_day),
        f"{one.key}_n": next(word for least, word in CLASSES if len(one.points) >= least),
    }


def of_month(one: Series) -> tuple[float, float]:
    """Return the change in thirty days and its margin, in the unit that it is told in: s/km for pace, h for time."""
    slope, margin = one.line.per_day * A_MONTH, one.line.margin * A_MONTH
    if one.measure == "volume":
        return slope / 3600, margin / 3600
    if one.measure == "pace":
        turn = 1000 / one.line.level**2  # s/km for a m/s, in the middle of the line
        return -slope * turn, margin * turn
    return slope, margin


def reading(one: Series, slope: float) -> str:
    """Return the word for it; within its interval, or shown as nothing, a change is none."""
    shown = display.show(MEASURES[one.measure].change, slope)
    if not one.line.is_clear or not any(letter in "123456789" for letter in shown):
        return "no clear change"
    return "rising" if slope > 0 else "falling"

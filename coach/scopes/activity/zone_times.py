"""The time in each zone as facts, by the measure that tells it best."""

from coach.display import Style
from coach.models import Activity
from coach.scopes.activity import charts
from coach.scopes.terms import Term, Value, Words, with_chinese

ORDER = ("heart_rate", "power", "pace")
CONVENTION = "Seconds of timer time within these bounds; see “Zones by”."
SOURCE = "Friel; Karvonen; Coggan"


def leading(found: Activity) -> str:
    """Return by what the time in zones is told: heart rate where measured, else power, else pace; "" without any."""
    return next((measure for measure in ORDER if sum(found.zone_seconds.get(measure) or ())), "")


def values_of(found: Activity) -> dict[str, Value]:
    """Return the seconds in each zone there was any time in."""
    measure = leading(found)
    seconds = found.zone_seconds.get(measure) or ()
    times: dict[str, Value] = {key_of(place): own for place, own in enumerate(seconds) if own >= 1}
    return {"zones_by": measure.replace("_", " "), **times} if measure else {}


def terms_of(found: Activity, *, style: Style) -> tuple[Term, ...]:
    """Return the terms of the zones of a session; their labels have the bounds of its day."""
    rows = charts.zone_rows(found, style=style).get(leading(found), [])
    english = [
        Term(
            key=key_of(place),
            label=row["label"],
            kind="duration",
            unit="s",
            meaning="Time in this zone.",
            convention=CONVENTION,
            source=SOURCE,
        )
        for place, row in enumerate(rows)
    ]
    return with_chinese(english, {term.key: in_chinese(term.label) for term in english})


def in_chinese(label: str) -> Words:
    """Return the Chinese of a zone whose label is already in the athlete's language."""
    return Words(
        label=label,
        meaning="计时器运行时处在这个区间的时间。",
        convention="当天界限之内的计时秒数；各区间是什么的比例，见“区间依据”。",
    )


def key_of(place: int) -> str:
    return f"zone_{place + 1}"

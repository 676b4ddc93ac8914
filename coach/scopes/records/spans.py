"""What bests are called: 5 min, 10 km, half marathon."""

NAMED_M = {1609: "1 mile", 21_097: "half marathon", 42_195: "marathon"}
# The spans that a text may speak of; the table has them all.
SPOKEN_S = (5, 60, 300, 1200, 3600)
SPOKEN_M = {
    "running": (1000, 5000, 10_000, 21_097, 42_195),
    "walking": (1000, 5000, 10_000, 21_097),
    "cycling": (20_000, 40_000, 100_000),
    "swimming": (100, 400, 1500),
}


def duration_word(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def distance_word(metres: int) -> str:
    if metres in NAMED_M:
        return NAMED_M[metres]
    return f"{metres} m" if metres < 1000 or metres % 1000 else f"{metres // 1000} km"


def word(measure: str, span: int) -> str:
    return duration_word(span) if measure == "power" else distance_word(span)


def called(measure: str, span: int) -> str:
    """Return what a best is called in a text: 5 min power, half marathon."""
    return f"{word(measure, span)} power" if measure == "power" else word(measure, span)


def is_spoken(family: str, measure: str, span: int) -> bool:
    return span in (SPOKEN_S if measure == "power" else SPOKEN_M.get(family, ()))

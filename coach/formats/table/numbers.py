"""Numbers, weights and durations as people write them."""

import re

NUMBER = re.compile(r"([-+]?\d[\d.,' ]*)\s*([^\d\s].*)?")
HOURS = re.compile(
    r"(?:(\d{1,2})\s*(?:h|hr|hrs|hours?|std\.?|stunden?)\s*)?(?:(\d{1,3})\s*(?:m|min|mins|minutes?)\.?)?", re.I
)
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?")
STONES = re.compile(r"(\d{1,2})\s*st(?:one)?\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:lbs?)?)?", re.I)
KG = {"kg": 1.0, "lb": 0.45359237, "st": 6.35029318, "g": 0.001}
UNITS = {"kg": "kg", "kgs": "kg", "lb": "lb", "lbs": "lb", "pounds": "lb", "st": "st", "g": "g"}


def number(text: str) -> float | None:
    """Return the number a cell begins with, with a decimal point or comma; None when it is none."""
    found = NUMBER.fullmatch(text)
    if found is None or (found[2] or "")[:1] in (":", "/", "-"):
        return None
    digits = found[1].replace("'", "").replace(" ", "")
    if "," in digits and "." in digits:
        thousands = "," if digits.rfind(".") > digits.rfind(",") else "."
        digits = digits.replace(thousands, "")
    digits = digits.replace(",", ".")
    try:
        return float(digits)
    except ValueError:
        return None


def unit_of_weight(text: str) -> str:
    """Return the unit that a cell or head names: kg, lb, st or g; nothing when it names none."""
    words = re.findall(r"[a-z]+", text.casefold())
    return next((UNITS[word] for word in reversed(words) if word in UNITS), "")


def weight_kg(text: str, unit: str) -> float | None:
    stones = STONES.fullmatch(text)
    if stones:
        return int(stones[1]) * KG["st"] + (number(stones[2] or "0") or 0.0) * KG["lb"]
    value, factor = number(text), KG.get(unit_of_weight(text) or unit)
    return None if value is None or factor is None else value * factor


def minutes(text: str) -> float | None:
    """Return a duration in minutes: 7:12, 7h 12m, 7.2 (hours), 432 (minutes) or 25920 (seconds)."""
    clock = CLOCK.fullmatch(text)
    if clock:
        return int(clock[1]) * 60 + int(clock[2]) + int(clock[3] or 0) / 60
    words = HOURS.fullmatch(text.strip())
    if words and (words[1] or words[2]):
        return int(words[1] or 0) * 60 + int(words[2] or 0)
    value = number(text)
    if value is None:
        return None
    if "h" in text.casefold():
        return value * 60
    return value * 60 if value <= 24 else value if value <= 24 * 60 else value / 60

"""Sports have shapes, not colours: a word and a small outline for each family."""

from dataclasses import dataclass, replace

from django.utils.translation import get_language

from coach.display import Style
from coach.scopes import sports as names


@dataclass(frozen=True, slots=True, kw_only=True)
class Sport:
    family: str
    path: str  # drawn about 0 0, within 5 units each way
    word: str = ""


OTHER = Sport(family="other", path="M-4 -4H4V4H-4Z")
FAMILIES = {
    "running": Sport(family="running", path="M-5 4.2L0 -4.6L5 4.2Z"),
    "cycling": Sport(family="cycling", path="M-4.6 0A4.6 4.6 0 1 1 4.6 0A4.6 4.6 0 1 1 -4.6 0Z"),
    "swimming": Sport(
        family="swimming",
        path="M-5.5 -1.5Q-2.75 -5 0 -1.5T5.5 -1.5V1.5Q2.75 5 0 1.5T-5.5 1.5Z",
    ),
    "walking": Sport(family="walking", path="M0 -5L4.6 0L0 5L-4.6 0Z"),
    "hiking": Sport(family="hiking", path="M-5 4.5L-2 -3L0.5 0.5L2.2 -2.2L5 4.5Z"),
    "rowing": Sport(family="rowing", path="M-5.5 -1.8H5.5L3.4 2.8H-3.4Z"),
    "cross_country_skiing": Sport(family="skiing", path="M-5 -3.4H5V-1H-5ZM-5 1H5V3.4H-5Z"),
    "training": Sport(family="strength", path="M-1.6 -5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6Z"),
}


def sport(name: str) -> Sport:
    """Return the shape and the word of one of FIT's words for a sport; an unknown one keeps its own word."""
    key = name.lower()
    style = Style(language=get_language() or "en")
    return replace(FAMILIES.get(names.SAME.get(key, key), OTHER), word=names.session_word(name, style=style))

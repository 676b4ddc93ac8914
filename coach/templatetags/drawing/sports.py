"""Sports have shapes, not colours: a word and a small outline for each family."""

from dataclasses import dataclass, replace

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from coach.display import Style
from coach.scopes import sports as names


@dataclass(frozen=True, slots=True, kw_only=True)
class Sport:
    family: str
    word: str
    path: str  # drawn about 0 0, within 5 units each way


OTHER = Sport(family="other", word=_("Session"), path="M-4 -4H4V4H-4Z")
FAMILIES = {
    "running": Sport(family="running", word=_("Run"), path="M-5 4.2L0 -4.6L5 4.2Z"),
    "cycling": Sport(family="cycling", word=_("Ride"), path="M-4.6 0A4.6 4.6 0 1 1 4.6 0A4.6 4.6 0 1 1 -4.6 0Z"),
    "swimming": Sport(
        family="swimming",
        word=_("Swim"),
        path="M-5.5 -1.5Q-2.75 -5 0 -1.5T5.5 -1.5V1.5Q2.75 5 0 1.5T-5.5 1.5Z",
    ),
    "walking": Sport(family="walking", word=_("Walk"), path="M0 -5L4.6 0L0 5L-4.6 0Z"),
    "hiking": Sport(family="hiking", word=_("Hike"), path="M-5 4.5L-2 -3L0.5 0.5L2.2 -2.2L5 4.5Z"),
    "rowing": Sport(family="rowing", word=_("Row"), path="M-5.5 -1.8H5.5L3.4 2.8H-3.4Z"),
    "cross_country_skiing": Sport(family="skiing", word=_("Ski"), path="M-5 -3.4H5V-1H-5ZM-5 1H5V3.4H-5Z"),
    "training": Sport(
        family="strength", word=_("Training"), path="M-1.6 -5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6Z"
    ),
}
SAME = {
    "run": "running",
    "trail_running": "running",
    "biking": "cycling",
    "e_biking": "cycling",
    "bike": "cycling",
    "open_water": "swimming",
    "strength_training": "training",
    "fitness_equipment": "training",
}


def sport(name: str) -> Sport:
    """Return the family of one of FIT's words for a sport; an unknown one keeps its own word."""
    key = name.lower()
    known = FAMILIES.get(SAME.get(key, key))
    if known:
        return replace(known, word=gettext(known.word))
    if key in ("", "generic", "other"):
        return replace(OTHER, word=gettext(OTHER.word))
    style = Style(language=get_language() or "en")
    return Sport(family=OTHER.family, word=names.shown(key, style=style), path=OTHER.path)

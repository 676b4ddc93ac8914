"""The sports of GPX and TCX in FIT's words."""

import re
from collections.abc import Mapping

Sport = tuple[str, str]  # sport, sub sport

WORDS: Mapping[str, Sport] = {
    "running": ("running", ""),
    "run": ("running", ""),
    "trail_running": ("running", "trail"),
    "trailrun": ("running", "trail"),
    "street_running": ("running", "street"),
    "track_running": ("running", "track"),
    "treadmill_running": ("running", "treadmill"),
    "virtualrun": ("running", "virtual_activity"),
    "virtual_run": ("running", "virtual_activity"),
    "cycling": ("cycling", ""),
    "biking": ("cycling", ""),
    "ride": ("cycling", ""),
    "bike": ("cycling", ""),
    "bicycling": ("cycling", ""),
    "road_biking": ("cycling", "road"),
    "road_cycling": ("cycling", "road"),
    "mountain_biking": ("cycling", "mountain"),
    "mountainbikeride": ("cycling", "mountain"),
    "gravel_cycling": ("cycling", "gravel_cycling"),
    "gravelride": ("cycling", "gravel_cycling"),
    "indoor_cycling": ("cycling", "indoor_cycling"),
    "virtual_ride": ("cycling", "virtual_activity"),
    "virtualride": ("cycling", "virtual_activity"),
    "ebikeride": ("e_biking", ""),
    "walking": ("walking", ""),
    "walk": ("walking", ""),
    "hiking": ("hiking", ""),
    "hike": ("hiking", ""),
    "swimming": ("swimming", ""),
    "swim": ("swimming", ""),
    "lap_swimming": ("swimming", "lap_swimming"),
    "open_water_swimming": ("swimming", "open_water"),
    "rowing": ("rowing", ""),
    "nordicski": ("cross_country_skiing", ""),
    "cross_country_skiing": ("cross_country_skiing", ""),
    "alpineski": ("alpine_skiing", ""),
    "transition": ("transition", ""),
    # Strava's GPX writes its number of the sport.
    "1": ("cycling", ""),
    "4": ("hiking", ""),
    "9": ("running", ""),
    "10": ("walking", ""),
    "16": ("swimming", ""),
    "53": ("cycling", "virtual_activity"),
}
GENERIC: Sport = ("generic", "")
INDOOR = frozenset(
    {
        "treadmill",
        "indoor_running",
        "indoor_cycling",
        "spin",
        "indoor_rowing",
        "indoor_walking",
        "indoor_skiing",
        "elliptical",
        "stair_climbing",
        "strength_training",
        "lap_swimming",
        "virtual_activity",
    }
)
VIRTUAL_MAKERS = re.compile(r"zwift|rouvy|mywhoosh|bkool|fulgaz|virtugo|indievelo|trainingpeaks.?virtual", re.I)


def named(word: str) -> Sport:
    """Return the sport a file names, generic when the word is not known."""
    return WORDS.get(re.sub(r"[\s-]+", "_", word.strip().lower()), GENERIC)

"""What is known of an athlete on the day of a session, and what had to be assumed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

DEFAULT_REST_BPM = 60.0
THRESHOLD_SHARE_OF_RESERVE = 0.85
THRESHOLD_SHARE_OF_MAX = 0.9


# What a load, or the time in zones, rests on, and how it is called.
BEHIND = {
    "power": {"ftp_w": "threshold power"},
    "pace": {"threshold_pace_s_per_km": "threshold pace"},
    "heart_rate": {
        "hr_max_bpm": "maximum heart rate",
        "hr_rest_bpm": "resting heart rate",
        "lthr_bpm": "threshold heart rate",
    },
}


def estimates_sentence(ways: Collection[str], *, estimated: Collection[str]) -> str:
    """Say which thresholds behind these ways are marked as estimates; empty where none is."""
    known = [word for way, words in BEHIND.items() if way in ways for kind, word in words.items() if kind in estimated]
    if not known:
        return ""
    said = " and ".join(filter(None, (", ".join(known[:-1]), known[-1])))
    verb, what = ("is an estimate", "it") if len(known) == 1 else ("are estimates", "them")
    return f"The {said} of that day {verb}, and so are the load and the zones that rest on {what}."


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartProfile:
    max_bpm: float
    rest_bpm: float
    lthr_bpm: float
    estimated: tuple[str, ...] = ()  # words for what was assumed: "maximum", "resting", "threshold"

    @property
    def knows_threshold(self) -> bool:
        return "threshold" not in self.estimated

    @property
    def sentence(self) -> str:
        """Say what was assumed, and what to do; empty when everything was measured."""
        if not self.estimated:
            return ""
        words = " and ".join(filter(None, (", ".join(self.estimated[:-1]), self.estimated[-1])))
        return f"The {words} heart rate is estimated; set it in your settings for exact zones and load."


def max_from_age_bpm(age: int) -> float:
    """Return 208 − 0.7·age, a rough average, never in place of a measured value. Source: Tanaka 2001."""
    return 208 - 0.7 * age


def heart_profile(thresholds: Mapping[str, float], *, age: int | None) -> HeartProfile | None:
    """Fill in what is missing from what is known; None when neither maximum, threshold nor age is."""
    known_max, known_lthr = thresholds.get("hr_max_bpm"), thresholds.get("lthr_bpm")
    known_rest = thresholds.get("hr_rest_bpm")
    if known_max is not None:
        most = known_max
    elif known_lthr is not None:
        most = known_lthr / THRESHOLD_SHARE_OF_MAX
    elif age is not None and 5 <= age <= 110:
        most = max_from_age_bpm(age)
    else:
        return None
    rest = DEFAULT_REST_BPM if known_rest is None else known_rest
    lthr = rest + THRESHOLD_SHARE_OF_RESERVE * (most - rest) if known_lthr is None else known_lthr
    if not rest < lthr <= most:
        return None
    words = (("maximum", known_max), ("resting", known_rest), ("threshold", known_lthr))
    return HeartProfile(
        max_bpm=most,
        rest_bpm=rest,
        lthr_bpm=lthr,
        estimated=tuple(word for word, value in words if value is None),
    )

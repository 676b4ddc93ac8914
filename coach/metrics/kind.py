"""Tells what kind of session it was, so that it is judged by what it was meant to be."""

import math

SHORT_SECONDS = 600
LONG_SECONDS = {"running": 5400.0, "cycling": 10_800.0}
LONG_ELSEWHERE_SECONDS = 9000.0
LONG_BELOW = 0.85
# Below these shares of threshold a session is easy, and below those steady. Speed and heart rate span less than power.
EASY_BELOW = {"power": 0.75}
EASY_BELOW_ELSEWHERE = 0.82
STEADY_BELOW = {"power": 0.88}
STEADY_BELOW_ELSEWHERE = 0.92
KINDS = ("intervals", "long", "easy", "steady", "hard", "short", "unmeasured")


def intensity_of(*, load: float, load_from: str, timer_s: float) -> float | None:
    """Return the share of threshold at which this load comes together in this time; None for an estimated load."""
    return None if load_from == "estimate" or timer_s <= 0 else math.sqrt(load / (timer_s / 36))


def kind_of(*, family: str, timer_s: float, load: float, load_from: str, has_intervals: bool) -> str:
    """Return one of KINDS; `scopes.activity.kind.RULE` spells the rule out."""
    intensity = intensity_of(load=load, load_from=load_from, timer_s=timer_s)
    if timer_s < SHORT_SECONDS:
        return "short"
    if has_intervals:
        return "intervals"
    if intensity is None:
        return "unmeasured"
    if timer_s >= LONG_SECONDS.get(family, LONG_ELSEWHERE_SECONDS) and intensity < LONG_BELOW:
        return "long"
    if intensity < EASY_BELOW.get(load_from, EASY_BELOW_ELSEWHERE):
        return "easy"
    return "steady" if intensity < STEADY_BELOW.get(load_from, STEADY_BELOW_ELSEWHERE) else "hard"

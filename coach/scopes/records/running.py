"""What a runner's bests are worth over other distances: VDOT, and predictions from a result near enough."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coach.metrics.prediction import predicted_s, vdot
from coach.models import Best

SHORTEST_M = 1609  # VDOT is about minutes of effort, and a shorter best is about speed
TARGETS_M = (5000, 10_000, 21_097, 42_195)
# Of the distance of the result: half and twice, with room for the half metre that a half marathon is rounded by.
NEAREST, FURTHEST = 0.4999, 2.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    vdot: float
    best: Best


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    distance_m: int
    seconds: float
    input: Best


def worth_of(bests: Iterable[Best]) -> Worth | None:
    """Return the highest VDOT among times over distances, and of which."""
    worths = [Worth(vdot=value, best=best) for best in bests if (value := vdot_of(best)) is not None]
    return max(worths, key=lambda worth: worth.vdot, default=None)


def vdot_of(best: Best) -> float | None:
    return vdot(best.span, seconds=best.value) if best.span >= SHORTEST_M else None


def predictions(bests: Mapping[int, Best]) -> list[Prediction]:
    """Predict each distance from the result nearest to it, within half and twice its distance.

    Nothing is predicted that has been run as fast already.
    """
    found = []
    for target in TARGETS_M:
        near = [best for span, best in bests.items() if span != target and NEAREST <= target / span <= FURTHEST]
        near = [best for best in near if best.span >= SHORTEST_M]
        for best in sorted(near, key=lambda one: max(one.span / target, target / one.span))[:1]:
            seconds = predicted_s(vdot_of(best) or 0.0, distance_m=target)
            if seconds and (target not in bests or seconds < bests[target].value):
                found.append(Prediction(distance_m=target, seconds=seconds, input=best))
    return found

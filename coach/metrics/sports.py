"""What the metrics must know about a sport."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sport:
    family: str
    points_per_hour: float  # load where nothing was measured
    fastest_mps: float  # no average and no second is faster
    slowest_moving_mps: float = 0.5


OTHER = Sport(family="other", points_per_hour=40, fastest_mps=60)
SPORTS = {
    "running": Sport(family="running", points_per_hour=60, fastest_mps=12),
    "cycling": Sport(family="cycling", points_per_hour=50, fastest_mps=35),
    "e_biking": Sport(family="cycling", points_per_hour=30, fastest_mps=35),
    "swimming": Sport(family="swimming", points_per_hour=55, fastest_mps=4, slowest_moving_mps=0.3),
    "walking": Sport(family="walking", points_per_hour=20, fastest_mps=6, slowest_moving_mps=0.3),
    "hiking": Sport(family="walking", points_per_hour=35, fastest_mps=6, slowest_moving_mps=0.3),
    "rowing": Sport(family="rowing", points_per_hour=60, fastest_mps=10),
    "cross_country_skiing": Sport(family="skiing", points_per_hour=60, fastest_mps=25),
    "training": Sport(family="strength", points_per_hour=30, fastest_mps=15),
    "fitness_equipment": Sport(family="strength", points_per_hour=40, fastest_mps=15),
    "strength_training": Sport(family="strength", points_per_hour=30, fastest_mps=15),
    "yoga": Sport(family="strength", points_per_hour=15, fastest_mps=15),
}


def sport(name: str) -> Sport:
    """Return what is known of a sport (FIT's word); any other is treated with care."""
    return SPORTS.get(name, OTHER)

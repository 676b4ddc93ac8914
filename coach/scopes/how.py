"""Which facts say how the numbers of a table, and of the chart before it, come about."""

from collections.abc import Mapping

from coach.scopes.facts import Fact, Facts

# By the name of the table; those of trends are named after their lines.
BEHIND: Mapping[str, tuple[str, ...]] = {
    "load": ("load_week", "ctl", "atl", "tsb", "tsb_projected"),
    "week": ("timer", "load"),
    "sports": ("timer", "load"),
    "days": ("load_yesterday", "tsb", "ctl", "sleep_last", "hrv_7d", "rhr_delta"),
    "streams": ("power_avg", "heart_rate_avg", "pace", "speed", "cadence", "steps"),
    "laps": ("timer", "distance", "pace", "speed"),
    "zones": ("zones_by",),
    "records": ("newest_best", "newest_best_before", "newest_gain", "newest_best_age"),
    "power": ("newest_best", "cp", "w_prime"),
    "pace": ("newest_best", "vdot"),
    "hrv": ("hrv_7d", "hrv_low", "hrv_high"),
    "sleep": ("asleep_mean", "debt", "need"),
    "resting": ("rhr_7d", "rhr_delta"),
    "weight": ("weight", "slope", "last_raw", "goal"),
}


def behind(facts: Facts, name: str) -> list[Fact]:
    """Return the facts that explain a table, those that the screen has."""
    if name == "trends":
        return [fact for fact in facts.facts if fact.key.endswith(("_slope", "_margin"))]
    keys = BEHIND.get(name) or tuple(f"{name}_{part}" for part in ("slope", "margin", "start", "pulse"))
    return [fact for key in keys if (fact := facts.get(key)) is not None]

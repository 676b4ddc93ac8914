"""What a result is worth over another distance."""

import math

SHORTEST_SECONDS = 60.0
LONGEST_SECONDS = 48 * 3600.0


def oxygen_cost(speed_m_per_min: float) -> float:
    """Return VO₂ in ml/kg/min of running on the flat. Source: Daniels & Gilbert 1979."""
    return -4.6 + 0.182258 * speed_m_per_min + 0.000104 * speed_m_per_min**2


def sustained_fraction(minutes: float) -> float:
    """Return the share of VO₂max that can be held for so long. Source: Daniels & Gilbert 1979."""
    return 0.8 + 0.1894393 * math.exp(-0.012778 * minutes) + 0.2989558 * math.exp(-0.1932605 * minutes)


def vdot(distance_m: float, *, seconds: float) -> float | None:
    """Return the VDOT of a race result; None without distance or time. Source: Daniels & Gilbert 1979."""
    if distance_m <= 0 or seconds <= 0:
        return None
    minutes = seconds / 60
    value = oxygen_cost(distance_m / minutes) / sustained_fraction(minutes)
    return value if value > 0 else None


def predicted_s(value: float, *, distance_m: float) -> float | None:
    """Return the time (s) a runner of this VDOT takes over the distance, found by halving an interval."""
    if value <= 0 or distance_m <= 0:
        return None
    low, high = SHORTEST_SECONDS / 10, LONGEST_SECONDS
    for _ in range(80):
        middle = (low + high) / 2
        worth = vdot(distance_m, seconds=middle)
        low, high = (middle, high) if worth is not None and worth > value else (low, middle)
    return high


def riegel_s(seconds: float, *, distance_m: float, target_m: float) -> float | None:
    """Return T·(D₂/D₁)^1.06. Source: Riegel 1981, American Scientist 69:285."""
    if min(seconds, distance_m, target_m) <= 0:
        return None
    return float(seconds * (target_m / distance_m) ** 1.06)

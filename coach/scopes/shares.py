"""Parts of a whole as percentages that add up."""

from collections.abc import Mapping


def shares_pct(parts: Mapping[str, float]) -> dict[str, float | None]:
    """Return whole percentages that sum to 100 (largest remainder); None for each when there is no whole."""
    whole = sum(parts.values())
    if whole <= 0:
        return dict.fromkeys(parts)
    exact = {key: value / whole * 100 for key, value in parts.items()}
    floors = {key: int(value) for key, value in exact.items()}
    left = 100 - sum(floors.values())
    largest = sorted(exact, key=lambda key: exact[key] - floors[key], reverse=True)
    return {key: float(floors[key] + (key in largest[:left])) for key in exact}


def change_pct(value: float, *, usual: float | None, least: float) -> float | None:
    """Return how much a value differs from the usual in percent; None where the usual is too small to compare."""
    if usual is None or usual < least:
        return None
    return (value - usual) / usual * 100

"""How the second half of a steady session compares with the first."""

import numpy as np

from coach.formats.recording import Array

STEADY_VARIABILITY = 1.05
STEADY_SECONDS = 2400


def decoupling_pct(effort: Array, heart_rate_bpm: Array) -> float | None:
    """Return (r₁−r₂)/r₁·100, r = mean effort (W or graded m/s) over mean heart rate, of the halves by timer.

    Seconds without either value are left out. Positive: the heart worked harder for the same in the second
    half. Source: Friel.
    """
    known = np.isfinite(effort) & np.isfinite(heart_rate_bpm)
    middle = effort.size // 2
    ratios = []
    for half in (slice(None, middle), slice(middle, None)):
        kept = known[half]
        beats = heart_rate_bpm[half][kept]
        if not beats.any():
            return None
        ratios.append(float(effort[half][kept].mean() / beats.mean()))
    return (ratios[0] - ratios[1]) / ratios[0] * 100 if ratios[0] > 0 else None


def is_steady(*, variability: float | None, seconds: float) -> bool:
    """Decoupling is only read from 40 minutes or more at a variability index of up to 1.05."""
    return variability is not None and variability <= STEADY_VARIABILITY and seconds >= STEADY_SECONDS

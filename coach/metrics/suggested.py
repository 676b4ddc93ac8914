"""What thresholds the best efforts of an athlete let expect."""

import math

from coach.metrics.prediction import vdot

FTP_SHARE = 0.95  # of the best 20 minutes (Allen & Coggan)
THRESHOLD_SHARE_OF_VDOT = 0.88  # of VO₂max at threshold pace (Daniels)
HARD_SHARE_OF_MAX = 0.85  # a half hour below this heart rate was no test
MOST_BPM = 225.0


def ftp_w(best_20_min_w: float) -> float:
    """Return 95 % of the best 20 minutes. Source: Allen & Coggan 2010."""
    return FTP_SHARE * best_20_min_w


def threshold_pace_s_per_km(distance_m: float, *, seconds: float) -> float | None:
    """Return the pace at 88 % of the VDOT of a result; None where it has none. Source: Daniels 2005."""
    worth = vdot(distance_m, seconds=seconds)
    if worth is None:
        return None
    # VO₂ = −4.6 + 0.182258·v + 0.000104·v², solved for v in m/min.
    wanted = THRESHOLD_SHARE_OF_VDOT * worth + 4.6
    speed = (-0.182258 + math.sqrt(0.182258**2 + 4 * 0.000104 * wanted)) / (2 * 0.000104)
    return 60_000 / speed


def is_hard(heart_rate_bpm: float, *, max_bpm: float | None) -> bool:
    """Say whether a half hour at this heart rate was a test; without a maximum nothing can be said."""
    return max_bpm is not None and heart_rate_bpm >= HARD_SHARE_OF_MAX * max_bpm

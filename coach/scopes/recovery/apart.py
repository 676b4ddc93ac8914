"""Which signals stand apart from the athlete's own usual: by rule, and never because of a single night."""

from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array
from coach.metrics import recovery
from coach.scopes.recovery.signals import WEEK, Signals

SHORT_DEBT_MIN = 300.0
SHORT_BY_MIN = 60.0
SHORT_NIGHTS = 3
RULE = (
    "Apart are: a week's HRV below your range, a resting heart rate raised by 3 bpm and one SD or more, both also "
    "without their oddest night; and a sleep debt of 5 h or more over 7 nights of which 3 lack an hour or more."
)
USUAL, ONE, AGREE, FEW = "all as usual", "one stands apart", "several agree", "too few to compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """True where a signal stands apart, False where it is as usual, None where it cannot be said."""

    hrv: bool | None
    resting: bool | None
    sleep: bool | None

    @property
    def known(self) -> int:
        return sum(state is not None for state in (self.hrv, self.resting, self.sleep))

    @property
    def count(self) -> int:
        return sum(bool(state) for state in (self.hrv, self.resting, self.sleep))

    @property
    def word(self) -> str:
        if self.count >= 2:
            return AGREE
        if self.count:
            return ONE
        return USUAL if self.known >= 2 else FEW


def apart(signals: Signals) -> Apart:
    hrv, resting = signals.hrv_ms(), signals.resting_bpm()
    return Apart(
        hrv=_hrv(hrv),
        resting=_resting(resting),
        sleep=_sleep(signals.row(signals.asleep, days=WEEK), need_min=signals.need_min),
    )


def _hrv(values_ms: Array) -> bool | None:
    position = recovery.hrv_band(values_ms).position
    if not position:
        return None
    return position == "below" and recovery.hrv_band(_without(values_ms, np.nanargmin)).position == "below"


def _resting(values_bpm: Array) -> bool | None:
    found = recovery.resting(values_bpm)
    if found.delta_bpm is None:
        return None
    return found.is_flagged and recovery.resting(_without(values_bpm, np.nanargmax)).is_flagged


def _sleep(asleep_min: Array, *, need_min: float) -> bool | None:
    known = asleep_min[np.isfinite(asleep_min)]
    if known.size < recovery.LEAST_WEEK:
        return None
    debt = recovery.sleep_debt_min(asleep_min, need_min=need_min) or 0.0
    short = int(np.sum(need_min - known >= SHORT_BY_MIN))
    return debt >= SHORT_DEBT_MIN and short >= SHORT_NIGHTS


def _without(values: Array, oddest: "np.ufunc | object") -> Array:
    """Return the values with the oddest of the last week taken out."""
    left = values.copy()
    left[-WEEK + int(oddest(values[-WEEK:]))] = np.nan  # type: ignore[operator]
    return left

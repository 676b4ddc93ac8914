"""Load over days: fitness, fatigue, form, ramp, monotony, and the ratio of a week to the weeks before."""

import math
from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array

CTL_DAYS = 42.0
ATL_DAYS = 7.0


def smoothing(tau_days: float) -> float:
    """Return k = 1 - e^(-1/τ); the other convention in use is 1/τ. Source: Banister 1975 and later."""
    return 1 - math.exp(-1 / tau_days)


def exponential(loads: Array, *, tau_days: float, start: float = 0.0) -> Array:
    """Return xₙ = xₙ₋₁ + (load − xₙ₋₁)·k at the end of each day; a day without a value is a rest day."""
    k = smoothing(tau_days)
    values = []
    level = start
    for load in np.nan_to_num(loads).tolist():
        level += (load - level) * k
        values.append(level)
    return np.array(values, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitness:
    """One entry a calendar day; `ctl` and `atl` at the end of the day, `tsb` on its morning."""

    ctl: Array
    atl: Array
    tsb: Array


def fitness(loads: Array) -> Fitness:
    """Return CTL (42 d), ATL (7 d) and TSB, yesterday's CTL − ATL, from daily loads with rest days as 0.

    Source: Banister; Coggan's performance management chart; TSB on the next day as TrainingPeaks has it.
    """
    ctl = exponential(loads, tau_days=CTL_DAYS)
    atl = exponential(loads, tau_days=ATL_DAYS)
    return Fitness(ctl=ctl, atl=atl, tsb=np.concatenate(([0.0], (ctl - atl)[:-1]))[: loads.size])


def ramp(ctl: Array) -> float | None:
    """Return CTL of the last day less CTL seven days before (0 before the first day), in points a week."""
    if ctl.size == 0:
        return None
    return float(ctl[-1] - (ctl[-8] if ctl.size >= 8 else 0.0))


def monotony(loads: Array) -> float | None:
    """Return mean / sample standard deviation of seven daily loads; None when they are all equal.

    Source: Foster 1998, Med Sci Sports Exerc 30:1164.
    """
    if loads.size != 7:
        return None
    spread = float(np.std(loads, ddof=1))
    return float(np.mean(loads)) / spread if spread > 1e-9 else None


def strain(loads: Array) -> float | None:
    """Return the week's load × monotony. Source: Foster 1998."""
    even = monotony(loads)
    return None if even is None else float(np.sum(loads)) * even


def load_ratio(loads: Array) -> float | None:
    """Return the mean of the last 7 days over that of the 21 before; None without 28 days or a base.

    Uncoupled, so that a week is not compared with itself. A change of load, never a risk (Gabbett 2016;
    against it Lolli 2017, Impellizzeri 2020).
    """
    if loads.size < 28:
        return None
    base = float(np.mean(loads[-28:-7]))
    return float(np.mean(loads[-7:])) / base if base > 0 else None


def coupled_load_ratio(loads: Array) -> float | None:
    """Return the classic ratio: mean of the last 7 days over the mean of the last 28, the 7 included."""
    if loads.size < 28:
        return None
    base = float(np.mean(loads[-28:]))
    return float(np.mean(loads[-7:])) / base if base > 0 else None

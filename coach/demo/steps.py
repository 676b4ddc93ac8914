"""How sessions are built: steps of so many seconds at a level."""

from collections.abc import Callable
from typing import NamedTuple


class Step(NamedTuple):
    """So many seconds at a level (1 = threshold power or speed); `lap`: the button is pressed before it."""

    seconds: int
    level: float
    lap: bool = False


Steps = tuple[Step, ...]
Plan = Callable[[float], Steps]  # from the minutes there are


def steady(level: float) -> Plan:
    """Ten minutes of warming up, then one level."""
    return lambda minutes: (Step(600, level - 0.08), Step(round(minutes * 60) - 600, level))


def rising(*levels: float) -> Plan:
    """Equal parts, one a level."""
    return lambda minutes: tuple(Step(round(minutes * 60 / len(levels)), level) for level in levels)


def race(level: float) -> Plan:
    """Start a little fast, settle, and find something for the end."""
    return lambda minutes: (
        Step(240, level + 0.06),
        Step(round(minutes * 60) - 540, level),
        Step(300, level + 0.05),
    )


def intervals(times: int, seconds: int, level: float, *, rest_s: int, rest: float, ease: float) -> Plan:
    """Warm up, repeat, and go on easily until the minutes are over; each effort and rest is a lap."""

    def steps(minutes: float) -> Steps:
        work = (Step(seconds, level, lap=True), Step(rest_s, rest, lap=True)) * times
        left = round(minutes * 60) - times * (seconds + rest_s)
        warm_s = max(round(left * 0.6), 480)
        return Step(warm_s, ease), *work, Step(max(left - warm_s, 300), ease - 0.03, lap=True)

    return steps

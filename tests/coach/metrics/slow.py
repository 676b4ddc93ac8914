"""The same numbers once more, slowly: plain loops written from the definitions, sharing nothing with the product."""

import itertools
import math
from collections.abc import Sequence

Values = Sequence[float]


def grid(
    time_s: Values, streams: dict[str, Values], *, pauses: Sequence[tuple[float, float]] = (), hold_s: float = 10
) -> dict[str, list[float]]:
    """Return one value a second of timer time: held over gaps up to `hold_s`; pauses and longer gaps left out.

    For samples at whole seconds.
    """
    made: dict[str, list[float]] = {"time_s": []} | {name: [] for name in streams}
    for second in range(int(time_s[0]), int(time_s[-1]) + 1) if len(time_s) else ():
        if any(start <= second < start + length for start, length in pauses):
            continue
        if not reaches(time_s, second, hold_s=hold_s):
            continue
        made["time_s"].append(float(second))
        for name, values in streams.items():
            known = [at for at, value in zip(time_s, values, strict=True) if not math.isnan(value)]
            place = last_at(known, second)
            made[name].append(
                values[last_at(time_s, known[place])] if reaches(known, second, hold_s=hold_s) else math.nan
            )
    return made


def last_at(times: Values, second: float) -> int:
    """Return the place of the newest of these times up to a second; -1 where there is none."""
    place = -1
    for number, at in enumerate(times):
        if at > second:
            break
        place = number
    return place


def reaches(times: Values, second: float, *, hold_s: float) -> bool:
    """Say whether a value of one of these times holds at a second: its own second, or until the next one near it."""
    place = last_at(times, second)
    if place < 0:
        return False
    if second == times[place]:
        return True
    return place + 1 < len(times) and times[place + 1] - times[place] <= hold_s


def known(values: Values) -> list[float]:
    return [value for value in values if not math.isnan(value)]


def normalized_power_w(power_w: Values) -> float | None:
    """Full windows of 30 s only, zeros in; nothing below ten minutes."""
    watts = known(power_w)
    if len(watts) < 600:
        return None
    fourth = [(sum(watts[end - 30 : end]) / 30) ** 4 for end in range(30, len(watts) + 1)]
    return float((sum(fourth) / len(fourth)) ** 0.25)


def best_power_w(power_w: Values, seconds: int) -> float | None:
    watts = known(power_w)
    sums = []
    running = 0.0
    for place, value in enumerate(watts):
        running += value
        if place >= seconds:
            running -= watts[place - seconds]
        if place >= seconds - 1:
            sums.append(running)
    return max(sums) / seconds if sums else None


def best_time_s(time_s: Values, distance_m: Values, wanted_m: float) -> float | None:
    """Elapsed time, pauses included, over the distance: from each moment somebody left, and up to each they arrived."""
    way = [(at, far) for at, far in zip(time_s, distance_m, strict=True) if not math.isnan(far)]
    furthest = -math.inf
    grown = []
    for at, far in way:
        furthest = max(furthest, far)
        grown.append((at, furthest))
    found = []
    for at, far in grown:
        end = first_reached(grown, far + wanted_m)
        if end is not None:
            found.append(end - at)
        start = last_left(grown, far - wanted_m)
        if start is not None:
            found.append(at - start)
    return min(found) if found else None


def first_reached(way: Sequence[tuple[float, float]], far_m: float) -> float | None:
    for (at, here), (then, there) in itertools.pairwise(way):
        if here < far_m <= there:
            return at + (far_m - here) / (there - here) * (then - at)
    return None


def last_left(way: Sequence[tuple[float, float]], far_m: float) -> float | None:
    for (at, here), (then, there) in reversed(list(itertools.pairwise(way))):
        if here <= far_m < there:
            return at + (far_m - here) / (there - here) * (then - at)
    return None


def decoupling_pct(effort: Values, heart_rate_bpm: Values) -> float | None:
    """(r₁−r₂)/r₁ of the halves by timer; a second counts when both were measured."""
    ratios = []
    middle = len(effort) // 2
    for span in (range(middle), range(middle, len(effort))):
        both = [place for place in span if not math.isnan(effort[place]) and not math.isnan(heart_rate_bpm[place])]
        if not both:
            return None
        ratios.append(sum(effort[place] for place in both) / sum(heart_rate_bpm[place] for place in both))
    return (ratios[0] - ratios[1]) / ratios[0] * 100 if ratios[0] > 0 else None


def zone_seconds(values: Values, bounds: Values) -> list[int]:
    """A value on a bound is of the zone above it."""
    counts = [0] * (len(bounds) + 1)
    for value in known(values):
        counts[sum(value >= bound for bound in bounds)] += 1
    return counts


def trimp(heart_rate_bpm: Values, *, rest_bpm: float, max_bpm: float, factor: float, exponent: float) -> float:
    total = 0.0
    for bpm in known(heart_rate_bpm):
        share = min(max((bpm - rest_bpm) / (max_bpm - rest_bpm), 0.0), 1.0)
        total += share * factor * math.exp(exponent * share) / 60
    return total


def level(loads: Values, *, tau_days: float) -> list[float]:
    """Every calendar day counts; k = 1 − e^(−1/τ), written out as weights of all days before."""
    keep = math.exp(-1 / tau_days)
    return [
        sum((1 - keep) * keep ** (day - then) * loads[then] for then in range(day + 1)) for day in range(len(loads))
    ]


def moving_s(time_s: Values, speed_mps: Values, *, pauses: Sequence[tuple[float, float]], slowest_mps: float) -> float:
    total = 0.0
    for place in range(1, len(time_s)):
        gap = time_s[place] - time_s[place - 1]
        off = any(start <= time_s[place - 1] < start + length for start, length in pauses)
        if not off and gap <= 30 and speed_mps[place] > slowest_mps:
            total += gap
    return total

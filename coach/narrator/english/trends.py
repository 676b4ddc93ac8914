"""English for trends: a change with its interval, or noise that is called noise; no cause, because a line has none."""

from collections.abc import Sequence
from zlib import crc32

from coach.narrator.plan import Phrases

FAMILIES = {
    "running": "running",
    "cycling": "riding",
    "swimming": "swimming",
    "walking": "walking",
    "rowing": "rowing",
    "skiing": "skiing",
    "strength": "strength work",
    "other": "other training",
}


def line(key: str, what: str) -> Phrases:
    """Return the phrases for one line, clear either way or within its noise."""
    slope, margin, n = f"{{{{{key}_slope}}}}", f"{{{{{key}_margin}}}}", f"{{{{{key}_n}}}}"
    start, end = f"{{{{{key}_start}}}}", f"{{{{{key}_end}}}}"
    name = what[0].upper() + what[1:]
    clear = {
        going: (
            f"{name} {verb}: {slope} in a month, give or take {margin}, on {n} points.",
            f"From {start} to {end}: {what} {verb} beyond what chance would do ({slope} a month, {n} points).",
            f"The line of {what} {verb} beyond its interval; a month makes {slope}, with {margin} to each side.",
            f"{slope} in a month for {what} stands clear of the interval of {margin}; the line ends at {end}.",
        )
        for going, verb in (("up", "rises"), ("down", "falls"))
    }
    noise = (
        f"{name} is within its noise: {slope} in a month against an interval of {margin} to each side.",
        f"With {n} points nothing can be said of {what}: {slope} a month, give or take {margin}.",
        f"As for {what}, level would fit as well: {slope} in a month inside an interval of {margin}.",
        f"Read nothing into {what} yet: the interval of {margin} covers {slope}.",
    )
    found = {**{f"trends.{key}.{going}": said for going, said in clear.items()}, f"trends.{key}.noise": noise}
    return {slot: in_step(slot, said) for slot, said in found.items()}


def in_step(slot: str, said: Sequence[str]) -> Sequence[str]:
    """Turn the phrases so that all lines of a text say it alike, and the next text otherwise; see `plan.phrase`."""
    return tuple(said[(place - crc32(slot.encode())) % len(said)] for place in range(len(said)))


def every() -> Phrases:
    found = {**line("fitness", "fitness"), **line("running_pace", "pace at your usual heart rate")}
    found |= line("running_vdot", "the worth of your race-like runs")
    for family, word in FAMILIES.items():
        found |= line(f"{family}_efficiency", f"effort per heartbeat in {word}")
        found |= line(f"{family}_volume", f"weekly time of {word}")
    return found


PHRASES: Phrases = {
    "trends.headline.some": (
        "{{clear_count}} of {{line_count}} lines move beyond their noise",
        "Clear movement in {{clear_count}} of {{line_count}} lines",
        "Over {{window}}: {{clear_count}} of {{line_count}} lines are clear",
        "Signal in {{clear_count}} lines, out of {{line_count}}",
    ),
    "trends.headline.none": (
        "Nothing moves beyond its noise over {{window}}",
        "{{line_count}} lines, and none of them is clear",
        "All {{line_count}} lines stay within their intervals",
        "No line stands out up to {{until}}",
    ),
    "trends.range": (
        "The range is {{window}} and ends with your data, on {{until}}.",
        "These lines look back {{window}} from {{until}}.",
        "Seen over {{window}} up to {{until}}, the last day that has a session.",
        "What follows covers {{window}}, and {{until}} is its last day.",
    ),
    "trends.sum.some": (
        "A line counts as clear where its interval leaves a level line out: {{clear_count}} of {{line_count}}.",
        "Of {{line_count}} lines {{clear_count}} leave a level line outside of their interval; the rest is noise.",
        "Signal and noise part at the interval: {{clear_count}} of {{line_count}} lines lie beyond it.",
        "Whatever lies inside its interval is called noise here; {{clear_count}} of {{line_count}} do not.",
    ),
    "trends.sum.none": (
        "Each of the {{line_count}} intervals allows for standing still, so no line tells anything.",
        "For all {{line_count}} lines chance alone would do as an explanation.",
        "None of the {{line_count}} lines leaves its interval, which is what steady weeks look like, too.",
        "What the {{line_count}} lines show could be noise, every one of them.",
    ),
    "trends.advice": (
        "Repeat a known session under like conditions, so that the next point can be compared",
        "Look at a longer range than {{window}} before you act on a line",
        "Keep device and course the same for a session a week; points that are alike scatter little",
        "Judge a line by its interval, and leave it alone where that is wide",
    ),
    **every(),
}

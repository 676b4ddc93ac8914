"""English for trends: a change with its interval, or noise that is called noise; no cause, because a line has none."""

from collections.abc import Mapping

from coach.narrator.plan import Phrases, in_step

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


MOVES = {"up": "rises", "down": "falls"}
PACE_MOVES = {"up": "gets slower", "down": "gets faster"}  # more time for a kilometre is slower


def line(key: str, what: str, *, moves: Mapping[str, str] = MOVES) -> Phrases:
    """Return the phrases for one line, clear either way or within its noise."""
    slope, margin, n = f"{{{{{key}_slope}}}}", f"{{{{{key}_margin}}}}", f"{{{{{key}_n}}}}"
    start, end = f"{{{{{key}_start}}}}", f"{{{{{key}_end}}}}"
    name = what[0].upper() + what[1:]
    clear = {
        going: (
            f"{name} {verb}: {slope} in a month, give or take {margin}, on {n} points.",
            f"From {start} to {end}: {what} {verb} beyond what chance would do ({slope} a month, {n} points).",
            f"{name} {verb} beyond its interval; a month makes {slope}, with {margin} to each side.",
            f"{slope} in a month for {what} stands clear of the interval of {margin}; the line ends at {end}.",
        )
        for going, verb in moves.items()
    }
    noise = (
        f"{name} is within its noise: {slope} in a month against an interval of {margin} to each side.",
        f"With {n} points nothing can be said of {what}: {slope} a month, give or take {margin}.",
        f"As for {what}, level would fit as well: {slope} in a month inside an interval of {margin}.",
        f"Read nothing into {what} yet: the interval of {margin} covers {slope}.",
    )
    found = {**{f"trends.{key}.{going}": said for going, said in clear.items()}, f"trends.{key}.noise": noise}
    return {slot: in_step(slot, said) for slot, said in found.items()}


def every() -> Phrases:
    found = dict(line("fitness", "fitness"))
    found |= line("running_pace", "pace at your usual heart rate", moves=PACE_MOVES)
    found |= line("running_vdot", "the VDOT of your efforts")
    for family, word in FAMILIES.items():
        found |= line(f"{family}_efficiency", f"effort per heartbeat in {word}")
        found |= line(f"{family}_volume", f"weekly time of {word}")
    return found


PHRASES: Phrases = {
    "trends.headline.some": (
        "Beyond their noise: {{clear_count}} of {{line_count}} lines",
        "Clear movement in {{clear_count}} of {{line_count}} lines",
        "Over {{window}}: a clear direction in {{clear_count}} of {{line_count}}",
        "Lines with a signal: {{clear_count}}, out of {{line_count}}",
    ),
    "trends.headline.none": (
        "Nothing moves beyond its noise over {{window}}",
        "Lines that are clear: none of {{line_count}}",
        "Every line stays within its interval, {{line_count}} in all",
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
        "The interval decides what is noise, and outside of it there is movement in {{clear_count}} of {{line_count}}.",
        "Signal and noise part at the interval; beyond it: {{clear_count}} of {{line_count}} lines.",
        "Whatever lies inside its interval is called noise here, which leaves {{clear_count}} of {{line_count}}.",
    ),
    "trends.sum.none": (
        "Every interval allows for standing still ({{line_count}} in all), so no line tells anything.",
        "Chance alone would do as an explanation; lines drawn: {{line_count}}.",
        "No line leaves its interval, of {{line_count}} drawn; steady weeks look like that, too.",
        "What the lines show could be noise, each of the {{line_count}}.",
    ),
    "trends.advice": (
        "Repeat a known session under like conditions, so that the next point can be compared",
        "Look at a longer range than {{window}} before you act on a line",
        "Keep device and course the same for a session a week; points that are alike scatter little",
        "Judge a line by its interval, and leave it alone where that is wide",
    ),
    **every(),
}

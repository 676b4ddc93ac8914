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
            f"{name} {verb}: {slope} in a month, give or take {margin}, and stands at {end} now ({n} points).",
            f"From {start} to {end}: {what} {verb} beyond what chance would do ({slope} a month, {n} points).",
            f"{name} {verb}, {start} then and {end} now; a month makes {slope}, give or take {margin}.",
            f"{slope} in a month for {what} stands clear of the interval of {margin}; the line ends at {end}.",
        )
        for going, verb in moves.items()
    }
    head = (
        f"The clearest line is {what}: {start} then, {end} now",
        f"{name} is the line to look at: {slope} a month",
        f"Look at {what} first: from {start} to {end}",
        f"What stands out is {what}, at {end} after {start}",
    )
    noise = (
        f"{name} is within its noise: {slope} in a month against an interval of {margin} to each side.",
        f"Of {what} nothing can be said, as {slope} a month lies within its {margin} of noise ({n} points).",
        f"As for {what}, level would fit as well: {slope} in a month inside an interval of {margin}.",
        f"Read nothing into {what} yet: the interval of {margin} covers {slope}.",
    )
    found = {f"trends.{key}.{going}": said for going, said in clear.items()}
    found |= {f"trends.{key}.headline": head, f"trends.{key}.noise": noise}
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
    "trends.headline.none": (
        "Nothing moves beyond its noise over {{window}}",
        "No clear direction in any of {{line_count}} lines",
        "All of it is within noise up to {{until}}",
        "Nothing here asks for a change: {{line_count}} lines, all within noise",
    ),
    "trends.range": (
        "The range is {{window}} and ends with your data, on {{until}}.",
        "These lines look back {{window}} from {{until}}.",
        "Seen over {{window}} up to {{until}}, the last day that has a session.",
        "What follows covers {{window}}, and {{until}} is its last day.",
    ),
    "trends.sum.some": (
        "Chance would hardly do for {{clear_count}} of {{line_count}} lines; leave the others alone.",
        "Of {{line_count}} lines {{clear_count}} leave their noise, and only those are worth a thought.",
        "A level line would not fit {{clear_count}} of {{line_count}}; it would fit the rest.",
        "What to look at is {{clear_count}} of {{line_count}} lines, as the rest may be chance.",
    ),
    "trends.sum.none": (
        "Standing still would fit all {{line_count}} lines as well, so there is nothing to act on.",
        "Chance alone would do as an explanation for each of the {{line_count}} lines.",
        "Of {{line_count}} lines none leaves its noise; steady weeks look like that, too.",
        "What the {{line_count}} lines show is too small to be told from noise.",
    ),
    "trends.advice.none": (
        "Look at a longer range than {{window}} before you change anything",
        "Leave the plan as it is; nothing here speaks against it",
        "Repeat a known session under like conditions, so that the next point can be compared",
        "Go by how training feels for now, and look again when some weeks have been added",
    ),
    "trends.advice.up": (
        "Let an easy week come before you add again",
        "Hold this level until it feels ordinary",
        "Check that sleep and mood keep pace before you add anything",
        "Go on in small steps, and keep the easy days easy",
    ),
    "trends.advice.down": (
        "If you meant to do less, let it be; if not, bring back a session a week",
        "Decide whether less is what you want for now; if not, return with easy sessions",
        "Look through your weeks for what has gone, and put back the part you would like to keep",
        "Return in small steps if this was not planned, an easy session to begin with",
    ),
    "trends.advice.effort": (
        "Repeat a known session on a rested day before you make anything of it",
        "Keep device and course the same for a session a week, to see whether it holds",
        "Compare like with like: the same loop, the same shoes or bike, a day as warm",
        "Ask the legs as well: how a known loop feels counts beside the line",
    ),
    **every(),
}

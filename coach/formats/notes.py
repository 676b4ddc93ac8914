"""The sentences that tell the athlete what was salvaged, changed or doubted."""

CHECKSUM = "The file's checksum is wrong; everything in it could be read all the same."
NO_SUMMARY = "The file has no summary, so the totals come from its samples."
SWAPPED = "The device had written timer and elapsed time the wrong way round; they were swapped."
LONGER = "The device's elapsed time was shorter than its own recording; the samples decided."
CLOCK_UNSET = "The device knew no date of its own; the start is its local time at the end of the session."
POINTS_DECIDED = "The laps claim more than the points cover, so the totals come from the points."
REPEATED_TRACK = "A second track of the same hours was left out."
LONG_PAUSE_S = 12 * 3600


def broken(samples: int) -> str:
    kept = "one sample before the break was" if samples == 1 else f"{samples} samples before the break were"
    return f"The file breaks off before its end; the {kept} kept."


def clock_set(jumped_s: float) -> str:
    way = "forward" if jumped_s > 0 else "back"
    return f"The device's clock was set {way} by {spoken(abs(jumped_s))} while it recorded; that was evened out."


def long_pause(pause_s: float) -> str:
    return f"The timer stood still for {spoken(pause_s)}. Check that the date is right."


def undated(samples: int) -> str:
    left = "One sample had no time and was" if samples == 1 else f"{samples} samples had no time and were"
    return f"{left} left out."


def spoken(seconds: float) -> str:
    """Return a duration as one says it, in its largest unit: 20 days, 3 hours, 5 minutes, 40 seconds."""
    for size, word in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {word}s"
    return f"{seconds:.0f} seconds"

"""What was salvaged, left out or assumed about a session."""

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("The file's checksum is wrong; everything in it could be read all the same."),
    _("The file has no summary, so the totals come from its samples."),
    _("The device had written timer and elapsed time the wrong way round; they were swapped."),
    _("The device's elapsed time was shorter than its own recording; the samples decided."),
    _("The device knew no date of its own; the start is its local time at the end of the session."),
    _("The laps claim more than the points cover, so the totals come from the points."),
    _("A second track of the same hours was left out."),
    _("The file breaks off before its end; the %(what)s kept."),
    _("The device's clock was set %(what)s by %(span)s while it recorded; that was evened out."),
    _("The timer stood still for %(span)s. Check that the date is right."),
    _("One sample had no time and was left out."),
    _("%(n)s samples had no time and were left out."),
    _("The distance is impossible for the time it took, so it is left out."),
    _(
        "The %(what)s of this session is far above your threshold, so its load is not taken from it: check "
        "the threshold in your settings."
    ),
    _("Power cannot be scored yet: set your functional threshold power in your settings."),
    _("Pace cannot be scored yet: set your threshold pace in your settings."),
    _("Heart rate cannot be scored yet: set your maximum or threshold heart rate in your settings."),
    _("Heart rate is missing for part of this session; the rest is taken to be like what was measured."),
    _(
        "Nothing that was measured could be scored against a threshold of yours, so the load is estimated at "
        "%(n)s points an hour."
    ),
    _("The load came out implausibly high and was cut to %(n)s points."),
    _("%(n)s implausible value of %(what)s left out."),
    _("%(n)s implausible values of %(what)s left out."),
    _("This recording has few points, so values are held for up to %(n)s s between them."),
    _(
        "Only the average heart rate of this session is known, so its load is taken from that; hard intervals "
        "in it count for too little."
    ),
    _("The power of this session is the average that its provider had weighted; there are no samples to check."),
    _("The %(what)s heart rate is estimated; set it in your settings for exact zones and load."),
    _("The %(what)s of that day is an estimate, and so are the load and the zones that rest on it."),
    _("The %(what)s of that day are estimates, and so are the load and the zones that rest on them."),
    _("Everything it says is in the others too."),
    _("It gives %(what)s."),
)
WORDS = (
    _("one sample before the break was"),
    _("%(n)s samples before the break were"),
    _("forward"),
    _("back"),
    _("threshold power"),
    _("threshold pace"),
    _("maximum heart rate"),
    _("threshold heart rate"),
    _("resting heart rate"),
    _("maximum"),
    _("resting"),
    _("threshold"),
    _("heart rate"),
    _("power"),
    _("pace"),
    _("speed"),
    _("altitude"),
    _("cadence"),
    _("temperature"),
    _("time"),
    _("position"),
    _("distance"),
    _("ascent"),
    _("energy"),
    _("name"),
    _("device"),
    _("laps"),
    _("pauses"),
    _("sport"),
    _("time zone"),
    _("kind of sport"),
    _("heart beats"),
    _("moving"),
    _("pool length"),
    _("grade"),
    _("balance"),
)

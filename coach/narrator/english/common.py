"""English for what every screen has: when to act, and what to do where there is not enough data."""

from coach.narrator.plan import Phrases

PHRASES: Phrases = {
    "when.now": ("now",),
    "when.today": ("today",),
    "when.tonight": ("tonight",),
    "when.tomorrow": ("tomorrow",),
    "when.this_week": ("this week",),
    "when.next_week": ("next week",),
    "when.next_session": ("next session",),
    "empty": (
        "There is not enough here to say anything yet",
        "This page waits for your training",
        "An empty page so far",
        "Your training has still to arrive here",
    ),
    "empty.week": (
        "This week is empty so far",
        "Nothing to sum up in this week yet",
        "A blank week on this page",
        "The days of this week hold no session",
    ),
    "empty.load": (
        "Fitness and form need training to look at",
        "Load begins with your uploads",
        "This screen has nothing to add up at the moment",
        "Too little here for fitness and form",
    ),
    "empty.records": (
        "The list of this sport is still empty",
        "Nothing in this sport to measure yourself against yet",
        "It begins with a recording that has distance or power",
        "This list waits for distance or power",
    ),
    "empty.trends": (
        "Too few points for a line",
        "A line needs more points than there are here",
        "No trend can be drawn in this range",
        "This range is too thin for a trend",
    ),
    "empty.upload": (
        "Upload FIT, GPX or TCX files, or a zip of them, on the import page",
        "Open the import page and drop your device's files on it",
        "Bring in an archive from your device or your old service; a zip of FIT, GPX and TCX files will do",
        "Take the original files from your watch or bike computer and hand them in on the import page",
    ),
}

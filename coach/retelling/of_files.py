"""What became of a file that was handed in."""

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("It holds %(n)s activities."),
    _("The same session as “%(name)s”, so both are one activity."),
    _("It stands aside until you answer a question about it."),
    _("The file is no longer on this server, so it cannot be read. Hand it in again."),
    _("Coach could not read this file because of a fault of its own. The file is kept; ask again after an update."),
    _("The same file is already there."),
    _("The same recording is already there."),
    _("The same recording is already there, from %(day)s."),
    _("What was there already has been undone in the meantime, so the file is read after all."),
    _("Its row in activities.csv is read in its place."),
    _("It was deleted before it was read."),
    _("The file is larger than %(n)s MB, too much for one file."),
    _("The file is larger than %(n)s MB, too much for one recording."),
    _("It is larger than %(n)s MB, the most that %(what)s may be here, so it was not taken in."),
    _(
        "Reading it took longer than %(n)s seconds, so it was given up. If it is a whole recording, export it "
        "again in another format and upload that."
    ),
    _("The recording has more than %(n)s samples. Split it and upload the parts."),
    _("The recording runs for more than %(n)s days. Split it and upload the parts."),
    _("The file is empty. Export the recording again and upload the new file."),
    _("It is no plain file."),
    _("It changed while it was being read."),
    _("%(counts)s."),
    _("%(counts)s, each listed here."),
    _("%(counts)s, listed here."),
    _("1 value %(why)s was left out."),
    _("%(n)s values %(why)s were left out."),
    _("The export holds nothing that Coach keeps: no nights, weights, heart rates or workouts."),
    _("The same export is already there."),
)
WORDS = (
    _("Reading your Apple Health export: %(n)s %"),
    _("one file"),
    _("one recording"),
    _("outside of what a body can have"),
    _("of a day that cannot be"),
)

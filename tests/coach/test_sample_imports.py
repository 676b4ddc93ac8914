"""The real recordings, handed in as an athlete does: every activity against what is known of it."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports, places
from coach.models import ImportFile, Provenance
from jobs import testing
from tests import factories
from tests.coach.formats import expected
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples

pytestmark = [*samples, pytest.mark.django_db(transaction=True)]


# Three points 14 km apart within seconds: nobody moves like that, so the activity claims no distance.
UNBELIEVABLE = {"actparser__multi_segment.gpx"}

# The same sessions as in other files, which lead.
JOINED = {
    "sportslib__3939576645.gpx",
    "sportslib__6791039036.tcx",
    "sportslib__2067489619.gpx",
    "sportslib__6860622783.tcx",
    "goldencheetah__10kUNLP2014-Garmin15.tcx",
    "fitparse__activity-filecrc.fit",
    "fitparse__activity-settings.fit",
    "fitparse__Activity.fit",
}

# Made up by one author, who has every file begin at the same moment: who knows which of them is the session?
ASIDE = {"actparser__laps_only.tcx"}


def same_distance(activity, session, slack):
    if not session.distance_m or activity.provenance.leading_first()[0].file.name in UNBELIEVABLE:
        return True
    return activity.distance_m == pytest.approx(session.distance_m, rel=slack)


def test_every_recording_becomes_the_activity_it_was(settings, tmp_path):
    settings.DATA = tmp_path
    owner = factories.athlete()
    rows = expected.EXPECTED
    uploads = [SimpleUploadedFile(Path(row.path).name, (ROOT / row.path).read_bytes()) for row in rows]
    run = imports.receive(factories.source(owner), uploads, by=owner.user)
    testing.run_due()
    files = {file.name: file for file in run.files.all()}
    wrong, joined, aside = [], set(), set()
    for row in rows:
        file = files[Path(row.path).name]
        if not row.importable:
            if file.measures.exists():
                continue  # no recording, but a scale's
            if file.outcome != ImportFile.Outcome.REFUSED or not file.sentence.endswith("."):
                wrong.append(f"{row.file}: {file.outcome} {file.sentence}")
            continue
        made = Provenance.objects.filter(sha256=file.sha256).order_by("session").select_related("activity")
        if len(made) != len(row.sessions):
            wrong.append(f"{row.file}: {len(made)} activities of {len(row.sessions)}: {file.sentence}")
            continue
        slack_s, slack = expected.SLACK.get(row.file, (1, 0.005))
        for session, provenance in zip(row.sessions, made, strict=True):
            activity = provenance.activity
            if activity is None:
                aside.add(row.file)
                continue
            if activity.provenance.leading_first()[0] != provenance:
                joined.add(row.file)
                continue
            local = places.local(activity.started_at, activity.time_zone)
            if abs(activity.timer_s - session.timer_s) > slack_s:
                wrong.append(f"{row.file}: timer {activity.timer_s} s, not {session.timer_s} s")
            if not same_distance(activity, session, slack):
                wrong.append(f"{row.file}: distance {activity.distance_m} m, not {session.distance_m} m")
            if session.local and f"{local:%H:%M}" != session.local:
                wrong.append(f"{row.file}: starts {local:%H:%M}, not {session.local}")
    assert not wrong, "\n".join(wrong)
    assert (joined, aside) == (JOINED, ASIDE)
    assert imports.ticket_of(run).status == "partial"

"""The real recordings, handed in as an athlete does: every activity against what is known of it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports, places
from coach.models import ImportFile, Provenance
from jobs import testing
from tests import factories
from tests.coach.formats import expected, measures
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples

pytestmark = [*samples, pytest.mark.django_db(transaction=True)]


# Three points 14 km apart within seconds: nobody moves like that, so the activity claims no distance.
UNBELIEVABLE = {"actparser__multi_segment.gpx"}

# The same sessions as in other files, and the file that leads.
JOINED = {
    "sportslib__3939576645.gpx": "sportslib__3939576645.fit",
    "sportslib__6791039036.tcx": "sportslib__3939576645.fit",
    "sportslib__2067489619.gpx": "sportslib__2067489619.fit",
    "sportslib__6860622783.tcx": "sportslib__6860622783.fit",
    "goldencheetah__10kUNLP2014-Garmin15.tcx": "goldencheetah__10kUNLP2014-Garmin15.fit",
    # Four copies of one run, three of them damaged or with something behind it; equal ones are led by their hash.
    "fitparse__activity-filecrc.fit": "fitparse__activity-unexpected-eof.fit",
    "fitparse__activity-settings.fit": "fitparse__activity-unexpected-eof.fit",
    "fitparse__Activity.fit": "fitparse__activity-unexpected-eof.fit",
}

# Made up by one author, who has every file begin at the same moment: who knows which of them is the session?
ASIDE = {"actparser__laps_only.tcx"}

# Averages of activities that are not those asserted of the recording, and why. An activity has the mean over its
# seconds with the timer on, so a sample weighs as long as it lasts.
CUT = "The device cuts the fraction of the mean off."
AVERAGES: Mapping[tuple[str, str], tuple[float, str]] = {
    ("fitparse__Edge810-Vector-2013-08-16-15-35-10.fit", "power_w"): (275.49, "The device rounds the mean up."),
    ("fitparse__compressed-speed-distance.fit", "heart_rate_bpm"): (170.63, CUT),
    ("fitparse__developer-types-sample.fit", "power_w"): (218.73, CUT),
    ("fitparse__sample-activity-indoor-trainer.fit", "power_w"): (197.73, "41 s without a value count as 0 W."),
    ("goldencheetah__14582164182.fit.gz", "heart_rate_bpm"): (
        130.06,
        "The device counts 451 of 2760 samples, which have no heart rate, as 0 bpm.",
    ),
    ("goldencheetah__14582164182.fit.gz", "power_w"): (142.95, CUT),
    ("goldencheetah__20130717_143733.fit", "power_w"): (144.36, "Four samples of 21,733 W are left out."),
    ("goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit", "heart_rate_bpm"): (127.78, CUT),
    ("goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit", "power_w"): (
        170.94,
        "The mean of all samples; the device's 174 W is the mean above 2.5 m/s, so without halts.",
    ),
    ("runalyze__FR70-intervals.fit", "heart_rate_bpm"): (129.60, CUT),
    ("runalyze__HRV-example.fit", "heart_rate_bpm"): (
        69.26,
        "44 points in 60 s, each lasting until the next; by straight lines between them it is the device's 69.7 bpm.",
    ),
    ("runalyze__Zwift-bad-training-effect.fit", "heart_rate_bpm"): (144.90, CUT),
    ("sportslib__2067489619.fit", "heart_rate_bpm"): (
        133.87,
        "The mean of the samples is 134 bpm, as the GPX of the same run asserts; the device says 130 bpm.",
    ),
    ("sportslib__27-days-activity.fit", "heart_rate_bpm"): (131.01, CUT),
    ("sportslib__6688025408.fit", "heart_rate_bpm"): (
        118.41,
        "The mean of all 3964 samples; the device's 126 bpm is the mean of the lengths swum, without the rests.",
    ),
    ("sportslib__6916663933.fit", "power_w"): (
        329.85,
        "6 s without a value count as 0 W, unlike the device.",
    ),
    ("sportslib__7386755164.fit", "power_w"): (134.26, "The device rounds the mean up."),
    ("runalyze__garmin-ns3-extension.gpx", "heart_rate_bpm"): (
        96.35,
        "Asserted is the plain mean of 16 points.",
    ),
    ("runalyze__hr-not-always-there.gpx", "heart_rate_bpm"): (136.32, "Asserted as 137 bpm, give or take one."),
    ("runalyze__Indoor-Training.tcx", "heart_rate_bpm"): (
        123.33,
        "The plain mean of 257 points in two hours is 122.8 bpm, and the device cuts its fraction off.",
    ),
}


def is_another(file, session, activity):
    """Say how a recording that was joined differs from the session further than one session by two devices may."""
    lasts = (activity.timer_s, activity.elapsed_s)  # who records no pauses has no other timer
    if all(abs(session.timer_s - seconds) > max(60, 0.02 * seconds) for seconds in lasts):
        yield f"{file}: timer {session.timer_s} s of a session of {lasts} s"
    if session.distance_m and activity.distance_m != pytest.approx(session.distance_m, rel=0.03):
        yield f"{file}: distance {session.distance_m} m of a session of {activity.distance_m} m"


def averages(file, session, activity):
    """Say which averages of an activity are not those that are asserted of its leading recording."""
    heart = session.heart_rate_bpm and session.heart_rate_bpm[0]
    for stream, asserted, found in (
        ("heart_rate_bpm", heart, activity.heart_rate_avg_bpm),
        ("power_w", session.power_w, activity.power_avg_w),
    ):
        true = (AVERAGES.get((file, stream)) or measures.AVERAGES_DEVIATE.get((file, stream)) or (asserted,))[0]
        if asserted and found != pytest.approx(true, abs=0.5):
            yield f"{file}: {stream} {found}, not {true}"


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
    wrong, joined, aside = [], {}, set()
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
            leading = activity.provenance.leading_first()[0]
            if leading != provenance:
                joined[row.file] = leading.file.name
                wrong += is_another(row.file, session, activity)
                continue
            wrong += averages(row.file, session, activity)
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

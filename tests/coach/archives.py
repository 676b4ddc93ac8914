"""Archives for tests: exports of accounts and zips of recordings, packed here."""

import gzip
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports
from jobs import testing
from tests import factories
from tests.traps import strava_csv as csv
from tests.traps import zip_bytes

POINT = (
    '<trkpt lat="{lat:.5f}" lon="13.4"><ele>40</ele><time>2026-{month:02}-{day:02}T{hour:02}:{at:02}:00Z</time></trkpt>'
)
USER = "0f1e_1/DI_CONNECT"


def gpx(number: int = 0, points: int = 10) -> bytes:
    """Return a track of a point a minute, due north; each number is a day and hour of its own."""
    when = {"month": 1 + number // 280 % 12, "day": 1 + number // 10 % 28, "hour": 8 + number % 10}
    track = "".join(POINT.format(lat=52.5 + at * 0.001, at=at, **when) for at in range(points))
    return f'<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{track}</trkseg></trk></gpx>'.encode()


def hand_in(owner: Any, *files: tuple[str, bytes], read: bool = True) -> Any:
    uploads = [SimpleUploadedFile(name, data) for name, data in files]
    run = imports.receive(factories.source(owner), uploads, by=owner.user)
    if read:
        testing.run_due()
    return run


def outcomes(run: Any) -> dict[str, str]:
    return {file.name: file.outcome for file in run.files.all()}


def strava(*rows: Mapping[str, object], **files: bytes) -> bytes:
    """Pack an export; a file is named by its number: _1_gpx lies in activities/1.gpx."""
    members = {f"activities/{name[1:].replace('_', '.')}": data for name, data in files.items()}
    return zip_bytes.packed({**members, "activities.csv": csv.table(*rows), "profile.csv": b"a,b\n1,2\n"})


def summary(number: int, **values: object) -> dict[str, object]:
    began = datetime(2026, 1, 1 + number, 8, tzinfo=UTC)
    return {
        "activityId": number,
        "name": f"Summary {number}",
        "activityType": "running",
        "startTimeGmt": began.timestamp() * 1000,
        "duration": 600_000,
        "elapsedDuration": 600_000,
        "distance": 200_000,
        "avgSpeed": 200_000 / 600_000,
        **values,
    }


def garmin(*summaries: Mapping[str, object], uploaded: Mapping[str, bytes] | None = None, **more: bytes) -> bytes:
    """Pack an account's export; `uploaded` are the files of the watch, `more` are wellness files by their ending."""
    members = {f"{USER}/DI-Connect-Wellness/2026_{name}.json": data for name, data in more.items()}
    if summaries:
        table = json.dumps([{"summarizedActivitiesExport": list(summaries)}]).encode()
        members[f"{USER}/DI-Connect-Fitness/a_0_summarizedActivities.json"] = table
    if uploaded:
        members[f"{USER}/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip"] = zip_bytes.packed(uploaded)
    return zip_bytes.packed({**members, "0f1e_1/IT_AVIATION/readme.json": b"{}"})


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)

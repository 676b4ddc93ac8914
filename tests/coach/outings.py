"""Files of made-up sessions: the same one from several devices, nearly the same, and others."""

from datetime import UTC, datetime, timedelta

from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports
from coach.models import Activity, Doubt, ImportFile, ImportRun, Provenance
from jobs import testing
from jobs.models import Job
from tests import factories

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
POINT = '<trkpt lat="{lat:.7f}" lon="13.4"><ele>40</ele><time>{at:%Y-%m-%dT%H:%M:%SZ}</time>{more}</trkpt>'
HEART = "<extensions><TrackPointExtension><hr>{bpm}</hr></TrackPointExtension></extensions>"


def gpx(at=NOON, *, seconds=1200, mps=3.0, name="", sport="running", bpm=0, every=10, lat=52.5) -> bytes:
    """Return a track due north."""
    more = HEART.format(bpm=bpm) if bpm else ""
    track = "".join(
        POINT.format(lat=lat + passed * mps / 111_195, at=at + timedelta(seconds=passed), more=more)
        for passed in range(0, seconds + 1, every)
    )
    head = '<gpx xmlns="http://www.topografix.com/GPX/1/1" creator="Test"><trk>'
    return f"{head}<name>{name}</name><type>{sport}</type><trkseg>{track}</trkseg></trk></gpx>".encode()


def tcx(at=NOON, *, seconds=1200, mps=3.0, sport="Running", every=10, distance=True) -> bytes:
    """Return an activity of one lap, without positions."""
    reach = "<DistanceMeters>{:.1f}</DistanceMeters>" if distance else ""
    points = "".join(
        f"<Trackpoint><Time>{at + timedelta(seconds=passed):%Y-%m-%dT%H:%M:%SZ}</Time>{reach.format(passed * mps)}"
        f"<Cadence>{80 + passed % 7}</Cadence></Trackpoint>"
        for passed in range(0, seconds + 1, every)
    )
    return (
        '<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>'
        f'<Activity Sport="{sport}"><Id>{at:%Y-%m-%dT%H:%M:%SZ}</Id><Lap StartTime="{at:%Y-%m-%dT%H:%M:%SZ}">'
        f"<TotalTimeSeconds>{seconds}</TotalTimeSeconds>{reach.format(seconds * mps)}<Track>{points}</Track></Lap>"
        "</Activity></Activities></TrainingCenterDatabase>"
    ).encode()


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def hand_in(owner, *files: tuple[str, bytes], source: str = "Files", read: bool = True) -> ImportRun:
    uploads = [SimpleUploadedFile(name, data) for name, data in files]
    run = imports.receive(factories.source(owner, source), uploads, by=owner.user)
    if read:
        work()
    return run


def work() -> None:
    """Do what waits in the lines of sources, and not the texts that it leads to."""
    lined = Job.objects.filter(lane__startswith="source:", status__in=("waiting", "ready"))
    while lined.exists() and testing.run_due(most=1):
        pass


def facts(owner) -> list[dict]:
    """Return every column of the athlete's activities but their keys."""
    rows = Activity.objects.filter(athlete=owner).order_by("started_at", "sport", "timer_s", "distance_m", "name")
    left_out = {"id", "athlete_id", "source_id"}
    return [
        {name: value for name, value in row.items() if name not in left_out}
        for row in rows.values(*[field.attname for field in Activity._meta.concrete_fields], "source__name")
    ]


def sessions(owner) -> set[frozenset[str]]:
    """Return the names of the files that each activity is made of."""
    found: dict[int, set[str]] = {}
    for row in Provenance.objects.filter(athlete=owner, activity__isnull=False).select_related("file"):
        found.setdefault(row.activity_id, set()).add(row.file.name)
    return {frozenset(names) for names in found.values()}


def snapshot(owner) -> dict:
    """Return everything that an athlete has of recordings, without keys."""
    doubts = Doubt.objects.open().filter(athlete=owner).select_related("provenance", "candidate")
    rows = Provenance.objects.filter(athlete=owner).select_related("file", "streams")
    return {
        "facts": facts(owner),
        "sessions": sessions(owner),
        "doubts": {
            (doubt.kind, doubt.provenance.key, doubt.sentence, doubt.candidate and doubt.candidate.started_at)
            for doubt in doubts
        },
        "files": list(
            ImportFile.objects.filter(run__source__athlete=owner)
            .order_by("pk")
            .values_list("name", "outcome", "sentence", "run__source__name")
        ),
        "recordings": {
            (row.key, row.file.name, row.started_at, bytes(row.streams.packed), str(row.header)) for row in rows
        },
    }

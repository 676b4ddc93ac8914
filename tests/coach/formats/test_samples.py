"""The real recordings of the samples folder, file by file, against what is known of them."""

import csv
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from coach import formats, places, streams
from coach.formats import Recording, Unreadable
from coach.formats.recording import Array
from tests.coach.formats import expected
from tests.coach.formats.expected import EXPECTED, Expected, Session
from tests.coach.formats.test_contract import check

ROOT = Path(os.environ.get("COACH_SAMPLES") or Path(__file__).parents[3].parent / "shared" / "samples")
pytestmark = [
    pytest.mark.samples,
    pytest.mark.skipif(
        not (ROOT / "fit").is_dir(),
        reason=f"No real recordings in {ROOT}: set COACH_SAMPLES to the folder that holds fit, gpx and tcx.",
    ),
]
BYTES_A_SAMPLE = 10


@cache
def read(path: str) -> tuple[Recording, ...]:
    return formats.read((ROOT / path).read_bytes(), name=Path(path).name)


def known(*, importable: bool) -> list[object]:
    return [pytest.param(row, id=row.file) for row in EXPECTED if row.importable is importable]


@pytest.mark.parametrize("row", known(importable=True))
def test_a_recording_is_read_as_it_was(row: Expected) -> None:
    found = read(row.path)
    assert [recording.sport for recording in found] == [session.sport for session in row.sessions]
    for recording, session in zip(found, row.sessions, strict=True):
        check(recording)
        totals(recording, session, file=row.file)
        averages(recording, session, file=row.file)
        assert recording.virtual is (row.file in expected.VIRTUAL)
    said = " ".join(note for recording in found for note in recording.notes)
    assert expected.SAYS.get(row.file, "") in said


@pytest.mark.parametrize("row", known(importable=False))
def test_a_file_that_is_no_recording_is_refused_with_a_reason(row: Expected) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(row.path)
    assert expected.SAYS[row.file] in str(refusal.value)


def test_every_file_of_the_folder_is_in_the_table() -> None:
    present = {path.relative_to(ROOT).as_posix() for kind in ("fit", "gpx", "tcx") for path in (ROOT / kind).iterdir()}
    assert present == {row.path for row in EXPECTED}


def test_every_remark_is_on_a_file_of_the_table() -> None:
    remarks = {*expected.SAYS, *expected.NOTES, *expected.PAUSES, *expected.SLACK, *expected.CADENCE, *expected.WITHOUT}
    assert remarks <= {row.file for row in EXPECTED}


def test_packed_streams_come_back_and_are_small() -> None:
    packed_bytes = samples = 0
    for row in EXPECTED:
        for recording in read(row.path) if row.importable else ():
            packed = streams.pack(recording.streams)
            back = streams.unpack(packed)
            assert all((back[name].view("u8") == values.view("u8")).all() for name, values in recording.streams.items())
            packed_bytes += len(packed)
            samples += len(recording.streams.get("time_s", ()))
    assert packed_bytes / samples < BYTES_A_SAMPLE


def test_compressed_records_agree_with_the_table_beside_them() -> None:
    (recording,) = read("fit/fitparse__compressed-speed-distance.fit")
    rows = table("csv/fitparse__compressed-speed-distance-records.csv")
    measured = ~np.isnan(recording.streams["heart_rate_bpm"])  # the first record has nothing but its time
    for column, stream in (("Distance [m]", "distance_m"), ("Heart Rate [bpm]", "heart_rate_bpm")):
        same(recording.streams[stream][measured], rows, column)
    assert np.diff(recording.streams["time_s"][measured]).tolist() == np.diff(numbers(rows, "Timestamp")).tolist()


def test_records_of_a_watch_agree_with_the_table_beside_them() -> None:
    (recording,) = read("fit/fitparse__garmin-fenix-5-run.fit")
    rows = table("csv/fitparse__garmin-fenix-5-run-records.csv")
    for column, stream in (("distance", "distance_m"), ("altitude", "altitude_m"), ("heart_rate", "heart_rate_bpm")):
        same(recording.streams[stream], rows, column)
    degrees = numbers(rows, "position_lat") * 180 / 2**31
    assert recording.streams["latitude_deg"].tolist() == degrees.tolist()


def totals(recording: Recording, session: Session, *, file: str) -> None:
    slack_s, slack = expected.SLACK.get(file, (1, 0.005))
    assert recording.timer_s == pytest.approx(session.timer_s, abs=slack_s)
    if session.elapsed_s is not None:
        # Where a device rounds its timer above its elapsed time, the timer decides.
        true_s = max(session.elapsed_s, session.timer_s) if slack_s == 1 else session.elapsed_s
        assert recording.elapsed_s == pytest.approx(true_s, abs=slack_s)
    if session.distance_m is not None:
        assert recording.distance_m == pytest.approx(session.distance_m, rel=slack)
    if session.samples is not None:
        assert len(recording.streams.get("time_s", ())) == session.samples
    if session.local:
        zone = places.zone_of(recording, home="Europe/Berlin")
        assert f"{places.local(recording.started_at, zone):%H:%M}" == session.local
    if file in expected.PAUSES:
        found = [(pause.start_s, pause.duration_s) for pause in recording.pauses]
        assert found == [pytest.approx(pause, abs=1.5) for pause in expected.PAUSES[file]]


def averages(recording: Recording, session: Session, *, file: str) -> None:
    if session.heart_rate_bpm is not None:
        average, highest = session.heart_rate_bpm
        assert told(recording, "avg_heart_rate_bpm", "heart_rate_bpm") == pytest.approx(average, abs=2)
        assert recording.device_summary.get("max_heart_rate_bpm", peak(recording)) == pytest.approx(highest, abs=1)
    if session.power_w is not None:
        assert told(recording, "avg_power_w", "power_w") == pytest.approx(session.power_w, abs=5)
    if file in expected.CADENCE:
        assert told(recording, "avg_cadence_rpm", "cadence_rpm") == pytest.approx(expected.CADENCE[file], abs=2)
    assert expected.WITHOUT.get(file) not in recording.streams


def told(recording: Recording, summary: str, stream: str) -> float:
    """Return the device's average, else that of the samples."""
    value = recording.device_summary.get(summary)
    return float(np.nanmean(recording.streams[stream])) if value is None else value


def peak(recording: Recording) -> float:
    return float(np.nanmax(recording.streams["heart_rate_bpm"]))


def table(file: str) -> list[dict[str, str]]:
    with (ROOT / file).open(newline="", encoding="utf-8") as lines:
        return [{key.strip(): value for key, value in row.items()} for row in csv.DictReader(lines)]


def numbers(rows: list[dict[str, str]], column: str) -> Array:
    return np.array([float("nan") if row[column] in ("null", "") else float(row[column]) for row in rows])


def same(values: Array, rows: list[dict[str, str]], column: str) -> None:
    np.testing.assert_allclose(values, numbers(rows, column), atol=1e-6, equal_nan=True)

"""The TCX files that the demo writes, as an XML parser reads them."""

import numpy as np
import pytest
from lxml import etree

from coach.demo import tcx
from coach.formats.recording import Recording
from tests.coach.demo.short_ride import short_ride, without

NAMES = {
    "t": "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2",
    "x": "http://www.garmin.com/xmlschemas/ActivityExtension/v2",
}


def root(recording: Recording) -> etree._Element:
    return etree.fromstring(tcx.encode(recording))


def column(recording: Recording, path: str) -> list[float]:
    """Return the path's number in each point, NaN where it has none."""
    points = root(recording).iterfind(".//t:Trackpoint", NAMES)
    return [float(point.findtext(path, "nan", NAMES)) for point in points]


def texts(recording: Recording, path: str) -> list[str]:
    return [str(found.text) for found in root(recording).iterfind(path, NAMES)]


@pytest.mark.parametrize(
    ("path", "stream"),
    [
        ("t:AltitudeMeters", "altitude_m"),
        ("t:DistanceMeters", "distance_m"),
        ("t:HeartRateBpm/t:Value", "heart_rate_bpm"),
        ("t:Cadence", "cadence_rpm"),
        (".//x:Speed", "speed_mps"),
        (".//x:Watts", "power_w"),
        ("t:Position/t:LatitudeDegrees", "latitude_deg"),
        ("t:Position/t:LongitudeDegrees", "longitude_deg"),
    ],
)
def test_points_hold_the_samples(path: str, stream: str) -> None:
    np.testing.assert_allclose(column(short_ride(), path), short_ride().streams[stream], atol=0.051)


def test_each_sample_is_written_once() -> None:
    assert len(texts(short_ride(), ".//t:Time")) == 8


def test_laps_hold_timer_time_and_distance() -> None:
    assert texts(short_ride(), ".//t:TotalTimeSeconds") == ["15.0", "15.0"]
    assert texts(short_ride(), ".//t:Lap/t:DistanceMeters") == ["105.00", "105.25"]


def test_a_pause_begins_a_new_track_inside_its_lap() -> None:
    tracks = [[len(track) for track in lap.iterfind("t:Track", NAMES)] for lap in root(short_ride()).iter("{*}Lap")]
    assert tracks == [[3, 2], [3]]


def test_a_lap_has_its_elements_in_the_order_of_the_schema() -> None:
    lap = root(short_ride()).find(".//t:Lap", NAMES)
    assert lap is not None
    assert [etree.QName(child).localname for child in lap] == [
        "TotalTimeSeconds",
        "DistanceMeters",
        "Calories",
        "AverageHeartRateBpm",
        "MaximumHeartRateBpm",
        "Intensity",
        "TriggerMethod",
        "Track",
        "Track",
        "Extensions",
    ]


def test_a_treadmill_run_has_its_cadence_in_the_extension_and_no_position() -> None:
    streams = without(short_ride(), "latitude_deg", "longitude_deg", "altitude_m", "power_w")
    run = short_ride(sport="running", sub_sport="treadmill", streams=streams)
    np.testing.assert_allclose(column(run, ".//x:RunCadence"), run.streams["cadence_rpm"])
    assert texts(run, ".//t:Position") == []
    assert np.isnan(column(run, "t:Cadence")).all()


def test_the_activity_names_its_sport_and_device() -> None:
    activity = root(short_ride()).find(".//t:Activity", NAMES)
    assert activity is not None
    assert activity.get("Sport") == "Biking"
    assert activity.findtext("t:Creator/t:Name", None, NAMES) == "Demo head unit"
    assert activity.findtext("t:Notes", None, NAMES) == "Hills & <dales>"

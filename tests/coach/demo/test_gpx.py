"""The GPX files that the demo writes, as an XML parser reads them."""

import numpy as np
import pytest
from lxml import etree

from coach.demo import gpx
from coach.formats.recording import Recording
from tests.coach.demo.short_ride import short_ride, without

NAMES = {
    "g": "http://www.topografix.com/GPX/1/1",
    "t": "http://www.garmin.com/xmlschemas/TrackPointExtension/v2",
    "p": "http://www.garmin.com/xmlschemas/PowerExtension/v1",
}


def root(recording: Recording) -> etree._Element:
    return etree.fromstring(gpx.encode(recording))


def column(recording: Recording, path: str) -> list[float]:
    """Return the path's number in each point, NaN where it has none."""
    points = root(recording).iterfind(".//g:trkpt", NAMES)
    return [float(point.findtext(path, "nan", NAMES)) for point in points]


@pytest.mark.parametrize(
    ("path", "stream"),
    [
        ("g:ele", "altitude_m"),
        (".//t:hr", "heart_rate_bpm"),
        (".//t:cad", "cadence_rpm"),
        (".//t:speed", "speed_mps"),
        (".//p:PowerInWatts", "power_w"),
    ],
)
def test_points_hold_the_samples(path: str, stream: str) -> None:
    np.testing.assert_allclose(column(short_ride(), path), short_ride().streams[stream], atol=0.051)


def test_points_hold_the_positions() -> None:
    points = root(short_ride()).findall(".//g:trkpt", NAMES)
    streams = short_ride().streams
    np.testing.assert_allclose([float(p.get("lat", "")) for p in points], streams["latitude_deg"], atol=1e-6)
    np.testing.assert_allclose([float(p.get("lon", "")) for p in points], streams["longitude_deg"], atol=1e-6)


def test_points_hold_the_times_in_utc() -> None:
    times = root(short_ride()).xpath("//g:trkpt/g:time/text()", namespaces=NAMES)
    assert times[:4] == [f"2026-03-29T07:30:{second}Z" for second in ("05", "10", "15", "45")]


def test_a_pause_begins_a_new_segment() -> None:
    segments = root(short_ride()).findall(".//g:trkseg", NAMES)
    assert [len(segment) for segment in segments] == [3, 5]


def test_the_track_has_a_name_and_a_type() -> None:
    track = root(short_ride()).find("g:trk", NAMES)
    assert track is not None
    assert [track.findtext(f"g:{tag}", None, NAMES) for tag in ("name", "type")] == [
        "Hills & <dales>",
        "cycling",
    ]


def test_a_run_has_no_power() -> None:
    run = short_ride(sport="running", streams=without(short_ride(), "power_w"))
    assert np.isnan(column(run, ".//p:PowerInWatts")).all()


def test_a_point_has_its_elements_in_the_order_of_the_schema() -> None:
    point = root(short_ride()).find(".//g:trkpt", NAMES)
    assert point is not None
    assert [etree.QName(child).localname for child in point] == ["ele", "time", "extensions"]

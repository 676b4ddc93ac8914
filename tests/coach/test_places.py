"""The zone of a recording, and times on its wall clock."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from coach import places
from coach.formats.recording import Array, Recording

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
HOME = "Europe/Vienna"
BERLIN, TOKYO, SOLOMONS, ATLANTIC = (52.5, 13.4), (35.68, 139.69), (-11.65, 166.95), (30.0, -40.0)


def recorded(fix: tuple[float, float] | None = None, **fields: object) -> Recording:
    streams: dict[str, Array] = {"time_s": np.arange(3.0)}
    if fix is not None:
        streams["latitude_deg"] = np.array([np.nan, fix[0], 0.0])
        streams["longitude_deg"] = np.array([np.nan, fix[1], 0.0])
    values: dict[str, object] = {"streams": streams, "timer_s": 2, "elapsed_s": 2, **fields}
    return Recording(format="fit", sport="running", started_at=NOON, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(("fix", "zone"), [(BERLIN, "Europe/Berlin"), (TOKYO, "Asia/Tokyo")])
def test_outdoors_the_first_fix_decides_whatever_the_device_says(fix: tuple[float, float], zone: str) -> None:
    assert places.zone_of(recorded(fix, utc_offset_min=0), home=HOME) == zone


def test_at_sea_there_is_a_zone_too() -> None:
    zone = places.zone_of(recorded(ATLANTIC), home=HOME)
    assert places.local(NOON, zone).utcoffset() == timedelta(hours=-3)


def test_without_a_fix_the_offset_of_the_device_decides() -> None:
    assert places.zone_of(recorded(utc_offset_min=-150), home=HOME) == "UTC-02:30"


@pytest.mark.parametrize("offset", [-14_000_000, 15 * 60, 7, -841])
def test_an_offset_that_no_zone_has_is_none(offset: int) -> None:
    assert places.zone_of(recorded(utc_offset_min=offset), home=HOME) == HOME


def test_a_receiver_without_a_fix_is_not_in_the_gulf_of_guinea() -> None:
    assert places.zone_of(recorded((0.0, 0.0), utc_offset_min=60), home=HOME) == "UTC+01:00"


def test_with_neither_the_athlete_is_at_home() -> None:
    assert places.zone_of(recorded(), home=HOME) == HOME


def test_a_made_up_world_has_no_zone() -> None:
    assert places.zone_of(recorded(SOLOMONS, virtual=True), home=HOME) == HOME
    assert places.zone_of(recorded(SOLOMONS, virtual=True, utc_offset_min=60), home=HOME) == "UTC+01:00"


@pytest.mark.parametrize(
    ("zone", "clock"),
    [
        ("Europe/Berlin", "14:00"),
        ("UTC+02:00", "14:00"),
        ("UTC-02:30", "09:30"),
        ("UTC+00:00", "12:00"),
        ("Nowhere/Atall", "12:00"),
        ("../../etc/passwd", "12:00"),
        ("UTC+99:00", "12:00"),
        ("", "12:00"),
    ],
)
def test_the_wall_clock_of_a_zone(zone: str, clock: str) -> None:
    assert f"{places.local(NOON, zone):%H:%M}" == clock


def test_summer_time_is_the_zone_s_own() -> None:
    winter = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert places.local(winter, "Europe/Berlin").hour == 13


@pytest.mark.parametrize(
    ("moment", "clock"),
    [
        (datetime(2026, 3, 29, 0, 59, tzinfo=UTC), "2026-03-29 01:59"),
        (datetime(2026, 3, 29, 1, 0, tzinfo=UTC), "2026-03-29 03:00"),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "2026-10-25 02:30"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "2026-10-25 02:30"),
        (datetime(2026, 10, 24, 22, 0, tzinfo=UTC), "2026-10-25 00:00"),
        (datetime(2026, 10, 25, 23, 0, tzinfo=UTC), "2026-10-26 00:00"),
    ],
)
def test_a_day_on_which_the_clocks_change_begins_and_ends_at_its_own_midnight(moment: datetime, clock: str) -> None:
    assert f"{places.local(moment, 'Europe/Berlin'):%Y-%m-%d %H:%M}" == clock


def test_an_offset_of_the_device_knows_no_summer_time() -> None:
    zone = places.zone_of(recorded(utc_offset_min=60), home=HOME)
    assert {places.local(datetime(2026, month, 1, 12, tzinfo=UTC), zone).hour for month in (1, 7)} == {13}


def test_the_map_of_zones_is_loaded_with_the_first_fix_and_not_before() -> None:
    code = "import sys, coach.places; sys.exit('timezonefinder' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

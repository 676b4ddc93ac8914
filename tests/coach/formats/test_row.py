"""Rows of tables and summaries: small documents that are read like any file, and trusted as little."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from coach import formats
from coach.formats import Recording, Unreadable, row

BEGAN = datetime(2022, 3, 3, 6, tzinfo=UTC)
FULL = row.Row(
    provider="strava",
    id="9000000101",
    name="Gym",
    sport="training",
    sub_sport="strength_training",
    started_at=BEGAN,
    utc_offset_min=120,
    elapsed_s=3700,
    timer_s=3600,
    moving_s=3500,
    distance_m=1200,
    ascent_m=12,
    energy_kcal=300,
    avg_heart_rate_bpm=121,
    max_heart_rate_bpm=160,
    avg_power_w=150,
    indoor=True,
)


def read(**said: object) -> Recording:
    canon = {"coach": "row", "started_at": "2022-03-03T06:00:00+00:00", "elapsed_s": 60, **said}
    (found,) = formats.read(json.dumps(canon, separators=(",", ":")).encode(), name="x")
    return found


def refusal(**said: object) -> str:
    with pytest.raises(Unreadable) as refused:
        read(**said)
    assert str(refused.value).endswith(".")
    return str(refused.value)


def test_a_row_comes_back_as_it_was_written() -> None:
    (found,) = formats.read(row.document(FULL), name="activities.csv, row 17")
    assert (found.format, found.sport, found.sub_sport, found.name) == ("row", "training", "strength_training", "Gym")
    assert (found.started_at, found.utc_offset_min, found.indoor) == (BEGAN, 120, True)
    assert (found.elapsed_s, found.timer_s, found.moving_s) == (3700, 3600, 3500)
    assert (found.distance_m, found.ascent_m, found.energy_kcal) == (1200, 12, 300)
    assert found.device_summary == {"avg_heart_rate_bpm": 121, "max_heart_rate_bpm": 160, "avg_power_w": 150}
    assert found.streams == {}
    assert found.notes == (row.NOTE,)


def test_equal_rows_are_equal_bytes_in_whatever_zone_and_number_they_were_written() -> None:
    elsewhere = BEGAN.astimezone(timezone(timedelta(hours=9)))
    whole = row.Row(provider="strava", started_at=BEGAN, elapsed_s=60, distance_m=0, utc_offset_min=0)
    other = row.Row(provider="strava", started_at=elsewhere, elapsed_s=60.0, distance_m=0.0, utc_offset_min=0)
    assert row.document(whole) == row.document(other)
    assert b"utc_offset_min" in row.document(whole)


def test_times_never_exceed_each_other() -> None:
    found = read(elapsed_s=1632, timer_s=2760, moving_s=2700)
    assert (found.elapsed_s, found.timer_s, found.moving_s) == (1632, 1632, 1632)
    found = read(elapsed_s=0, moving_s=50)
    assert (found.elapsed_s, found.timer_s, found.moving_s) == (50, 50, 50)


@pytest.mark.parametrize("seconds", [0, -5, 1e12, None])
def test_a_row_that_took_no_time_or_years_is_refused(seconds: float | None) -> None:
    assert refusal(elapsed_s=seconds) == row.TIMELESS


@pytest.mark.parametrize("at", ["", "yesterday", "2022-03-03T06:00:00", "2022-13-03T06:00:00+00:00", None, 7])
def test_a_row_without_a_date_is_refused(at: object) -> None:
    assert refusal(started_at=at) == row.DATELESS


def test_a_date_that_cannot_be_is_kept_to_be_asked_about_and_one_past_all_years_is_none() -> None:
    assert read(started_at="1989-12-31T00:00:00+00:00").started_at.year == 1989
    assert refusal(started_at="9999-12-31T23:59:59-14:00") == row.DATELESS
    assert refusal(started_at="0001-01-01T00:00:00+14:00") == row.DATELESS


@pytest.mark.parametrize("value", ["12", [1], {"a": 1}, True, 10**400, 1e300])
def test_what_is_no_number_is_refused(value: object) -> None:
    assert refusal(distance_m=value) == row.DAMAGED


def test_a_constant_that_is_no_json_is_refused() -> None:
    for word in ("NaN", "Infinity", "-Infinity"):
        data = b'{"coach":"row","started_at":"2022-03-03T06:00:00+00:00","elapsed_s":%s}' % word.encode()
        with pytest.raises(Unreadable, match="damaged"):
            formats.read(data, name="x")


def test_what_no_session_can_have_is_left_out_and_said() -> None:
    found = read(distance_m=42_949_672.95, avg_heart_rate_bpm=400, max_heart_rate_bpm=180, ascent_m=-5)
    assert found.distance_m is None
    assert found.ascent_m is None
    assert found.device_summary == {"max_heart_rate_bpm": 180}
    assert len(found.notes) == 4
    assert "The average heart rate (bpm) of 400 in the row cannot be" in found.notes[3]


def test_words_of_others_are_cleaned() -> None:
    found = read(name="\x00a\nb" + "ü" * 400, device=["x"], sport="DROP TABLE", sub_sport="a" * 50)
    assert found.name.startswith("a b")
    assert len(found.name) == 200
    assert (found.device, found.sport, found.sub_sport) == ("", "generic", "")


@pytest.mark.parametrize(
    "data",
    [
        b'{"coach":"row"',
        b'{"coach":"row"' + b"[" * 60_000,
        b'{"coach":"row","a":' + b"[" * 60_000 + b"}",
        b'{"coach":"row","name":"' + b"x" * 100_000 + b'"}',
        b'{"coach":"row"}\xff\xfe',
    ],
)
def test_damaged_rows_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        formats.read(data, name="x")

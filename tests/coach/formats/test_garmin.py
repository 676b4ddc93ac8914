"""Garmin's JSON: summaries in centimetres and milliseconds, nights, HRV, resting heart rates, weights."""

import io
import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from coach import formats
from coach.formats import Contents, Unreadable, row
from coach.formats.garmin import activities, export
from coach.formats.row import Row

SUMMARY: dict[str, Any] = {
    "activityId": 7,
    "name": "Lunch ride",
    "activityType": "road_biking",
    "startTimeGmt": 1_438_176_231_000.0,
    "startTimeLocal": 1_438_183_431_000.0,
    "duration": 4_689_370.0,
    "elapsedDuration": 4_796_466.0,
    "movingDuration": 4_600_000.0,
    "distance": 3_902_303.0,
    "avgSpeed": 0.8321593,
    "elevationGain": 20_200,
    "avgHr": 149,
    "maxHr": 176,
    "avgPower": 208,
    "normPower": 243,
}


def table(*summaries: object) -> list[Row | str]:
    data = json.dumps([{"summarizedActivitiesExport": summaries}]).encode()
    assert activities.is_table(data)
    return list(activities.Table(io.BytesIO(data)))


def summary(**values: object) -> Row:
    (made,) = table({**SUMMARY, **values})
    assert isinstance(made, Row)
    return made


def contents(*items: object) -> Contents:
    return formats.contents(json.dumps(items).encode(), name="x.json")


def test_a_summary_is_read_in_its_units() -> None:
    made = summary()
    assert (made.sport, made.sub_sport, made.name, made.id) == ("cycling", "road", "Lunch ride", "7")
    assert (made.started_at, made.utc_offset_min) == (datetime(2015, 7, 29, 13, 23, 51, tzinfo=UTC), 120)
    assert (made.elapsed_s, made.timer_s, made.moving_s) == (4796.466, 4689.37, 4600)
    assert (made.distance_m, made.ascent_m) == (39_023.03, 202)
    assert (made.avg_heart_rate_bpm, made.avg_power_w, made.normalized_power_w) == (149, 208, 243)
    formats.read(row.document(made), name="x")


def test_the_speed_tells_a_distance_in_metres_from_one_in_centimetres() -> None:
    assert summary(distance=39_023.03).distance_m == 39_023.03
    assert summary(avgSpeed=None).distance_m == 39_023.03
    assert summary(distance=39_023.03, avgSpeed=None).distance_m == 390.2303


def test_a_local_time_equal_to_gmt_says_no_zone_and_garbage_neither() -> None:
    assert summary(startTimeLocal=SUMMARY["startTimeGmt"]).utc_offset_min is None
    assert summary(startTimeLocal=1.0).utc_offset_min is None
    assert summary(startTimeGmt=None, beginTimestamp=SUMMARY["startTimeGmt"]).utc_offset_min == 120


def test_summaries_of_summaries_and_without_times_are_told() -> None:
    found = table(
        {**SUMMARY, "parent": True},
        {**SUMMARY, "activityType": "multi_sport"},
        {**SUMMARY, "startTimeGmt": None},
        {**SUMMARY, "duration": 0, "elapsedDuration": None},
        {**SUMMARY, "activityType": {"typeKey": "lap_swimming"}},
    )
    assert found[:4] == [activities.LEGS, activities.LEGS, activities.UNDATED, activities.TIMELESS]
    assert isinstance(found[4], Row)
    assert found[4].sub_sport == "lap_swimming"


@pytest.mark.parametrize("value", ["x", [], {}, True, 1e400, -5, 10**40, None])
def test_no_value_of_a_summary_is_trusted(value: object) -> None:
    for key in SUMMARY:
        for made in table({**SUMMARY, key: value}):
            if isinstance(made, Row):
                row.read(row.document(made))


NIGHT = {
    "calendarDate": "2026-08-01",
    "sleepStartTimestampGMT": "2026-07-31T22:55:00.0",
    "sleepEndTimestampGMT": "2026-08-01T07:05:00.0",
    "deepSleepSeconds": 5820,
    "lightSleepSeconds": 15060,
    "remSleepSeconds": 6540,
    "awakeSleepSeconds": 1980,
}


def test_a_night_belongs_to_the_date_that_garmin_names() -> None:
    (night,) = contents({**NIGHT, "calendarDate": "2026-08-02"}).nights
    assert (night.provider, night.wake_date) == ("Garmin", date(2026, 8, 2))
    assert (night.start_at, night.end_at) == (
        datetime(2026, 7, 31, 22, 55, tzinfo=UTC),
        datetime(2026, 8, 1, 7, 5, tzinfo=UTC),
    )
    assert night.stages == {"light": 251, "deep": 97, "rem": 109, "awake": 33}
    assert (night.asleep_min, night.in_bed_min) == (457, 490)


def test_of_two_sleeps_of_a_date_the_longer_is_the_night() -> None:
    nap = {
        **NIGHT,
        "sleepStartTimestampGMT": "2026-08-01T13:00:00.0",
        "sleepEndTimestampGMT": "2026-08-01T14:00:00.0",
        "deepSleepSeconds": 0,
        "lightSleepSeconds": 3000,
        "remSleepSeconds": None,
    }
    for order in ((NIGHT, nap), (nap, NIGHT)):
        (night,) = contents(*order).nights
        assert night.asleep_min == 457


def test_a_night_without_stages_has_only_its_hours() -> None:
    hours = {key: value for key, value in NIGHT.items() if not key.endswith("SleepSeconds")}
    (night,) = contents(hours).nights
    assert (night.asleep_min, night.in_bed_min, night.stages) == (None, 490, {})


@pytest.mark.parametrize(
    "change",
    [
        {"sleepEndTimestampGMT": "2026-07-31T22:55:00.0"},
        {"sleepEndTimestampGMT": "2026-08-05T22:55:00.0"},
        {"sleepStartTimestampGMT": None},
        {"sleepStartTimestampGMT": "soon"},
        {"calendarDate": None},
        {"calendarDate": "2026-02-30"},
        {"lightSleepSeconds": 1e12},
    ],
)
def test_a_night_that_cannot_be_is_left_out(change: dict[str, object]) -> None:
    assert [
        night.wake_date.day for night in contents({**NIGHT, **change}, {**NIGHT, "calendarDate": "2026-08-09"}).nights
    ] == [9]


def test_hrv_is_read_whatever_its_baseline() -> None:
    def day(number: int, **metric: object) -> dict[str, object]:
        return {
            "calendarDate": f"2026-08-0{number}",
            "metrics": [{"type": "HR", "value": 50}, {"type": "HRV", **metric}],
        }

    found = contents(
        day(1, value=59.0, baselineLowerLimit=0, baselineUpperLimit=0),
        day(2, value=61.0, baselineLowerLimit=-1, baselineUpperLimit=1),
        day(3, value=None),
        day(4, value=-1),
        day(5, value=0),
        {"calendarDate": "2026-08-06", "metrics": None},
    )
    assert [(measure.metric, measure.local_date.day, measure.value) for measure in found.measures] == [
        ("hrv_rmssd_ms", 1, 59),
        ("hrv_rmssd_ms", 2, 61),
    ]


def test_resting_heart_rate_comes_from_the_summary_of_the_day() -> None:
    found = contents(
        {"calendarDate": "2026-08-01", "totalSteps": 15171, "restingHeartRate": None, "minHeartRate": 46},
        {"calendarDate": "2026-08-02", "restingHeartRate": 54, "currentDayRestingHeartRate": 56},
        {"calendarDate": "2026-08-03", "currentDayRestingHeartRate": 51},
    )
    rates = {measure.local_date.day: measure.value for measure in found.measures if measure.metric != "steps"}
    assert rates == {2: 54, 3: 51}


def test_weight_is_in_grams() -> None:
    found = contents(
        {
            "metaData": {"calendarDate": "2026-08-02T06:30:00.0", "sequence": 1_785_565_800_000},
            "weight": {"weight": 71_986.3, "bodyFat": 18.5},
        },
        {"metaData": {"calendarDate": "2026-08-03T06:30:00.0"}, "weight": {"weight": 71_000}},
        {"metaData": {"calendarDate": "2026-08-04T06:30:00.0"}, "weight": None},
        {"metaData": None, "weight": {"weight": 70_000}},
    )
    said = [
        (measure.metric, round(measure.value, 4), measure.at.day, measure.local_date.day) for measure in found.measures
    ]
    assert said == [("weight_kg", 71.9863, 1, 2), ("body_fat_pct", 18.5, 1, 2), ("weight_kg", 71, 3, 3)]


def test_a_file_that_breaks_off_gives_what_came_before() -> None:
    data = json.dumps([NIGHT, {**NIGHT, "calendarDate": "2026-08-02"}]).encode()[:-30]
    found = formats.contents(data, name="x.json")
    assert len(found.nights) == 1
    assert "breaks off" in found.notes[0]


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b'[{"calendarDate": "2026-08-01", "metrics": []}]',
        b'[{"calendarDate": "2026-08-01", "totalSteps": 0}]',
        b'[{"userName": "x", "calendarDate": null, "restingHeartRate": "x"}]',
        b'[{"calendarDate": [[[[',
        b'{"calendarDate": "2026-08-01", "totalSteps": 3}',
    ],
)
def test_json_that_says_nothing_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"\.$"):
        formats.contents(data, name="x.json")


def test_the_directory_tells_what_is_read() -> None:
    assert export.holds(["0f1e_1/DI_CONNECT/DI-Connect-User/user.json"])
    assert not export.holds(["rides/di_connect", "a.fit"])
    wellness = "u/DI_CONNECT/DI-Connect-Wellness"
    read = (
        f"{wellness}/2026_123_sleepData.json",
        f"{wellness}/2026_healthStatusData.json",
        f"{wellness}/123_userBioMetrics.json",
        "u/DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026.json",
        "u/DI_CONNECT/DI-Connect-Fitness/a_0_summarizedActivities.json",
        "u/DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip",
        "a_1.fit",
        "a_1.gpx.gz",
    )
    ignored = (
        "u/IT_AVIATION/readme.json",
        f"{wellness}/HydrationLogFile.json",
        "u/a.jpg",
        "u/customer_data/customer.json",
    )
    assert [name for name in read if export.ignored(name)] == []
    assert [name for name in ignored if not export.ignored(name)] == []

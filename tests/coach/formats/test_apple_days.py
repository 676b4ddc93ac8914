"""What Apple Health exports say: values, nights and workouts, in our units and on the right days."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from coach.formats import row
from coach.formats.apple import dates
from tests.coach.formats.health import MORNING, SUMMER, WINTER, batches, read, values
from tests.traps import apple_xml as made

# Quantities


@pytest.mark.parametrize(
    ("kind", "value", "unit", "metric", "kept"),
    [
        ("BodyMass", "70.5", "kg", "weight_kg", 70.5),
        ("BodyMass", "155.43", "lb", "weight_kg", 70.502),
        ("BodyMass", "11.1", "st", "weight_kg", 70.488),
        ("BodyMass", "70500", "g", "weight_kg", 70.5),
        ("BodyFatPercentage", "0.215", "%", "body_fat_pct", 21.5),
        ("OxygenSaturation", "0.97", "%", "oxygen_saturation_pct", 97),
        ("OxygenSaturation", "97", "%", "oxygen_saturation_pct", 97),
        ("HeartRateVariabilitySDNN", "62.5", "ms", "hrv_sdnn_ms", 62.5),
        ("HeartRateVariabilitySDNN", "0.0625", "s", "hrv_sdnn_ms", 62.5),
        ("RestingHeartRate", "52", "count/min", "resting_heart_rate_bpm", 52),
        ("HeartRate", "1.1", "count/s", "heart_rate_bpm", 66),
        ("RespiratoryRate", "14.5", "count/min", "respiration_per_min", 14.5),
        ("VO2Max", "48.2", "mL/min·kg", "vo2max_ml_kg_min", 48.2),
        ("StepCount", "120", "count", "steps", 120),
    ],
)
def test_quantities_come_in_our_units(kind, value, unit, metric, kept):
    batch = read(made.quantity(kind, MORNING, value, unit))
    (measure,) = batch.contents.measures
    assert (measure.metric, measure.value) == (metric, pytest.approx(kept, abs=0.001))
    assert measure.local_date == date(2026, 3, 3)


@pytest.mark.parametrize(
    ("value", "unit"), [("7000", "kg"), ("nan", "kg"), ("", "kg"), ("70", "elephants"), ("-1", "kg")]
)
def test_values_that_cannot_be_are_counted(value, unit):
    batch = read(made.weight(MORNING, value, unit))
    assert (values(batch), batch.implausible) == ([], 1)


@pytest.mark.parametrize("day", ["1904-01-01", "2199-01-01", "2026-13-45", "yesterday"])
def test_impossible_dates_are_counted(day):
    data = made.xml(made.weight(MORNING, 70)).replace(b"2026-03-03", day.encode())
    (batch,) = batches(data)
    assert (values(batch), batch.undated) == ([], 1)


def test_the_steps_of_two_sources_are_never_added_up():
    batch = read(
        *(made.quantity("StepCount", MORNING + timedelta(minutes=10 * part), 100, "count") for part in range(6)),
        *(made.quantity("StepCount", MORNING, 200, "count", source=made.PHONE) for _ in range(2)),
    )
    found = {measure.provider: (measure.value, measure.samples) for measure in batch.contents.measures}
    assert found == {"Apple Watch": (600, 6), "Ana's iPhone": (400, 2)}


def test_heart_rates_make_minutes_and_days_of_each_source():
    late = datetime(2026, 3, 3, 23, 59, 50, tzinfo=WINTER)
    batch = read(made.heart(late, 60), made.heart(late, 70), made.heart(late + timedelta(seconds=20), 90))
    assert [(m.local_date.day, m.value, m.samples) for m in batch.contents.measures] == [(3, 65, 2), (4, 90, 1)]
    assert [(curve.local_date.day, dict(curve.minutes)) for curve in batch.contents.curves] == [
        (3, {1439: (65, 2)}),
        (4, {0: (90, 1)}),
    ]


def test_the_variability_of_an_evening_belongs_to_the_night_that_follows():
    evening = datetime(2026, 3, 3, 23, 10, tzinfo=WINTER)
    batch = read(*(made.quantity("HeartRateVariabilitySDNN", at, 60, "ms") for at in (MORNING, evening)))
    assert [measure.local_date.day for measure in batch.contents.measures] == [3, 4]


def test_a_named_zone_goes_before_the_offset_of_the_phone():
    """The phone writes every date by the clock it has when it exports; the watch was in Tokyo."""
    inside = made.metadata("HKTimeZone", "Asia/Tokyo")
    batch = read(made.weight(datetime(2026, 3, 3, 18, 0, tzinfo=WINTER), 70, inside=inside))
    (measure,) = batch.contents.measures
    assert (measure.local_date, measure.at) == (date(2026, 3, 4), datetime(2026, 3, 3, 17, 0, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-11-28 06:40:00 +0100", "2026-11-28T05:40:00+00:00"),
        ("2026-11-28 00:10:00 -0930", "2026-11-28T09:40:00+00:00"),
        ("2026-03-29 03:00:00 +0545", "2026-03-28T21:15:00+00:00"),
        ("2026-11-28 06:40:00", None),
        ("2026-11-28 25:40:00 +0100", None),
        ("2026-11-28 06:40:00 +9900", None),
        ("2026-02-30 06:40:00 +0100", None),
    ],
)
def test_dates_carry_their_offset(text, at):
    found = dates.moment(text)
    assert (found and found.at.isoformat()) == at


# Sleep


def nights(*records):
    return {(night.provider, f"{night.wake_date}"): night for night in read(*records).contents.nights}


def test_overlapping_stages_count_once_and_time_in_bed_is_not_sleep():
    bed = datetime(2026, 3, 2, 23, 0, tzinfo=WINTER)
    found = nights(
        made.slept(bed, 480, "InBed"),
        made.slept(bed, 240, "AsleepCore"),
        made.slept(bed + timedelta(minutes=200), 80, "AsleepDeep"),  # 40 minutes of it are said twice
        made.slept(bed + timedelta(minutes=280), 20, "Awake"),
        made.slept(bed + timedelta(minutes=300), 150, "AsleepREM"),
        made.slept(bed + timedelta(minutes=300), 150, "AsleepREM"),
    )
    (night,) = found.values()
    assert (night.asleep_min, night.in_bed_min) == (430, 480)
    assert night.stages == {"light": 200, "deep": 80, "rem": 150, "awake": 20}


def test_providers_are_kept_apart():
    bed = datetime(2026, 3, 2, 23, 0, tzinfo=WINTER)
    found = nights(
        made.slept(bed, 450, "AsleepCore"),
        made.slept(bed, 470, "Asleep", source="SleepApp"),
        made.slept(bed, 490, "InBed", source=made.PHONE),
    )
    assert {key: (night.asleep_min, night.in_bed_min) for key, night in found.items()} == {
        ("Apple Watch", "2026-03-03"): (450, None),
        ("SleepApp", "2026-03-03"): (470, None),
        ("Ana's iPhone", "2026-03-03"): (None, 490),
    }


def test_a_nap_is_no_night_and_adds_nothing_to_one():
    bed = datetime(2026, 3, 2, 23, 0, tzinfo=WINTER)
    nap = datetime(2026, 3, 3, 14, 0, tzinfo=WINTER)
    assert [
        night.asleep_min
        for night in nights(made.slept(bed, 420, "AsleepCore"), made.slept(nap, 60, "AsleepCore")).values()
    ] == [420]
    assert nights(made.slept(nap, 60, "AsleepCore")) == {}


def test_a_short_night_is_a_night_and_so_is_the_long_sleep_of_a_day():
    short, shift = datetime(2026, 3, 3, 1, 0, tzinfo=WINTER), datetime(2026, 3, 4, 9, 0, tzinfo=WINTER)
    found = nights(made.slept(short, 120, "AsleepCore"), made.slept(shift, 360, "AsleepCore"))
    assert [night.asleep_min for night in found.values()] == [120, 360]


@pytest.mark.parametrize(
    ("bed", "minutes", "zone", "wake"),
    [
        (datetime(2026, 3, 2, 23, 30, tzinfo=WINTER), 400, "", "2026-03-03"),
        (datetime(2026, 3, 2, 16, 0, tzinfo=WINTER), 420, "", "2026-03-02"),
        (datetime(2026, 3, 2, 16, 0, tzinfo=WINTER), 420, "Asia/Tokyo", "2026-03-03"),
        (datetime(2026, 3, 28, 23, 0, tzinfo=WINTER), 420, "Europe/Berlin", "2026-03-29"),
        (datetime(2026, 10, 24, 23, 0, tzinfo=SUMMER), 420, "Europe/Berlin", "2026-10-25"),
    ],
)
def test_a_night_belongs_to_the_day_somebody_woke_up_there(bed, minutes, zone, wake):
    ((_, day),) = nights(made.slept(bed, minutes, "AsleepCore", zone=zone))
    assert day == wake


# Workouts


def test_a_workout_is_a_row_with_its_totals():
    start = datetime(2026, 9, 3, 18, 0, tzinfo=WINTER)
    batch = read(
        made.workout(
            "Running",
            start,
            49,
            made.metadata("HKTimeZone", "Europe/Berlin"),
            made.metadata("HKIndoorWorkout", "1"),
            made.metadata("HKElevationAscended", "6575 cm"),
            made.statistic("DistanceWalkingRunning", "mi", sum=5.638),
            made.statistic("ActiveEnergyBurned", "Cal", sum=539),
            made.statistic("HeartRate", "count/min", average=151.2, maximum=178),
            f"<WorkoutActivity>{made.statistic('ActiveEnergyBurned', 'Cal', sum=1)}</WorkoutActivity>",
            made.route("a.gpx", "b.gpx"),
            elapsed=52,
        )
    )
    (found,) = batch.workouts
    assert found.routes == ("/workout-routes/a.gpx", "/workout-routes/b.gpx")
    said = json.loads(row.document(found.row))
    assert said == {
        "coach": "row", "provider": "apple", "sport": "running", "sub_sport": "treadmill", "indoor": True,
        "device": "Apple Watch", "started_at": "2026-09-03T17:00:00+00:00", "utc_offset_min": 120,
        "timer_s": 2940, "elapsed_s": 3120, "distance_m": 9073.481, "ascent_m": 65.75, "energy_kcal": 539,
        "avg_heart_rate_bpm": 151.2, "max_heart_rate_bpm": 178,
    }  # fmt: skip


def test_the_workouts_of_older_phones_have_their_totals_in_attributes():
    plain = made.workout("Cycling", MORNING, 60).replace(
        "durationUnit",
        'totalDistance="20" totalDistanceUnit="km" totalEnergyBurned="1255.2" totalEnergyBurnedUnit="kJ" durationUnit',
    )
    (found,) = read(plain).workouts
    assert (found.row.distance_m, found.row.energy_kcal) == (20_000, pytest.approx(300))


@pytest.mark.parametrize(
    ("place", "sub_sport", "length"), [("1", "lap_swimming", 25), ("2", "open_water", None), ("", "", None)]
)
def test_swims_say_where(place, sub_sport, length):
    inside = [made.metadata("HKSwimmingLocationType", place), made.metadata("HKLapLength", "25 m")] if place else []
    (found,) = read(made.workout("Swimming", MORNING, 30, *inside)).workouts
    assert (found.row.sub_sport, found.row.pool_length_m) == (sub_sport, length)

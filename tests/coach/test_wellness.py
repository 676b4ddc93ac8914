"""What files say of days and nights is stored once, within limits, and read back as one value each."""

from datetime import UTC, date, datetime, timedelta

import pytest

from coach import preferred, streams, wellness
from coach.formats.nights import Piece, nights
from coach.formats.wellness import Contents, Curve, Measure, Night
from coach.models import DayCurve, ImportFile, ImportRun
from coach.models import Measure as MeasureRow
from coach.models import Night as NightRow
from tests import factories

pytestmark = pytest.mark.django_db

DAY = date(2026, 5, 1)


@pytest.fixture
def ana():
    return factories.athlete()


def file_of(owner, name="wellness.csv", sha256="a" * 64):
    run = ImportRun.objects.create(source=factories.source(owner))
    return ImportFile.objects.create(run=run, name=name, size=1, sha256=sha256)


def noon(day):
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def weight(value, day=DAY, provider="Scale"):
    return Measure(provider=provider, metric="weight_kg", at=noon(day), local_date=day, value=value)


def measure(metric, value, day=DAY, provider="Watch", samples=1):
    return Measure(provider=provider, metric=metric, at=noon(day), local_date=day, value=value, samples=samples)


def night(day=DAY, provider="Watch", asleep_min=440.0, **more):
    return Night(provider=provider, wake_date=day, asleep_min=asleep_min, **more)


def days(number):
    return [DAY + timedelta(days=back) for back in range(number)]


def test_a_file_says_how_much_of_it_is_stored(ana):
    said = wellness.store(
        file_of(ana),
        Contents(
            nights=tuple(night(day) for day in days(31)),
            measures=(*(weight(70, day) for day in days(12)), measure("hrv_sdnn_ms", 60), measure("steps", 5000)),
        ),
    )
    assert said == "31 nights, 1 HRV value, 1 day of steps and 12 weights."


def test_values_that_no_body_can_have_are_counted_and_not_stored(ana):
    contents = Contents(
        nights=(night(asleep_min=2000), night(DAY + timedelta(days=1))),
        measures=(weight(7000), weight(70, date(2199, 1, 1)), weight(float("nan"), days(3)[2]), weight(71, days(2)[1])),
    )
    assert wellness.store(file_of(ana), contents) == (
        "1 night and 1 weight. 3 values outside of what a body can have were left out."
        " 1 value of a day that cannot be was left out."
    )
    assert [row.value for row in MeasureRow.objects.all()] == [71]
    assert NightRow.objects.count() == 1


def test_a_file_that_is_read_again_stands_once(ana):
    file = file_of(ana)
    wellness.store(file, Contents(measures=(weight(70), weight(71, days(2)[1])), nights=(night(),)))
    wellness.store(file, Contents(measures=(weight(72),), nights=(night(),)))
    assert [row.value for row in MeasureRow.objects.all()] == [72]
    assert NightRow.objects.count() == 1


def test_of_two_files_the_newest_counts_and_deleting_it_brings_back_the_other(ana):
    first, second = file_of(ana), file_of(ana, sha256="b" * 64)
    wellness.store(first, Contents(measures=(weight(70),), nights=(night(asleep_min=400),)))
    wellness.store(second, Contents(measures=(weight(71),), nights=(night(asleep_min=410),)))
    assert [row.value for row in preferred.measures(ana, "weight_kg")] == [71]
    assert [row.asleep_min for row in preferred.nights(ana)] == [410]
    second.delete()
    assert [row.value for row in preferred.measures(ana, "weight_kg")] == [70]
    assert [row.asleep_min for row in preferred.nights(ana)] == [400]


def test_what_was_typed_in_goes_before_any_file(ana):
    wellness.store(file_of(ana), Contents(measures=(weight(70),)))
    MeasureRow.objects.create(
        athlete=ana, provider="Scale", metric="weight_kg", at=noon(DAY), local_date=DAY, value=69.5
    )
    assert [row.value for row in preferred.measures(ana, "weight_kg")] == [69.5]


def test_providers_are_never_mixed_nor_kinds_of_hrv(ana):
    wellness.store(
        file_of(ana),
        Contents(
            measures=(
                *(measure("hrv_sdnn_ms", 50, day, "Apple Watch") for day in days(5)),
                *(measure("hrv_rmssd_ms", 40, day, "Garmin") for day in days(3)),
                *(measure("steps", 5000, day, "Watch") for day in days(4)),
                *(measure("steps", 4000, day, "Phone") for day in days(3)),
            ),
            nights=(
                *(night(day, "iPhone", None, in_bed_min=480) for day in days(9)),
                *(night(day, "App") for day in days(3)),
                *(night(day, "Watch", stages={"deep": 60}) for day in days(3)),
            ),
        ),
    )
    assert {(row.metric, row.provider) for row in preferred.hrv(ana)} == {("hrv_sdnn_ms", "Apple Watch")}
    assert [row.value for row in preferred.measures(ana, "steps")] == [5000] * 4
    assert {row.provider for row in preferred.nights(ana)} == {"Watch"}
    assert not preferred.measures(ana, "vo2max_ml_kg_min")


def test_a_further_part_adds_to_sums_weighs_means_and_overlays_minutes(ana):
    file = file_of(ana)
    curve = {"provider": "Watch", "metric": "heart_rate_bpm", "local_date": DAY}
    wellness.add(
        file,
        Contents(
            measures=(measure("steps", 3000, samples=3), measure("heart_rate_bpm", 60, samples=1)),
            curves=(Curve(**curve, minutes={1: (60.0, 1), 2: (70.0, 1)}),),
        ),
    )
    wellness.add(
        file,
        Contents(
            measures=(measure("steps", 500, samples=1), measure("heart_rate_bpm", 70, samples=3)),
            curves=(Curve(**curve, minutes={2: (76.0, 2), 3: (80.0, 1)}),),
        ),
    )
    values = {row.metric: (row.value, row.samples) for row in MeasureRow.objects.all()}
    assert values == {"steps": (3500, 4), "heart_rate_bpm": (67.5, 4)}
    held = streams.unpack(bytes(DayCurve.objects.get().packed))
    assert held["heart_rate_bpm"][1:4].tolist() == [60, 74, 80]
    assert held["samples"][1:4].tolist() == [1, 3, 1]


def slept(start, minutes):
    return Piece(start_s=start.timestamp(), end_s=start.timestamp() + 60 * minutes, stage="light", zone="UTC")


def test_a_further_part_of_a_night_makes_it_one_night_whatever_came_first(ana):
    file, evening = file_of(ana), datetime(2026, 4, 30, 22, 0, tzinfo=UTC)
    late, early = slept(evening + timedelta(hours=3), 240), slept(evening, 110)
    for piece in (late, early, slept(evening + timedelta(hours=2), 30)):
        wellness.add(file, Contents(nights=tuple(nights("Watch", [piece]))))
    (row,) = NightRow.objects.all()
    assert (row.wake_date, row.start_at, row.asleep_min) == (DAY, evening, 380)
    assert row.pieces == [[0, 6600, "light"], [7200, 1800, "light"], [10_800, 14_400, "light"]]


def test_the_same_bytes_of_another_import_are_known(ana):
    first, second = file_of(ana), file_of(ana)
    assert wellness.known(second) is None
    wellness.store(first, Contents(measures=(weight(70),)))
    assert wellness.known(second) == first
    assert wellness.known(file_of(factories.athlete("ben"))) is None

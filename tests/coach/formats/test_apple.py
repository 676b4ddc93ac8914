"""Apple Health exports: what phones really write, in little memory, and from the middle as from the begin."""

import io
import json
import zipfile
from datetime import UTC, date, datetime, timedelta, timezone
from random import Random

import pytest

from coach.formats import Unreadable, apple, row
from coach.formats.apple import clean, dates, elements
from coach.formats.archive import Refused
from tests.traps import apple_xml as made

WINTER = timezone(timedelta(hours=1))
SUMMER = timezone(timedelta(hours=2))
MORNING = datetime(2026, 3, 3, 6, 40, tzinfo=WINTER)


def batches(data, *, state=None, size=4096, part_bytes=1 << 24):
    chunks = (data[at : at + size] for at in range(0, len(data), size))
    found = apple.steps(chunks, state=state or {}, part_bytes=part_bytes)
    return [step.batch for step in found if step.batch is not None]


def read(*records, **how):
    (batch,) = batches(made.xml(*records, **how))
    return batch


def values(batch, metric="weight_kg"):
    return [measure.value for measure in batch.contents.measures if measure.metric == metric]


# The document


@pytest.mark.parametrize("dtd", [made.DTD, made.BROKEN_DTD, "", made.DTD + "<!-- <Record is no record -->"])
def test_what_stands_before_the_records_may_be_broken(dtd):
    assert values(read(made.weight(MORNING, 70.5), dtd=dtd)) == [70.5]


@pytest.mark.parametrize("control", ["\x0b", "\x00", "\x1f", "\x08"])
def test_control_characters_are_no_end(control):
    batch = read(made.weight(MORNING, 70.5, source=f"Sca{control}le"), made.weight(MORNING, 71))
    assert [(one.provider, one.value) for one in batch.contents.measures] == [("Sca le", 70.5), ("Apple Watch", 71)]


@pytest.mark.parametrize("bad", [b"\xff", b"\xed\xa0\x80", b"\xef\xbf\xbf", b"\xc3", b"\xf0\x9f\x98"])
def test_bytes_that_are_no_text_are_no_end(bad):
    data = made.xml(made.weight(MORNING, 70.5, source="Scale"), made.weight(MORNING, 71)).replace(b"Scale", b"S" + bad)
    (batch,) = batches(data)
    assert values(batch) == [70.5, 71]
    assert batch.notes == ()


def test_cleaning_never_moves_a_byte():
    chance = Random(3)
    data = bytearray(
        made.xml(*[made.weight(MORNING, 70) + made.quantity("BasalEnergyBurned", MORNING, 1, "kcal")] * 40)
    )
    for _ in range(200):
        data[chance.randrange(len(data))] = chance.randrange(256)
    cleaned = clean.cleaned(bytes(data))
    assert len(cleaned) == len(data)
    cleaned.decode()


@pytest.mark.parametrize(
    "damage",
    [
        '<Record type="x" broken',
        ' <Record type="HKQuantityTypeIdentifierBodyMass" value="70" value="71"/>',
        " <Record>&undefined;</Record>",
        " </Record></Wrong>",
        " <Record a='&#11;'/>",
        " & loose text < here",
    ],
)
def test_behind_a_damaged_place_the_reading_goes_on(damage):
    batch = read(made.weight(MORNING, 70), damage + "\n", *[made.weight(MORNING + timedelta(hours=1), 71)] * 2)
    assert values(batch)[0] == 70
    assert values(batch)[-1] == 71
    assert batch.notes == ("1 damaged place was left out.",)


def test_an_export_that_is_cut_off_is_kept_as_far_as_it_goes():
    whole = made.xml(*(made.weight(MORNING + timedelta(days=day), 70 + day) for day in range(9)))
    (batch,) = batches(whole[:-150])
    assert values(batch) == [70 + day for day in range(8)]
    assert batch.notes == (apple.reading.CUT,)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", elements.NO_EXPORT),
        (b"<?xml version='1.0'?><gpx/>", elements.NO_EXPORT),
        (b"<x>" * 500_000, elements.NO_EXPORT),
        (made.xml(dtd='<!DOCTYPE HealthData [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>'), elements.ENTITIES),
    ],
)
def test_what_is_no_export_is_refused(data, sentence):
    with pytest.raises(Unreadable, match=sentence):
        batches(data)


def test_an_export_of_nothing_but_damage_ends():
    (batch,) = batches(made.xml("<Record <" * 3000))
    assert batch.notes[-1] == elements.TOO_DAMAGED


def test_a_single_record_without_an_end_is_given_up(monkeypatch):
    monkeypatch.setattr(elements, "LONGEST_ELEMENT", 100_000)
    endless = "<Record>" + "<a/>" * 50_000
    (batch,) = batches(made.xml(endless, made.weight(MORNING, 70)), size=10_000)
    assert values(batch) == [70]
    assert batch.notes == ("1 damaged place was left out.",)


def test_records_inside_of_a_correlation_count_once():
    inside = made.weight(MORNING, 70)
    assert values(read(f' <Correlation type="x">{inside}</Correlation>\n', inside)) == [70]
    assert values(read(f' <Correlation type="x">{inside}</Correlation>\n')) == []


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


# In parts


def everything():
    """Return records of two weeks, in no good order."""
    records = []
    for day in range(14):
        at = MORNING + timedelta(days=day)
        records += [made.weight(at, 70 + day / 10), made.heart(at, 60 + day), made.heart(at + timedelta(hours=2), 90)]
        records += [made.quantity("StepCount", at, 100 + day, "count", source=source) for source in ("a", "b")]
        records += [made.slept(at - timedelta(hours=8 - part), 60, "AsleepCore") for part in range(7)]
        records.append(made.workout("Running", at + timedelta(hours=10), 30))
    return records


def test_from_any_batch_on_the_rest_is_what_it_would_have_been():
    data = made.xml(*everything())
    parts = batches(data, size=1000, part_bytes=3000)
    assert len(parts) > 10
    for number, part in enumerate(parts[:-1]):
        again = batches(data, state=json.loads(json.dumps(part.state)), size=1000, part_bytes=3000)
        rest = parts[number + 1 :]
        for name in ("measures", "nights", "curves"):
            assert flat(rest, name) == flat(again, name)
        assert [w for b in rest for w in b.workouts] == [w for b in again for w in b.workouts]
    assert sum(len(part.workouts) for part in parts) == 14


def flat(parts, name):
    return sorted(repr(one) for part in parts for one in getattr(part.contents, name))


def test_sleep_is_held_back_until_it_cannot_go_on():
    data = made.xml(*everything())
    for part in batches(data, size=500, part_bytes=1000):
        assert all(night.asleep_min == 420 for night in part.contents.nights)


# The archive


def packed(*members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    file.seek(0)
    return file


DOCUMENT = made.xml(made.weight(MORNING, 70))


@pytest.mark.parametrize(
    "name",
    [
        "apple_health_export/export.xml",
        "Apple_Health_Export/EXPORT.XML",
        "export.xml",
        "apple_health_export/Exportieren.xml",
        "x/apple_health_export/export.xml",
    ],
)
def test_the_xml_is_found_whatever_its_letters(name):
    file = packed(("apple_health_export/export_cda.xml", "<ClinicalDocument/>"), (name, DOCUMENT))
    with apple.opened(file) as export:
        assert export is not None
        assert b"".join(export.chunks()) == DOCUMENT


@pytest.mark.parametrize(
    "file",
    [
        packed(("ride.gpx", "<gpx/>")),
        packed(("export.xml", "<gpx/>")),
        packed(("apple_health_export/export_cda.xml", DOCUMENT)),
        packed(("__MACOSX/export.xml", DOCUMENT)),
        io.BytesIO(b"PK\x03\x04 not a zip"),
        io.BytesIO(b"<gpx/>"),
        io.BytesIO(b""),
    ],
)
def test_other_files_are_no_export(file):
    with apple.opened(file) as export:
        assert export is None


def test_an_archive_that_packs_more_than_exports_do_is_refused():
    bomb = made.xml(" " * 50_000_000)
    with pytest.raises(Refused, match="far more than exports ever do"), apple.opened(packed(("export.xml", bomb))):
        pass


def test_an_archive_packed_in_another_way_or_locked_is_refused():
    file = packed(("export.xml", DOCUMENT), method=zipfile.ZIP_BZIP2)
    with pytest.raises(Refused, match="unusual way"), apple.opened(file):
        pass


def test_a_damaged_archive_is_kept_as_far_as_it_goes():
    chance = Random(5)
    data = made.xml(
        *(made.weight(MORNING + timedelta(days=day), chance.uniform(60, 90)) for day in range(3000, -1, -1))
    )
    broken = bytearray(packed(("export.xml", data)).getvalue())
    broken[len(broken) // 2] ^= 0xFF
    with apple.opened(io.BytesIO(bytes(broken))) as export:
        steps = list(apple.steps(export.chunks(), state={}))
    kept = steps[-1].batch.notes
    assert kept[-1] in (apple.reading.DAMAGED_ZIP, apple.reading.CUT, elements.TOO_DAMAGED)


def test_a_route_that_lies_or_is_broken_is_not_there():
    file = packed(("export.xml", DOCUMENT), ("workout-routes/a.gpx", made.gpx(MORNING)))
    broken = bytearray(file.getvalue())
    broken[broken.index(b"a.gpx") + 20] ^= 0xFF
    with apple.opened(io.BytesIO(bytes(broken))) as export:
        assert export.route("/workout-routes/a.gpx") is None
        assert export.route("/workout-routes/../../etc/passwd") is None


def mangled(chance, data):
    spoiled = bytearray(data)
    for _ in range(chance.randint(1, 10)):
        place = chance.randrange(len(spoiled))
        match chance.randrange(4):
            case 0:
                spoiled[place] = chance.randrange(256)
            case 1:
                del spoiled[place : place + chance.randint(1, 60)]
            case 2:
                spoiled[place:place] = chance.randbytes(chance.randint(1, 30))
            case _:
                spoiled[place:place] = chance.choice([b"<", b">", b'"', b"&x;", b"<Record", b"</HealthData>", b"<!--"])
    return bytes(spoiled)


def test_whatever_is_done_to_an_export_it_is_read_or_refused():
    chance = Random(17)
    data = made.xml(*everything()[:60])
    for _ in range(250):
        spoiled = mangled(chance, data)
        try:
            found = batches(spoiled, size=chance.choice([50, 700, 100_000]), part_bytes=chance.choice([1, 5000]))
        except Unreadable:
            continue
        assert found[-1].is_last
        assert found[-1].state["offset"] <= len(spoiled)

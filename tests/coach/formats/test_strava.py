"""activities.csv in the languages, layouts and states it comes in."""

from datetime import UTC, datetime

import pytest

from coach.formats import Recording, Unreadable, kinds, row
from coach.formats.row import Row
from coach.formats.strava import dates, export, naming, table
from tests.traps import strava_csv as csv

BEGAN = datetime(2021, 9, 5, 10, 47, 21, tzinfo=UTC)


def only(data: bytes) -> table.Entry:
    (entry,) = table.read(data)
    return entry


def ride(data: bytes) -> Row:
    made = only(data).row
    assert made is not None
    return made


@pytest.mark.parametrize("language", csv.LANGUAGES)
def test_a_row_says_the_same_in_every_language(language: str) -> None:
    heads, date, kind = csv.LANGUAGES[language]
    data = csv.table({"date": date, "type": kind, "file": "activities/7.fit.gz"}, heads=heads)
    made = ride(data)
    assert (made.started_at, made.sport, made.name, made.id) == (BEGAN, "cycling", "A ride", "1")
    assert (made.elapsed_s, made.timer_s, made.moving_s, made.distance_m) == (3700, 3600, 3600, 30_000.5)
    assert (made.ascent_m, made.avg_heart_rate_bpm, made.max_heart_rate_bpm) == (250, 140, 180)
    assert made.avg_power_w == 190
    assert only(data).file == "activities/7.fit.gz"


def test_equal_rows_of_two_languages_are_equal_bytes() -> None:
    documents = set()
    for heads, date, kind in csv.LANGUAGES.values():
        documents.add(row.document(ride(csv.table({"date": date, "type": kind}, heads=heads))))
    assert len(documents) == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_marks_of_encoding_and_other_delimiters_are_read(encoding: str, delimiter: str) -> None:
    data = csv.table({"name": "Überraschung, nachts"}, delimiter=delimiter, encoding=encoding)
    assert table.is_table(data)
    assert ride(data).name == "Überraschung, nachts"


def test_text_with_quotes_commas_and_line_breaks_is_one_row() -> None:
    data = csv.table({"description": 'he said "hello",\nand left'}, {"name": "second"})
    assert [entry.number for entry in table.read(data)] == [2, 3]
    assert table.read(data)[1].name == "second"


@pytest.mark.parametrize(("written", "metres"), [("30000,5", 30_000.5), ("30.000,5", 30_000.5), ("30 000,5", 30_000.5)])
def test_a_comma_for_the_decimals_is_understood(written: str, metres: float) -> None:
    data = csv.table({"metres": written, "kilometres": "30,00", "elapsed": "3700,0"}, heads=csv.GERMAN, delimiter=";")
    assert ride(data).distance_m == metres
    assert ride(data).elapsed_s == 3700


def test_a_comma_between_thousands_is_understood() -> None:
    assert ride(csv.table({"metres": "30,000.5"})).distance_m == 30_000.5


def test_an_old_table_has_one_distance_and_it_is_in_kilometres_but_of_swims() -> None:
    heads = csv.ENGLISH[:13]
    found = table.read(csv.table({}, {"type": "Swim", "kilometres": 1500, "elapsed_rounded": 1800}, heads=heads))
    assert [entry.row and entry.row.distance_m for entry in found] == [30_000, 1500]


def test_a_distance_that_is_in_kilometres_twice_is_told_by_its_speed() -> None:
    assert ride(csv.table({"metres": 30.0, "kilometres": 30.0})).distance_m == 30_000
    assert ride(csv.table({"metres": 0.0, "kilometres": 0.0})).distance_m == 0


def test_a_row_without_a_date_or_a_time_is_told_and_the_others_are_read() -> None:
    nothing = {"elapsed": "", "moving": "", "elapsed_rounded": ""}
    found = table.read(csv.table({"date": "the day after"}, nothing, {"name": "good"}, {"date": "Feb 30, 2021"}))
    assert [entry.sentence for entry in found] == [table.UNDATED, table.TIMELESS, "", table.UNDATED]


def test_figures_alone_are_read_as_the_table_tells_and_else_asked() -> None:
    told = table.read(csv.table({"date": "25/09/2021 10:00:00"}, {"date": "05/09/2021 10:00:00"}))
    assert [entry.row and entry.row.started_at.month for entry in told] == [9, 9]
    told = table.read(csv.table({"date": "09/25/2021 10:00:00"}, {"date": "05/09/2021 10:00:00"}))
    assert [entry.row and entry.row.started_at.month for entry in told] == [9, 5]
    assert only(csv.table({"date": "05/09/2021 10:00:00"})).sentence == table.UNDATED


@pytest.mark.parametrize(
    "data",
    [b"a,b,c\n1,2,3\n", b"Activity ID,Activity Name\n1,x\n", b"\x00" * 5000, b"", b'"' * 10_000, b"\xff\xfe\xff\xff"],
)
def test_other_tables_are_refused_with_a_sentence(data: bytes) -> None:
    assert not table.is_table(data)
    with pytest.raises(Unreadable, match=r"\.$"):
        table.read(data)


def test_hostile_cells_give_no_value_and_no_fault() -> None:
    data = csv.table(
        {
            "metres": "1e309",
            "elapsed": "9" * 400,
            "moving": "-5",
            "heart_rate": "NaN",
            "watts": "inf",
            "name": "\x00" * 9,
        },
        {"metres": "0x10", "elapsed": "٣٦٠٠", "id": "=cmd()", "name": "x" * 5000, "type": "\U0001f6b2"},
    )
    for entry in table.read(data):
        if entry.row is not None:
            row.read(row.document(entry.row))


@pytest.mark.parametrize(
    ("text", "month", "hour"),
    [
        ("12 juil. 2021 à 10:47:21", 7, 10),
        ("12 juin 2021, 10:47:21", 6, 10),
        ("12 févr. 2021, 10:47:21", 2, 10),
        ("12 déc. 2021, 10:47:21", 12, 10),
        ("12 août 2021, 10:47:21", 8, 10),
        ("12. März 2021, 10:47:21", 3, 10),
        ("12. Dez. 2021, 10:47", 12, 10),
        ("12 ene 2021, 7:47:21", 1, 7),
        ("12 de septiembre de 2021, 10:47:21", 9, 10),
        ("2021年12月12日 下午1:47:21", 12, 13),
        ("2021年12月12日 09:01:41", 12, 9),
        ("Dec 12, 2021, 12:01:41 AM", 12, 0),
        ("Dec 12, 2021, 12:01:41 p.m.", 12, 12),
        ("12 mrt 2021 10:47:21", 3, 10),
        ("12 set 2021, 10:47:21", 9, 10),
        ("2021-12-12T10:47:21Z", 12, 10),
    ],
)
def test_dates_are_read_in_their_languages(text: str, month: int, hour: int) -> None:
    found = dates.parse(text)
    assert found is not None
    assert (found.month, found.day, found.hour, found.tzinfo) == (month, 12, hour, UTC)


STRAVA = (
    "AlpineSki BackcountrySki Badminton Canoeing Crossfit EBikeRide Elliptical EMountainBikeRide Golf GravelRide"
    " Handcycle HighIntensityIntervalTraining Hike IceSkate InlineSkate Kayaking Kitesurf MountainBikeRide NordicSki"
    " Pickleball Pilates Racquetball Ride RockClimbing RollerSki Rowing Run Sail Skateboard Snowboard Snowshoe Soccer"
    " Squash StairStepper StandUpPaddling Surfing Swim TableTennis Tennis TrailRun Velomobile VirtualRide VirtualRow"
    " VirtualRun Walk WeightTraining Wheelchair Windsurf Workout Yoga"
)


@pytest.mark.parametrize("kind", STRAVA.split())
def test_every_sport_of_strava_is_known(kind: str) -> None:
    assert kinds.named(kind) != ("generic", "")


@pytest.mark.parametrize("kind", ["EBikeRide", "E-Bike Ride", "E-Bike-Fahrt", "Vélo électrique", "电动自行车骑行"])
def test_electric_rides_are_marked_as_such(kind: str) -> None:
    assert kinds.named(kind)[0] == "e_biking"


def test_the_directory_tells_recordings_from_the_rest() -> None:
    assert export.holds(["a/Activities.CSV"])
    assert not export.holds(["activities/1.gpx", "my activities.csv.gpx"])
    assert export.table_of(["x/y/activities.csv", "x/activities.csv"]) == "x/activities.csv"
    read = ["activities/1.fit.gz", "x/activities/1.tcx", "1.GPX"]
    ignored = ["profile.csv", "media/a.jpg", "routes/1.gpx", "messaging.json"]
    assert [export.ignored(name) for name in read] == ["", "", ""]
    assert all(export.ignored(name).endswith(".") for name in ignored)


def test_a_row_gives_its_title_and_the_sport_the_device_did_not_know() -> None:
    def measured(sport: str) -> Recording:
        return Recording(format="fit", sport=sport, name="old", started_at=BEGAN, elapsed_s=60, timer_s=60)

    def told(sport: str, sub_sport: str = "") -> Recording:
        made = Row(provider="strava", name="new", sport=sport, sub_sport=sub_sport, started_at=BEGAN, elapsed_s=60)
        return row.read(row.document(made))[0]

    assert naming.named(measured("running"), row=told("cycling")).sport == "running"
    assert naming.named(measured("generic"), row=told("rowing")).sport == "rowing"
    assert naming.named(measured("cycling"), row=told("e_biking")).sport == "e_biking"
    assert naming.named(measured("running"), row=told("running")).name == "new"

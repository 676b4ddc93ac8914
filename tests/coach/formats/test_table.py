"""Tables of weight, sleep and heart: any separator, letters and dates; what cannot be known is left open."""

from datetime import UTC, date, datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from coach.formats import Unreadable, table
from coach.formats.table import dates, numbers, sheets

BERLIN = ZoneInfo("Europe/Berlin")
PLAIN = "Date,Weight (kg)\n2026-03-01,70.5\n2026-03-02,70.7\n"


def read(text, mapping=None, **changed):
    sheet = table.sheet(text if isinstance(text, bytes) else text.encode())
    said = (mapping or table.guess(sheet)).stored() | changed
    return table.read(sheet, table.Mapping.of(said), zone=BERLIN)


def values(found):
    return [(f"{measure.local_date}", measure.value) for measure in found.contents.measures]


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").encode(),
        PLAIN.replace(",", ";").replace(".", ",").encode(),
        PLAIN.replace("\n", "\r\n").encode("utf-8-sig"),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.encode("utf-16"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.encode("utf-16-le"),
        PLAIN.encode("utf-16-be"),
        '"Date" , "Weight (kg)"\n"2026-03-01","70,5"\n"2026-03-02","70,7"\n'.encode("cp1252"),
        b"My weights\n\n" + PLAIN.encode() + b"\n\n,\n",
        PLAIN.replace("70.5", "70.5 kg").replace("70.7", "70.7\u00a0kg").encode(),
        PLAIN.replace(",", "|").encode(),
    ],
    ids=[
        "comma", "semicolon", "tab", "decimal comma", "mark", "cr", "utf-16", "utf-16 be", "bare utf-16 le",
        "bare utf-16 be", "quoted", "title", "units in cells", "bar",
    ],
)  # fmt: skip
def test_the_same_table_however_it_is_written(data):
    assert table.is_table(data)
    assert values(read(data)) == [("2026-03-01", 70.5), ("2026-03-02", 70.7)]


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2026-03-04", "", "2026-03-04"),
        ("2026/3/4", "", "2026-03-04"),
        ("20260304", "", "2026-03-04"),
        ("2026年3月4日", "", "2026-03-04"),
        ("04.03.2026", "dmy", "2026-03-04"),
        ("04.03.2026", "mdy", "2026-03-04"),
        ("4. 3. 26", "dmy", "2026-03-04"),
        ("04/03/2026", "dmy", "2026-03-04"),
        ("03/04/2026", "mdy", "2026-03-04"),
        ("03-04-26", "mdy", "2026-03-04"),
        ("26-03-04", "ymd", "2026-03-04"),
        ("4 Mar 2026", "", "2026-03-04"),
        ("Mar 4, 2026", "", "2026-03-04"),
        ("Wednesday, March 4th, 2026", "", "2026-03-04"),
        ("4. März 2026", "", "2026-03-04"),
        ("4 mars 2026", "", "2026-03-04"),
        ("2026-03-04T06:40:00+01:00", "", "2026-03-04"),
        ("03/04/2026 6:40 PM", "mdy", "2026-03-04"),
        ("1772604000", "", "2026-03-04"),
        ("1772604000000", "", "2026-03-04"),
        ("2026-02-30", "", None),
        ("13/13/2026", "dmy", None),
        ("tomorrow", "", None),
        ("70.5", "", None),
        ("17217869", "", None),
        ("", "", None),
    ],
)
def test_dates_in_many_forms(text, order, day):
    for tried in [order] if order else dates.ORDERS:
        found = dates.when(text, order=tried)
        assert (found and f"{found.day}") == day


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["03/04/2026", "05/06/2026"], ""),
        (["03/04/2026", "25/06/2026"], "dmy"),
        (["03/04/2026", "05/26/2026"], "mdy"),
        (["03/03/2026", "04/04/2026"], "dmy"),  # the same day in both
        (["03.04.2026"], "dmy"),
        (["2026-04-03"], "ymd"),
        (["26-04-03"], ""),
    ],
)
def test_the_order_of_dates_is_left_open_where_only_the_athlete_can_know(cells, order):
    text = "Date,Weight kg\n" + "".join(f"{cell},70\n" for cell in cells)
    assert table.guess(table.sheet(text.encode())).date_order == order


@pytest.mark.parametrize(
    ("head", "cell", "unit", "kilograms"),
    [
        ("Weight (kg)", "70.5", "kg", 70.5),
        ("weight_lbs", "155", "lb", 70.307),
        ("Gewicht", "70,5 kg", "kg", 70.5),
        ("Weight", "11 st 4", "st", 71.668),
        ("Weight", "11st 4.5lb", "", 71.894),
        ("Weight (st)", "11.5", "st", 73.028),
        ("Weight", "70.5", "", None),
    ],
)
def test_units_of_weight(head, cell, unit, kilograms):
    sheet = table.sheet(f"Date;{head}\n2026-03-01;{cell}\n".encode())
    guessed = table.guess(sheet)
    assert guessed.columns == ("date", "weight")
    if kilograms is None:
        assert guessed.weight_unit == ""
        assert guessed.troubles() == ["Say in which unit the weights are."]
        return
    assert numbers.weight_kg(cell, unit or "kg") == pytest.approx(kilograms, abs=0.001)


@pytest.mark.parametrize(
    ("cell", "minutes"),
    [("7:12", 432), ("07:12:00", 432), ("7h 12m", 432), ("7 h 12 min", 432), ("7,2", 432), ("7.2 h", 432),
     ("432", 432), ("432 min", 432), ("25920", 432), ("bad", None)],
)  # fmt: skip
def test_durations_of_sleep(cell, minutes):
    assert numbers.minutes(cell) == (None if minutes is None else pytest.approx(minutes))


@pytest.mark.parametrize(
    ("heads", "roles"),
    [
        ("Datum;Gewicht;Ruhepuls", ("date", "weight", "resting_heart_rate")),
        ("day;sleep duration;bed time;wake time", ("date", "sleep", "bed_time", "wake_time")),
        ("Date;Time;HRV (rMSSD);note", ("date", "time", "hrv_rmssd", "")),
        ("日期;体重", ("date", "weight")),
        ("Fecha;Peso", ("date", "weight")),
    ],
)
def test_heads_are_guessed_in_several_languages(heads, roles):
    cells = {"date": "2026-03-01", "weight": "70", "resting_heart_rate": "50", "sleep": "7:30", "bed_time": "23:10",
             "wake_time": "6:50", "time": "6:50", "hrv_rmssd": "62", "": "fine"}  # fmt: skip
    text = f"{heads}\n{';'.join(cells[role] for role in roles)}\n"
    assert table.guess(table.sheet(text.encode())).columns == roles


def test_a_head_whose_cells_are_something_else_is_not_believed():
    text = "Date,Weight\n2026-03-01,light\n2026-03-02,heavy\n"
    assert table.guess(table.sheet(text.encode())).columns == ("date", "")


def test_a_table_without_heads_is_read_by_what_is_said():
    text = "2026-03-01,70.5\n2026-03-02,70.7\n"
    sheet = table.sheet(text.encode())
    assert (sheet.heads, sheet.has_heads, sheet.key) == (("Column 1", "Column 2"), False, "")
    assert values(read(text, columns=["date", "weight"], weight_unit="kg"))[0] == ("2026-03-01", 70.5)


def test_what_cannot_be_read_is_counted_with_its_first_row():
    rows = [f"2026-03-{day:02},70,7:30" for day in range(1, 28)]
    rows[15] = "some day,70,7:30"
    rows[20] = ",70,7:30"
    rows[3] = "2026-03-04,much,7:30"
    rows[5] = "2026-03-06,,never"
    found = read("date,weight kg,sleep\n" + "\n".join(rows))
    assert found.sentences == (
        "1 of 27 rows has a weight that is no number; it is row 5.",
        "1 of 27 rows has a sleep duration that cannot be read; it is row 7.",
        "2 of 27 rows have no date that can be read; the first is row 17.",
    )
    assert (len(found.contents.measures), len(found.contents.nights)) == (23, 24)


def test_a_time_is_of_the_athletes_zone_unless_the_cell_says_another():
    text = "date,time,weight kg\n2026-07-01,06:40,70\n2026-07-02T06:40:00Z,,70\n2026-07-03,,70\n"
    assert [measure.at for measure in read(text).contents.measures] == [
        datetime(2026, 7, 1, 4, 40, tzinfo=UTC),
        datetime(2026, 7, 2, 6, 40, tzinfo=UTC),
        datetime(2026, 7, 3, 12, 0, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("row", "night_date", "start", "wake"),
    [
        ("2026-03-02,23:10,06:40", "morning", "2026-03-01T22:10", "2026-03-02"),
        ("2026-03-02,00:30,07:00", "morning", "2026-03-01T23:30", "2026-03-02"),
        ("2026-03-01,23:10,06:40", "evening", "2026-03-01T22:10", "2026-03-02"),
        ("2026-03-01,00:30,07:00", "evening", "2026-03-01T23:30", "2026-03-02"),
        ("2026-03-02,2026-03-01 23:10,06:40", "morning", "2026-03-01T22:10", "2026-03-02"),
        ("2026-03-29,23:00,07:00", "morning", "2026-03-28T22:00", "2026-03-29"),  # the hour that is left out
    ],
)
def test_bed_and_wake_times_make_the_night_of_the_morning(row, night_date, start, wake):
    (night,) = read(f"date,bed time,wake time\n{row}\n", night_date=night_date).contents.nights
    assert (f"{night.start_at:%Y-%m-%dT%H:%M}", f"{night.wake_date}") == (start, wake)


def test_the_night_of_the_change_of_clocks_is_an_hour_shorter():
    (night,) = read("date,bed time,wake time\n2026-03-29,23:00,07:00\n").contents.nights
    assert night.in_bed_min == 7 * 60


def test_a_night_without_times_belongs_to_the_morning_that_follows_its_evening():
    (night,) = read("date,sleep\n2026-03-01,7:30\n", night_date="evening").contents.nights
    assert (night.wake_date, night.asleep_min) == (date(2026, 3, 2), 450)


@pytest.mark.parametrize(
    "head",
    [
        "timestamp,heart_rate,cadence,speed,distance",
        "Timestamp, Heart Rate [bpm],Speed [m/s],Distance [m]",
        "time,lat,lon,altitude",
    ],
)
def test_the_samples_of_an_activity_are_told_from_days(head):
    rows = "".join(f"2026-03-01 06:00:{second:02},{',1' * head.count(',')}\n" for second in range(9))
    assert table.is_of_an_activity(table.sheet(f"{head}\n{rows}".encode()))


@pytest.mark.parametrize(
    "data",
    [b"", b"hello, world\nthis, is text\n", b"<gpx/>", b'{"a": 1}', b"\x00\x01" * 900, b"PK\x03\x04" + bytes(99)],
)
def test_what_is_no_table_is_not_claimed(data):
    assert not table.is_table(data)


def test_a_table_that_is_too_large_is_refused_with_what_to_do():
    rows = "2026-03-01,70\n" * (sheets.MOST_ROWS + 9)
    for data in (rows.encode(), b"Date,Weight\n" + b"2026-03-01,70." + b"1" * sheets.LARGEST_BYTES):
        with pytest.raises(Unreadable, match="Split it in parts"):
            table.sheet(data)
    with pytest.raises(Unreadable, match="columns"):
        table.sheet(b"a," * 200 + b"\n" + b"1," * 200)


def test_a_mapping_says_what_is_missing_in_it():
    assert table.Mapping(columns=("weight", "weight")).troubles() == [
        "Two columns cannot both be “Weight”. Leave one of them out.",
        "Say which column holds the date.",
        "Say in which order day, month and year stand.",
        "Say in which unit the weights are.",
    ]
    assert table.Mapping.of({"columns": ["date", "magic"]}) is None
    assert table.Mapping.of({"columns": "date"}) is None


SEEDS = [PLAIN, "Datum;Zeit;Gewicht;Schlaf\n1.2.2026;6:40;70,5;7:30\n2.2.2026;6:50;70,6;7h 5m\n",
         'date,"bed time","wake time"\n"Mar 1, 2026",11:10 PM,6:40 AM\n']  # fmt: skip


def mangled(chance: Random) -> bytes:
    data = bytearray(chance.choice(SEEDS).encode(chance.choice(["utf-8", "utf-16", "utf-8-sig"])))
    for _ in range(chance.randint(1, 12)):
        place = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[place] = chance.randrange(256)
            case 1:
                del data[place : place + chance.randint(1, 9)]
            case 2:
                data[place:place] = chance.randbytes(chance.randint(1, 9))
            case _:
                data[place:place] = chance.choice([b'"', b";", b"\x00", b"9" * 400, b"\n", b"inf", b"-", b"1e999"])
        if not data:
            return b""
    return bytes(data)


def sheet_or_none(data: bytes) -> table.Sheet | None:
    try:
        return table.sheet(data)
    except Unreadable:
        return None


def test_whatever_is_done_to_a_table_it_is_read_or_refused():
    chance = Random(11)
    for _ in range(1500):
        data = mangled(chance)
        table.is_table(data)
        sheet = sheet_or_none(data)
        if sheet is None:
            continue
        guessed = table.guess(sheet)
        assert len(guessed.columns) == len(sheet.heads)
        for measure in table.read(sheet, guessed, zone=BERLIN).contents.measures:
            assert measure.at.tzinfo is not None


def test_a_decimal_comma_is_no_separator_where_there_is_another():
    sheet = table.sheet(b"01.03.2026;70,5\n02.03.2026;70,7\n")
    assert sheet.rows == (("01.03.2026", "70,5"), ("02.03.2026", "70,7"))

"""The XML of Apple Health exports: broken, cut off, in parts; read from the middle as from the begin."""

import json
from datetime import timedelta
from random import Random

import pytest

from coach.formats import Unreadable, apple
from coach.formats.apple import clean, elements
from tests.coach.formats.health import MORNING, batches, read, values
from tests.traps import apple_xml as made

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

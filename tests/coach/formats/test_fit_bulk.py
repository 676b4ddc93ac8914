"""Records decoded all at once are, bit by bit, what the decoder makes of them one by one."""

import random
import struct
from collections.abc import Callable

import pytest

from coach.formats import fit as fit_format
from coach.formats.fit import frames
from coach.formats.fit.definition import Declined
from coach.formats.fit.frames import Part
from tests.coach.formats.test_fit_many import POWER_APP, described, lengths, with_app
from tests.traps import fit_bytes as fit
from tests.traps.fit_bytes import FitFile, Value
from tests.traps.mutations import mutated

AT = fit.seconds(fit.START)
ROUNDS = 60


def told(part: Part) -> tuple[object, ...]:
    """Return all that is read of a part, with every float as its bits."""
    at_s = part.samples.at_s()
    beats = [values.tobytes() for values in part.intervals.placed(at_s)]
    columns = {name: values.tobytes() for name, values in part.samples.columns().items()}
    counts = {kind: part.counts[kind] for kind in (*frames.KEPT, "record")}
    return part.messages, counts, at_s.tobytes(), columns, beats, part.undated, part.broken, part.checksum_wrong


def same(data: bytes) -> None:
    assert [told(part) for part in frames.in_bulk(data)] == [told(part) for part in frames.decoded(data)]


def interleaved() -> FitFile:
    file = fit.begin()
    for second in range(40):
        more: dict[str, Value] = {"power": 200 + second} if second % 3 else {"heart_rate": 140, "cadence": 80}
        file.add("record", timestamp=AT + second, **more)
        if second % 7 == 0:
            fit.timer(file, at_s=second, kind=fit.STOP_ALL)
    return file


def compressed() -> FitFile:
    file = fit.begin().add("record", timestamp=AT, heart_rate=140)
    for second in range(1, 100, 3):
        file.add_compressed("record", offset_s=AT + second & 0x1F, heart_rate=140 + second % 9, power=None)
    file.add("unheard_of", timestamp=AT + 200, what=1)
    return file.add_compressed("record", offset_s=AT + 203 & 0x1F, heart_rate=150, power=1)


def packed() -> FitFile:
    """Speed and distance in twelve bits each; the distance counts on when it runs over, and anew after a definition."""
    file = fit.begin()
    for second in range(60):
        triple = (300 | (second * 150 % 4096) << 12).to_bytes(3, "little") if second % 11 else b"\xff\xff\xff"
        file.add("record", timestamp=AT + second, compressed_speed_distance=triple)
        if second == 40:
            file.again()
    return file


def beating() -> FitFile:
    file = fit.begin().add("hrv", time=struct.pack("<HHH", 900, 65535, 0))
    for second in range(30):
        file.add("record", timestamp=AT + second if second % 9 else None, heart_rate=60)
        file.add("hrv", time=struct.pack("<HHH", 800 + second, 810, 65535))
        file.add("hrv", time=struct.pack("<H", 700))
    return file


def strapped(*, told_first: bool = True) -> FitFile:
    """A heart rate strap whose beats count from the time of the record before."""
    file = fit.run(fit.begin(), samples=5)
    if told_first:
        file.add("hr", timestamp=AT, event_timestamp=1.0, filtered_bpm=b"\x40", fractional_timestamp=0)
    file.add("hr", event_timestamp=1.0, filtered_bpm=b"\x40")
    file.add("hr", filtered_bpm=bytes(range(60, 68)), event_timestamp_12=bytes(range(12)))
    return fit.run(file, first=5, samples=5)


def arrays() -> FitFile:
    file = fit.begin()
    for second in range(20):
        file.add("record", timestamp=AT + second, vertical_oscillation=b"\x01\x02\x03\x04", heart_rate=140)
        file.add("record", timestamp=AT + second, temperature=b"\x05\x06", power=b"\x01", heart_rate=141)
    return file


def described_late() -> FitFile:
    """An app's field that the file describes only after it was written, and then defines once more."""
    file = fit.begin().add("record", apps=POWER_APP, timestamp=AT)
    definition = file.last_definition
    described(file, name="Power", units="W", native=7).raw(definition)
    return file.add("record", apps=POWER_APP, timestamp=AT + 1)


def misdescribed() -> FitFile:
    """An app's field of two bytes that is said to be a number of four."""
    file = fit.begin().add("developer_data_id", developer_data_index=0)
    file.add("field_description", developer_data_index=0, field_definition_number=0, fit_base_type_id=fit.UINT32)
    return file.add("record", apps=POWER_APP, timestamp=AT)


def flagged() -> FitFile:
    file = fit.begin()
    for second, balance in enumerate([0, 45, 0x7F, 0x80, 0x80 | 52, 0x80 | 100, None]):
        rate = 10 + second if second else None
        file.add("record", timestamp=AT + second, left_right_balance=balance, activity_type=1, respiration_rate=rate)
    return file


def signed() -> FitFile:
    file = fit.begin()
    for second, degrees in enumerate([-20, None, 5, -1]):
        file.add("record", timestamp=AT + second, temperature=degrees, position_lat=degrees, altitude=100.2 + second)
        file.add(
            "record", timestamp=AT + second, enhanced_altitude=99.8, altitude=None, fractional_cadence=0.5, cadence=80
        )
    return file


CASES: dict[str, Callable[[], bytes]] = {
    "one definition": lambda: fit.summary(fit.run(fit.begin()), elapsed=60, timer=60).bytes(),
    "big endian": lambda: fit.run(fit.begin(big_endian=True), power=250, speed=3.004, altitude=34.2).bytes(),
    "interleaved definitions": lambda: interleaved().bytes(),
    "compressed times": lambda: compressed().bytes(),
    "packed speed and distance": lambda: packed().bytes(),
    "beats": lambda: beating().bytes(),
    "strap": lambda: strapped().bytes(),
    "strap without a time": lambda: strapped(told_first=False).bytes(),
    "arrays": lambda: arrays().bytes(),
    "flags": lambda: flagged().bytes(),
    "signs": lambda: signed().bytes(),
    "apps": lambda: with_app(described(fit.begin(), name="Power", units="W", native=7)).bytes(),
    "apps by name": lambda: with_app(described(fit.begin(), name="Form Power", units="Watts")).bytes(),
    "apps in another unit": lambda: with_app(
        described(fit.begin(), name="Vertical Oscillation", units="Centimeters", native=39)
    ).bytes(),
    "apps described late": lambda: described_late().bytes(),
    "lengths": lambda: lengths(fit.run(fit.begin(), samples=30)).bytes(),
    "wrong checksum": lambda: fit.run(fit.begin()).bytes(checksum=1),
    "cut in a record": lambda: fit.run(fit.begin()).bytes()[:-9],
    "cut in a definition": lambda: fit.run(fit.begin()).bytes()[:50],
    "cut before its checksum": lambda: fit.run(fit.begin()).bytes()[:-2],
    "claims more": lambda: fit.run(fit.begin()).bytes(claimed_size=10_000),
    "claims less": lambda: fit.run(fit.begin()).bytes(claimed_size=200),
    "claims gigabytes": lambda: fit.run(fit.begin()).bytes(claimed_size=0xFFFFFFFF),
    "two files": lambda: interleaved().bytes() + fit.run(fit.begin()).bytes(),
    "a file and a broken one": lambda: interleaved().bytes() + fit.run(fit.begin()).bytes()[:-40],
    "a file and other bytes": lambda: interleaved().bytes() + b"something else entirely",
    "undefined message": lambda: fit.run(fit.begin()).raw(b"\x0f" * 30).bytes(),
    "fields without a size": lambda: fit.run(fit.begin()).raw(b"\x45\0\0\x14\0\1\x03\0\x02\5\5").bytes(),
    "no fields at all": lambda: fit.run(fit.begin()).raw(b"\x45\0\0\x14\0\0" + b"\5" * 9).bytes(),
}
# What only the decoder can tell: an app's field that it reads in part, times of a kind nobody writes.
LEFT: dict[str, Callable[[], bytes]] = {
    "a time of two bytes": lambda: fit.begin().raw(b"\x45\0\0\x14\0\1\xfd\2\x84\5\1\1").bytes(),
    "a lap with a compressed time": lambda: (
        fit.run(fit.begin(), samples=3).add_compressed("lap", offset_s=9, total_distance=3.0).bytes()
    ),
    "an app's field of half its size": lambda: misdescribed().bytes(),
    "hundreds of definitions": lambda: (
        fit.begin()
        .raw(b"".join(b"\x45\0\0\x14\0\1\3%c\x0d" % (1 + n % 255) + b"\5" * (2 + n % 255) for n in range(255)))
        .bytes()
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_decoded_at_once_is_what_the_decoder_reads(name: str) -> None:
    same(CASES[name]())


@pytest.mark.parametrize("name", LEFT)
def test_what_only_the_decoder_can_tell_is_left_to_it(name: str) -> None:
    data = LEFT[name]()
    with pytest.raises(Declined):
        frames.in_bulk(data)
    assert [told(part) for part in frames.parts(data)] == [told(part) for part in frames.decoded(data)]


def anything(dice: random.Random) -> FitFile:
    """Return a file of messages at random, fields missing, invalid and in any order."""
    file = FitFile(big_endian=dice.random() < 0.3).add("file_id", type=fit.ACTIVITY, manufacturer=1)
    shapes = [shape(dice) for _ in range(dice.randint(1, 5))]
    for second in range(dice.randint(1, 80)):
        match dice.randrange(8):
            case 0:
                fit.timer(file, at_s=second, kind=dice.choice((fit.START_TIMER, fit.STOP_ALL)))
            case 1:
                file.add("hrv", time=dice.randbytes(2 * dice.randint(1, 5)))
            case 2:
                file.add("unheard_of", timestamp=AT + second, what=second)
            case _:
                values = {name: dice.choice((None, dice.randbytes(size))) for name, size in dice.choice(shapes).items()}
                file.add("record", timestamp=dice.choice((AT + second, AT + second, None)), **values)
    return file


def shape(dice: random.Random) -> dict[str, int]:
    """Return some fields of a record and how many bytes each takes."""
    fields = fit.MESSAGES["record"][1]
    known = [name for name in fields if name not in ("timestamp", "compressed_speed_distance")]
    chosen = dice.sample(known, dice.randint(1, 8))
    return {name: struct.calcsize(fit.PACK[fields[name][1]]) * dice.choice((1, 1, 1, 2)) for name in chosen}


def test_any_file_is_decoded_as_the_decoder_reads_it() -> None:
    dice = random.Random("coach bulk")
    for _ in range(ROUNDS):
        data = anything(dice).bytes()
        assert [told(part) for part in frames.parts(data)] == strapped_together(data)


def test_any_damage_leaves_what_the_decoder_would_have_read() -> None:
    dice = random.Random("coach bulk damage")
    sources = [make() for make in CASES.values()]
    for _ in range(ROUNDS * 5):
        data = mutated(dice.choice(sources), dice)
        if fit_format.is_fit(data):
            assert [told(part) for part in frames.parts(data)] == strapped_together(data)


def strapped_together(data: bytes) -> list[tuple[object, ...]]:
    return [told(part) for part in frames.with_strap(frames.decoded(frames.closed(data)))]

"""Files that are no recordings, and gzip."""

import gzip
import tracemalloc

import pytest

from coach import formats
from coach.formats import Unreadable, unpack
from tests.traps import fit_bytes as fit
from tests.traps import zip_bytes

RUN = fit.summary(fit.run(fit.begin()), elapsed=60, timer=60).bytes()


def refused(data: bytes, *, name: str = "a.fit") -> str:
    with pytest.raises(Unreadable) as refusal:
        formats.read(data, name=name)
    return str(refusal.value)


@pytest.mark.parametrize("data", [b"", b"\n \n", bytes(4096), gzip.compress(b"", mtime=0)])
def test_an_empty_file_says_so(data: bytes) -> None:
    assert refused(data) == "The file is empty. Export the recording again and upload the new file."


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!DOCTYPE html><html><body>Log in</body></html>", "This is a web page"),
        (b"\xef\xbb\xbf  <html>", "This is a web page"),
        (b"<kml xmlns='http://www.opengis.net/kml/2.2'></kml>", "This is a KML map file"),
        (b"<?xml version='1.0'?><HealthData></HealthData>", "This is an Apple Health export"),
        (b"<other></other>", "This is not a recording that Coach can read."),
        (b"%PDF-1.7", "This is a PDF document"),
        (b"\x89PNG\r\n\x1a\n", "This is a picture"),
        (b"\xff\xd8\xff\xe0", "This is a picture"),
        (b'{"summary": []}', "This is a JSON file"),
        (zip_bytes.packed({"a.fit": b"x"}), "This is a zip archive"),
        (b"7z\xbc\xaf\x27\x1c", "This is a 7-Zip archive"),
        (b"\x01\x02\x03", "This is not a recording that Coach can read."),
    ],
)
def test_another_kind_of_file_is_named_with_what_to_do(data: bytes, words: str) -> None:
    assert refused(data).startswith(words)


def test_a_table_is_known_by_its_name_alone() -> None:
    assert refused(b"Activity ID,Activity Date\n", name="activities.csv").startswith("This is a table")


def test_the_name_never_decides_what_can_be_read() -> None:
    assert len(formats.read(RUN, name="holiday.jpg")) == 1


def test_a_packed_recording_is_unpacked() -> None:
    assert formats.read(gzip.compress(RUN), name="a.fit.gz")[0].timer_s == 60


def test_of_a_packed_file_that_is_cut_off_the_rest_is_kept() -> None:
    packed = gzip.compress(fit.run(fit.begin(), samples=600).bytes())
    (recording,) = formats.read(packed[: len(packed) // 2], name="a.fit.gz")
    assert len(recording.streams["time_s"]) > 50


def test_a_damaged_packed_file_and_one_packed_twice_are_refused() -> None:
    assert refused(b"\x1f\x8b\x08rubbish").startswith("The gzip file is damaged.")
    assert refused(gzip.compress(gzip.compress(RUN))).startswith("The file is packed twice")


def test_a_packed_bomb_is_refused_in_flat_memory() -> None:
    bomb = gzip.compress(bytes(60_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(Unreadable, match="more than 4 MB"):
            unpack.gunzip(bomb, largest_bytes=4 * 1024 * 1024)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()

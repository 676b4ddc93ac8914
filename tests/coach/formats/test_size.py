"""Long recordings are read in seconds and in bounded memory."""

import time
import tracemalloc
from contextlib import suppress
from datetime import timedelta

import pytest

from coach import formats
from coach.formats import Unreadable, samples
from tests.traps import fit_bytes as fit
from tests.traps import gpx_text as text
from tests.traps import tcx_text

SAMPLES = 10_000
LONGEST_S = 6  # on a busy machine; alone it takes half a second
MOST_BYTES_A_SAMPLE = 1500


def recorded(name: str, *, count: int) -> bytes:
    if name == "gpx":
        return text.document(text.track(text.points(range(count))))
    return fit.summary(fit.run(fit.begin(), samples=count, power=200), elapsed=count, timer=count).bytes()


@pytest.mark.parametrize("name", ["fit", "gpx"])
def test_ten_thousand_samples_take_seconds(name: str) -> None:
    data = recorded(name, count=SAMPLES)
    began = time.perf_counter()
    (recording,) = formats.read(data, name="a")
    assert len(recording.streams["time_s"]) == SAMPLES
    assert time.perf_counter() - began < LONGEST_S


@pytest.mark.parametrize("name", ["fit", "gpx"])
def test_memory_grows_with_the_samples_and_no_faster(name: str) -> None:
    data = recorded(name, count=2000)
    tracemalloc.start()
    try:
        formats.read(data, name="a")
        assert tracemalloc.get_traced_memory()[1] < 2000 * MOST_BYTES_A_SAMPLE
    finally:
        tracemalloc.stop()


def test_a_recording_of_weeks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "LARGEST", 100)
    with pytest.raises(Unreadable, match="more than 100 samples"):
        formats.read(recorded("fit", count=101), name="a")


def test_samples_far_apart_do_not_fill_memory_with_the_seconds_between() -> None:
    every_minute = text.document(text.track(text.points(range(0, 60 * 20_000, 60))))
    with pytest.raises(Unreadable, match="more than 11 days"):
        formats.read(every_minute, name="a")


def shaped(name: str) -> bytes:
    """Return a file whose shape would take hours or gigabytes if each part cost what the whole costs."""
    match name:
        case "tracks":
            return text.document(*(text.track(text.points([index])) for index in range(20_000)))
        case "days":
            return text.document(*(text.track(text.points([day * 86_400, day * 86_400 + 1])) for day in range(2000)))
        case "activities":
            return tcx_text.document("<Activity/>" * 100_000)
        case "sessions":
            file = fit.run(fit.begin(), samples=2000)
            for index in range(2000):
                fit.summary(file, at=fit.START + timedelta(seconds=index), elapsed=1 + index / 1000, timer=1)
            return file.bytes()
        case "doctypes":
            return b"<gpx>" + b"<!DOCTYPE[" * 500_000
        case "open doctypes":
            return b"<gpx>" + b"<!DOCTYPE" * 500_000
        case "names":
            return b"<gpx>" + b"".join(b"<n%d/>" % index for index in range(500_000))
        case "brackets":
            return tcx_text.document(f"<Activity><Creator><Name>{'(1' * 300}{'1' * 4000}</Name></Creator></Activity>")
        case "clock":
            file = fit.begin()
            for index in range(5000):
                file.add("record", timestamp=fit.seconds(fit.START) + index % 2 * 50_000, heart_rate=140)
                fit.timer(file, at_s=index, kind=index % 2)
            return file.bytes()
        case _:
            return fit.begin().bytes() * 5000


ODD = [
    "tracks", "days", "activities", "sessions", "doctypes", "open doctypes", "names", "brackets", "clock", "chain",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_file_of_an_odd_shape_takes_seconds(name: str) -> None:
    data = shaped(name)
    began = time.perf_counter()
    with suppress(Unreadable):
        formats.read(data, name="a")
    assert time.perf_counter() - began < 2 * LONGEST_S

"""Long recordings are read in seconds and in bounded memory."""

import time
import tracemalloc

import pytest

from coach import formats
from coach.formats import Unreadable, samples
from tests.traps import fit_bytes as fit
from tests.traps import gpx_text as text

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

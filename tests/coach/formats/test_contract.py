"""What every format and every refusal must keep to."""

import re
from datetime import UTC, datetime

import numpy as np
import pytest

from coach import formats
from coach.formats import Recording, archive, foreign, gpx, moments, notes, row, tcx, unpack
from coach.formats.fit import refusal
from coach.formats.recording import STREAMS
from coach.formats.registry import reader
from tests.traps import fit_bytes as fit
from tests.traps import gpx_text, tcx_text

# Formats that say only something of days and nights.
DAYS = {
    "garmin": b'[{"calendarDate": "2026-08-02", "restingHeartRate": 54}]',
}
FILES = DAYS | {
    "row": row.document(row.Row(provider="strava", started_at=datetime(2022, 3, 3, tzinfo=UTC), elapsed_s=60)),
    "fit": fit.summary(fit.run(fit.begin()), elapsed=60, timer=60).bytes(),
    "gpx": gpx_text.document(gpx_text.track(gpx_text.points(range(61)))),
    "tcx": tcx_text.document(
        tcx_text.activity(
            tcx_text.lap(0, "".join(tcx_text.point(second) for second in range(61)), seconds=60, metres=180)
        )
    ),
}


def test_every_format_has_a_file_in_this_test() -> None:
    assert set(formats.FORMATS) == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_claimed_by_its_own_format_alone(name: str) -> None:
    assert [known.name for known in formats.FORMATS.values() if known.claims(FILES[name])] == [name]


@pytest.mark.parametrize("name", DAYS)
def test_a_file_of_days_says_something_of_days_and_is_no_recording(name: str) -> None:
    found = formats.contents(DAYS[name], name="a")
    assert found.recordings == ()
    assert found.nights or found.measures
    with pytest.raises(formats.Unreadable):
        formats.FORMATS[name].read(DAYS[name])


@pytest.mark.parametrize("name", sorted(FILES.keys() - DAYS.keys()))
def test_a_recording_keeps_the_promises_of_its_fields(name: str) -> None:
    (recording,) = formats.read(FILES[name], name="a")
    check(recording)
    assert recording.format == name


def check(recording: Recording) -> None:
    """Assert what everybody who works with a recording relies on."""
    assert recording.started_at.utcoffset() is not None
    assert 0 <= recording.timer_s <= recording.elapsed_s
    assert set(recording.streams) <= set(STREAMS)
    assert all(pause.duration_s > 0 and pause.start_s >= 0 for pause in recording.pauses)
    assert all(lap.start_s >= 0 and 0 <= lap.timer_s <= lap.elapsed_s for lap in recording.laps)
    assert recording.distance_m is None or 0 <= recording.distance_m < float("inf")
    assert recording.device.isprintable()
    assert recording.name.isprintable()
    assert all(note.endswith(".") for note in recording.notes)
    time_s = recording.streams.get("time_s")
    if time_s is not None:
        assert time_s[0] >= 0
        assert (np.diff(time_s) > 0).all()
        assert {len(values) for values in recording.streams.values()} == {len(time_s)}
        assert {values.dtype.name for values in recording.streams.values()} == {"float64"}


def test_a_format_has_one_reader() -> None:
    with pytest.raises(ValueError, match="has a reader already"):
        reader("fit", claims=lambda data: False)(lambda data: ())


def test_sentences_for_people_end_like_sentences_and_do_not_shout() -> None:
    modules = (archive, foreign, gpx, moments, notes, refusal, row, tcx, unpack)
    words = [value for module in modules for value in vars(module).values() if isinstance(value, str) and " " in value]
    tables = (foreign.MAGIC, foreign.ROOTS, gpx.INSTEAD)
    words += [sentence for table in tables for sentence in table.values()]
    sentences = [word for word in words if re.match(r"[A-Z]", word) and word not in (archive.__doc__, foreign.__doc__)]
    assert len(sentences) > 20
    assert [sentence for sentence in sentences if not sentence.rstrip().endswith(".") or "!" in sentence] == []

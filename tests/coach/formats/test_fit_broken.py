"""What the reader makes of damaged FIT files and of devices that were wrong."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from coach import formats
from coach.formats import Recording, Unreadable, notes
from coach.formats.recording import Pause
from tests.traps import fit_bytes as fit


def one(data: bytes) -> Recording:
    (recording,) = formats.read(data, name="a.fit")
    return recording


def whole() -> bytes:
    return fit.summary(fit.run(fit.begin()), elapsed=60, timer=60, total_distance=177.0).bytes()


def refused(data: bytes) -> str:
    with pytest.raises(Unreadable) as refusal:
        formats.read(data, name="a.fit")
    return str(refusal.value)


def test_a_wrong_checksum_is_noted_and_everything_is_read() -> None:
    recording = one(whole()[:-2] + b"\x12\x34")
    assert len(recording.streams["time_s"]) == 60
    assert recording.notes == (notes.CHECKSUM,)


def test_of_a_file_that_breaks_off_the_samples_before_the_break_are_kept() -> None:
    data = fit.run(fit.begin(), samples=600).bytes()
    recording = one(data[: len(data) * 2 // 3])
    samples = len(recording.streams["time_s"])
    assert 350 < samples < 450
    assert (recording.timer_s, recording.distance_m) == (samples - 1, (samples - 1) * 3)
    assert recording.notes == (notes.broken(samples), notes.NO_SUMMARY)


def test_bytes_that_are_not_understood_end_the_reading_without_loss() -> None:
    file = fit.run(fit.begin(), samples=50)
    recording = one(file.raw(b"\x4f" + b"\xee" * 300).bytes())
    assert len(recording.streams["time_s"]) == 50
    assert notes.broken(50) in recording.notes


def test_a_file_whose_size_was_never_filled_in_is_read_to_its_end() -> None:
    recording = one(fit.run(fit.begin(), samples=50).bytes(claimed_size=0))
    assert len(recording.streams["time_s"]) >= 49
    assert notes.NO_SUMMARY in recording.notes


def test_samples_after_the_last_summary_of_a_broken_multisport_file_are_a_recording_too() -> None:
    file = fit.summary(fit.run(fit.begin()), elapsed=60, timer=60, sport=fit.SWIMMING)
    data = fit.run(file, samples=100, first=70).bytes()
    swim, rest = formats.read(data[:-600], name="a.fit")
    assert (swim.sport, swim.timer_s) == ("swimming", 60)
    assert rest.started_at == fit.START + timedelta(seconds=70)
    assert len(swim.streams["time_s"]) == 60


def test_pauses_of_a_file_without_summary_come_from_its_events() -> None:
    file = fit.timer(fit.run(fit.begin(), samples=30), at_s=30, kind=fit.STOP_ALL)
    fit.run(fit.timer(file, at_s=90, kind=fit.START_TIMER), samples=31, first=90)
    recording = one(file.bytes())
    assert recording.pauses == (Pause(start_s=30, duration_s=60),)
    assert (recording.elapsed_s, recording.timer_s) == (120, 60)


def test_fields_of_a_wrong_size_are_passed_over() -> None:
    file = fit.run(fit.begin(), power=b"\x01\x02\x03", heart_rate=140)
    recording = one(fit.summary(file, elapsed=60, timer=60).bytes())
    assert "power_w" not in recording.streams
    assert set(recording.streams["heart_rate_bpm"]) == {140}


def test_timer_and_elapsed_time_the_wrong_way_round_are_swapped() -> None:
    file = fit.run(fit.run(fit.begin(), samples=300), samples=300, first=5000)
    recording = one(fit.summary(file, elapsed=600, timer=5300).bytes())
    assert (recording.timer_s, recording.elapsed_s) == (600, 5300)
    assert recording.notes == (notes.SWAPPED,)
    assert sum(pause.duration_s for pause in recording.pauses) == pytest.approx(4700)


def test_an_elapsed_time_shorter_than_the_samples_gives_way() -> None:
    recording = one(fit.summary(fit.run(fit.begin(), samples=600), elapsed=350, timer=600).bytes())
    assert (recording.timer_s, recording.elapsed_s) == (600, 600)
    assert recording.notes == (notes.LONGER,)


def test_a_timer_above_the_elapsed_time_by_rounding_is_no_matter() -> None:
    recording = one(fit.summary(fit.run(fit.begin(), samples=600), elapsed=599.2, timer=600).bytes())
    assert (recording.timer_s, recording.elapsed_s, recording.notes) == (600, 600, ())


def test_without_samples_the_timer_is_held_to_the_elapsed_time() -> None:
    recording = one(fit.summary(fit.begin(), elapsed=600, timer=900).bytes())
    assert (recording.timer_s, recording.elapsed_s) == (600, 600)


def test_a_clock_that_jumps_ahead_is_evened_out() -> None:
    file = fit.run(fit.begin(), samples=300)
    fit.run(file, at=fit.START + timedelta(days=20), samples=300, first=300)
    file.add("lap", start_time=fit.seconds(fit.START) + 400 + 20 * 86_400, total_elapsed_time=60.0)
    recording = one(fit.summary(file, elapsed=599, timer=599).bytes())
    assert recording.streams["time_s"].tolist() == list(range(600))
    assert (recording.timer_s, recording.elapsed_s, recording.pauses) == (599, 599, ())
    assert recording.laps[0].start_s == 400
    assert recording.notes == (notes.clock_set(20 * 86_400),)


def test_a_clock_that_jumps_without_a_summary_is_evened_out_too() -> None:
    file = fit.run(fit.begin(), samples=300)
    recording = one(fit.run(file, at=fit.START + timedelta(days=20), samples=300, first=300).bytes())
    assert recording.elapsed_s == 599


def test_a_clock_that_is_set_back_does_not_turn_time_around() -> None:
    file = fit.run(fit.begin(), samples=300)
    fit.run(file, at=fit.START - timedelta(hours=1), samples=300, first=300)
    recording = one(fit.summary(file, elapsed=599, timer=599).bytes())
    assert recording.streams["time_s"].tolist() == list(range(600))
    assert (np.diff(recording.streams["distance_m"]) >= 0).all()


def test_records_out_of_order_are_put_in_order_and_repeated_ones_joined() -> None:
    file = fit.begin()
    for second in (0, 1, 3, 2, 4, 4, 5):
        fit.run(file, samples=1, first=second)
    recording = one(fit.summary(file, elapsed=5, timer=5).bytes())
    assert recording.streams["time_s"].tolist() == [0, 1, 2, 3, 4, 5]
    assert recording.notes == ()


def test_a_timer_that_stood_still_for_weeks_is_kept_and_doubted() -> None:
    weeks = 27 * 86_400
    file = fit.timer(fit.run(fit.begin(), samples=4), at_s=4, kind=fit.STOP_ALL)
    fit.run(fit.timer(file, at_s=weeks, kind=fit.START_TIMER), samples=600, first=weeks)
    recording = one(fit.summary(file, elapsed=weeks + 600, timer=604).bytes())
    assert (recording.timer_s, recording.elapsed_s) == (604, weeks + 600)
    assert recording.pauses == (Pause(start_s=4, duration_s=weeks - 4),)
    assert recording.notes == (notes.long_pause(weeks - 4),)


def test_a_device_without_a_date_takes_its_local_time() -> None:
    file = fit.begin()
    for index in range(60):
        file.add("record", timestamp=17_217_864 + index, heart_rate=140)
    local = fit.seconds(datetime(2026, 2, 13, 12, 21, tzinfo=UTC))
    file.add("activity", timestamp=17_217_924, total_timer_time=60.0, local_timestamp=local)
    file.add("session", start_time=17_217_864, total_elapsed_time=60.0, total_timer_time=60.0, sport=fit.RUNNING)
    recording = one(file.bytes())
    assert recording.started_at == datetime(2026, 2, 13, 12, 20, tzinfo=UTC)
    assert recording.utc_offset_min == 0
    assert recording.notes == (notes.CLOCK_UNSET,)


@pytest.mark.parametrize("at", [datetime(1991, 1, 1, tzinfo=UTC), datetime(2089, 1, 1, tzinfo=UTC)])
def test_a_date_that_cannot_be_is_kept_to_be_asked_about(at: datetime) -> None:
    assert one(fit.summary(fit.run(fit.begin(), at=at), at=at, elapsed=60, timer=60).bytes()).started_at == at


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (fit.SETTINGS, "the settings of a device"),
        (fit.WORKOUT, "a planned workout"),
        (fit.WEIGHT, "weigh-ins"),
        (fit.MONITORING, "the steps and heart rate of a day"),
    ],
)
def test_other_files_of_a_device_are_named_and_refused(kind: int, words: str) -> None:
    assert refused(fit.begin(kind=kind).bytes()).startswith(f"The file holds {words}, not a recording.")


def test_a_course_is_no_recording_although_it_has_points() -> None:
    data = fit.run(fit.begin(kind=fit.COURSE)).bytes()
    assert refused(data).startswith("The file holds a course to follow")


def test_an_activity_that_was_stopped_before_it_began_says_so() -> None:
    assert refused(fit.begin().bytes()) == ("The FIT file holds no samples: the recording was stopped before it began.")


def test_a_file_that_breaks_off_before_its_first_sample_says_so() -> None:
    assert "damaged before its first sample" in refused(whole()[:20])

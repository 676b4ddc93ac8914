"""The real FIT files: decoded at once they hold what the decoder reads, and the streams that they are known for."""

import gzip

import pytest

from coach.formats.fit import frames
from tests.coach.formats.expected import EXPECTED
from tests.coach.formats.test_fit_bulk import told
from tests.coach.formats.test_samples import ROOT, read
from tests.coach.formats.test_samples import pytestmark as samples

pytestmark = samples
FILES = [row.file for row in EXPECTED if ".fit" in row.file and row.file != "sportslib__empty-sessions.fit"]
DYNAMICS = {
    "vertical_oscillation_mm",
    "vertical_ratio_pct",
    "stance_time_ms",
    "stance_time_balance_pct",
    "step_length_mm",
}
# What the makers of these files are known to record.
STREAMS = {
    "sportslib__6860622783.fit": {
        *DYNAMICS, "form_power_w", "air_power_w", "leg_spring_stiffness_kn_per_m", "power_w", "respiration_per_min",
        "muscle_oxygen_pct", "haemoglobin_g_per_dl",
    },
    "sportslib__6916663933.fit": {*DYNAMICS, "power_w"},
    "runalyze__garmin-runPower.fit": {*DYNAMICS, "stance_time_pct", "power_w"},
    "goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit": {
        "core_temperature_c", "skin_temperature_c", "grade_pct",
    },
    "goldencheetah__FR55-CoreTemp-Walk.fit": {"skin_temperature_c"},
    "sportslib__7386755164.fit": {
        "right_balance_pct", "left_torque_effectiveness_pct", "right_pedal_smoothness_pct", "temperature_c",
    },
    "fitparse__developer-types-sample.fit": {"form_power_w", "leg_spring_stiffness_kn_per_m", "stance_time_ms"},
    "sportslib__6914538454.fit": {"vertical_speed_mps"},
}  # fmt: skip
# How many intervals between beats the decoder finds.
BEATS = {
    "runalyze__HRV-example.fit": 146,
    "runalyze__FR630-with-lth.fit": 2150,
    "sportslib__6783622686.fit": 51_593,
    "sportslib__7386755164.fit": 13_896,
    "sportslib__6860622783.fit": 4278,
}


@pytest.mark.parametrize("file", FILES)
def test_a_real_file_decoded_at_once_is_what_the_decoder_reads(file: str) -> None:
    data = (ROOT / "fit" / file).read_bytes()
    data = frames.closed(gzip.decompress(data) if file.endswith(".gz") else data)
    assert [told(part) for part in frames.in_bulk(data)] == [told(part) for part in frames.decoded(data)]


@pytest.mark.parametrize("file", STREAMS)
def test_a_real_file_has_the_streams_of_its_maker(file: str) -> None:
    (recording,) = read(f"fit/{file}")
    assert STREAMS[file] <= set(recording.streams)


@pytest.mark.parametrize("file", BEATS)
def test_a_real_file_has_its_beats(file: str) -> None:
    (recording,) = read(f"fit/{file}")
    assert len(recording.series["rr_interval_s"]) == BEATS[file]
    # Together they take as long as the heart rate says: the watch's own rate is made of them.
    assert 40 < 60 / float(recording.series["rr_interval_s"].mean()) < 200


def test_gear_changes_and_scores_of_the_device_are_kept() -> None:
    (ride,) = read("fit/sportslib__7386755164.fit")
    changes = [event for event in ride.events if event.name == "rear_gear_change"]
    assert len(changes) == 389
    assert {event.value for event in changes} <= set(range(1, 12))
    assert ride.device_summary["normalized_power_w"] == 179
    assert ride.device_summary["training_stress_score"] == pytest.approx(105.4)
    assert ride.device_summary["training_effect"] == pytest.approx(3.2)
    (zwift,) = read("fit/runalyze__Zwift-bad-training-effect.fit")
    assert "training_effect" not in zwift.device_summary

"""The demo's files through the project's own readers: what was encoded is what an import sees."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, time
from functools import cache

import numpy as np
import pytest

from coach.demo import fit, gpx, tcx
from coach.demo.outing import recorded
from coach.demo.stretches import stretch
from coach.demo.traps import refused
from coach.demo.week import Planned
from coach.demo.workouts import WORKOUTS
from coach.formats import Unreadable, read
from coach.formats.recording import Recording

ENCODERS: dict[str, Callable[[Recording], bytes]] = {"fit": fit.encode, "gpx": gpx.encode, "tcx": tcx.encode}
AVERAGES = ("avg_heart_rate_bpm", "avg_power_w", "avg_cadence_rpm")
OUTDOOR = ("ride_long", "ride_vo2", "run_easy", "run_intervals", "run_race_10k")
CASES = [
    *((ending, name) for ending in ENCODERS for name in OUTDOOR),
    ("fit", "swim"),
    ("fit", "hike"),
    ("gpx", "hike"),
    ("fit", "treadmill"),
    ("tcx", "treadmill"),
    ("fit", "trainer_short"),
    ("tcx", "trainer_short"),
]


@cache
def there_and_back(ending: str, name: str) -> tuple[Recording, Recording]:
    """Return the recording as it was made and as it is read from a file."""
    planned = Planned(workout=name, at=time(9, 30), effort=1.0)
    made = recorded(planned, day=date(2026, 5, 2), rng=np.random.default_rng(4), seed=1)
    (found,) = read(ENCODERS[ending](replace(made, format=ending)), name=f"session.{ending}")
    return made, found


def averages(recording: Recording) -> dict[str, float]:
    whole = stretch(recording, from_s=0.0, to_s=recording.elapsed_s)
    return {name: value for name, value in whole.summary.items() if name in AVERAGES}


@pytest.mark.parametrize(("ending", "name"), CASES)
def test_times_and_distance_come_back(ending: str, name: str) -> None:
    made, found = there_and_back(ending, name)
    assert found.started_at == made.started_at
    assert found.timer_s == pytest.approx(made.timer_s, abs=1)
    assert found.elapsed_s == pytest.approx(made.elapsed_s, abs=1)
    assert found.distance_m == pytest.approx(made.distance_m, rel=0.01)


@pytest.mark.parametrize(("ending", "name"), CASES)
def test_heart_rate_power_and_cadence_come_back(ending: str, name: str) -> None:
    made, found = there_and_back(ending, name)
    assert averages(found) == pytest.approx(averages(made), rel=0.005)


@pytest.mark.parametrize(("ending", "name"), CASES)
def test_every_sample_comes_back(ending: str, name: str) -> None:
    made, found = there_and_back(ending, name)
    np.testing.assert_allclose(found.streams["time_s"], made.streams["time_s"])


@pytest.mark.parametrize(("ending", "name"), CASES)
def test_pauses_come_back(ending: str, name: str) -> None:
    made, found = there_and_back(ending, name)
    expected = [(pause.start_s, pause.duration_s) for pause in made.pauses]
    assert [(pause.start_s, pause.duration_s) for pause in found.pauses] == expected


@pytest.mark.parametrize(("ending", "name"), [case for case in CASES if case[0] != "gpx"])
def test_laps_come_back(ending: str, name: str) -> None:
    made, found = there_and_back(ending, name)
    assert [lap.timer_s for lap in found.laps] == pytest.approx([lap.timer_s for lap in made.laps], abs=1)


@pytest.mark.parametrize(("ending", "name"), [case for case in CASES if case != ("tcx", "treadmill")])
def test_the_sport_and_whether_it_was_indoors_come_back(ending: str, name: str) -> None:
    made, found = there_and_back(ending, name)
    assert found.sport == made.sport == WORKOUTS[name].sport
    assert found.indoor == made.indoor
    assert not found.virtual


@pytest.mark.parametrize(("ending", "name"), CASES)
def test_a_sound_file_leaves_no_doubts(ending: str, name: str) -> None:
    _made, found = there_and_back(ending, name)
    assert found.notes == ()


def test_fit_tells_what_only_fit_can() -> None:
    made, found = there_and_back("fit", "ride_long")
    assert found.barometric
    assert found.utc_offset_min == 120
    assert found.ascent_m == pytest.approx(made.ascent_m, abs=1)
    assert found.device.endswith("Demo head unit")
    assert found.device_summary["normalized_power_w"] == pytest.approx(made.device_summary["normalized_power_w"], abs=1)


def test_a_pool_swim_tells_its_pool() -> None:
    _made, found = there_and_back("fit", "swim")
    assert found.pool_length_m == 25.0


@pytest.mark.parametrize(("number", "sentence"), [(0, "empty"), (1, "settings")])
def test_the_files_without_a_recording_are_refused_with_a_reason(number: int, sentence: str) -> None:
    file = refused()[number]
    with pytest.raises(Unreadable, match=sentence):
        read(file.data, name=file.name)

"""The demo athlete's sessions: what her body, the hills and her devices make of a plan."""

from datetime import date, time, timedelta
from itertools import pairwise

import numpy as np
import pytest

from coach.demo.body import fitness_on, heart_rate
from coach.demo.outing import recorded
from coach.demo.season import AWAY, HOLIDAY_DAYS, HOME
from coach.demo.terrain import loop
from coach.demo.week import HOLIDAY, PATTERNS, Planned, planned_on
from coach.demo.workouts import EASIER, WORKOUTS
from coach.formats.recording import Array, Recording

DAY = date(2026, 4, 14)


def outing(workout: str, *, day: date = DAY, draw: int = 0) -> Recording:
    planned = Planned(workout=workout, at=time(18, 0), effort=1.0)
    return recorded(planned, day=day, rng=np.random.default_rng(draw), seed=1)


def timer_gaps(recording: Recording) -> Array:
    """Return the seconds between samples without the pauses."""
    gaps = np.diff(recording.streams["time_s"])
    starts = {pause.start_s for pause in recording.pauses}
    return np.array(
        [gap for at, gap in zip(recording.streams["time_s"], gaps, strict=False) if at not in starts or gap < 20]
    )


@pytest.mark.parametrize("name", WORKOUTS)
def test_times_grow_and_no_gap_is_too_long_to_hold(name: str) -> None:
    for draw in range(3):
        gaps = timer_gaps(outing(name, draw=draw))
        assert gaps.min() > 0
        assert gaps.max() <= 10


@pytest.mark.parametrize("name", WORKOUTS)
def test_what_is_stated_agrees_with_the_samples(name: str) -> None:
    recording = outing(name)
    streams = recording.streams
    assert recording.elapsed_s == streams["time_s"][-1]
    assert recording.timer_s == recording.elapsed_s - sum(pause.duration_s for pause in recording.pauses)
    assert recording.distance_m == streams["distance_m"][-1]
    assert np.diff(streams["distance_m"]).min() >= 0


@pytest.mark.parametrize("name", WORKOUTS)
def test_laps_follow_each_other_from_start_to_end(name: str) -> None:
    recording = outing(name)
    ends = [lap.start_s + lap.elapsed_s for lap in recording.laps]
    assert [lap.start_s for lap in recording.laps] == [0.0, *ends[:-1]]
    assert ends[-1] == recording.elapsed_s
    assert sum(lap.timer_s for lap in recording.laps) == recording.timer_s
    assert sum(lap.distance_m or 0.0 for lap in recording.laps) == pytest.approx(recording.distance_m)


@pytest.mark.parametrize("name", WORKOUTS)
def test_sensors_stay_within_what_a_body_can_do(name: str) -> None:
    streams = outing(name).streams
    assert np.nanmin(streams["heart_rate_bpm"]) > 50
    assert np.nanmax(streams["heart_rate_bpm"]) <= 188
    assert streams["speed_mps"].max() <= 16
    if "power_w" in streams:
        assert 0 <= streams["power_w"].min() < streams["power_w"].max() < 500


def test_heart_rate_follows_power_with_a_lag() -> None:
    recording = outing("trainer_short")
    power = np.interp(np.arange(recording.timer_s), recording.streams["time_s"], recording.streams["power_w"])
    beats = np.interp(np.arange(recording.timer_s), recording.streams["time_s"], recording.streams["heart_rate_bpm"])
    fits = [np.corrcoef(power[: len(power) - 90], beats[lag : len(beats) - 90 + lag])[0, 1] for lag in range(90)]
    assert 10 <= int(np.argmax(fits)) <= 60
    assert max(fits) > 0.7


def test_heart_rate_drifts_upwards_at_even_effort() -> None:
    beats = heart_rate([0.75] * 5400, sport="cycling", fitness=fitness_on(DAY), strain_bpm=0.0, standing={})
    assert 2 < beats[-1] - beats[900] < 8


def test_she_is_slower_uphill() -> None:
    streams = outing("ride_endurance").streams
    grade = np.diff(streams["altitude_m"]) / np.maximum(np.diff(streams["distance_m"]), 1.0)
    speed = streams["speed_mps"][1:]
    assert speed[grade > 0.03].mean() < 0.7 * speed[grade < -0.01].mean()


def test_positions_are_as_far_apart_as_the_distance_says() -> None:
    streams = outing("run_long").streams
    north = np.diff(np.radians(streams["latitude_deg"])) * 6_371_008.8
    east = np.diff(np.radians(streams["longitude_deg"])) * 6_371_008.8 * np.cos(np.radians(HOME.latitude_deg))
    assert np.hypot(north, east).sum() == pytest.approx(streams["distance_m"][-1], rel=0.005)


def test_a_loop_ends_where_it_begins() -> None:
    route = loop(HOME, name="mill", length_km=9, seed=1)
    assert route.length_m == 9000
    assert route.latitude_deg[0] == route.latitude_deg[-1] == pytest.approx(HOME.latitude_deg)
    assert route.altitude_m[0] == pytest.approx(route.altitude_m[-1])
    assert np.abs(route.grade).max() < 0.2


def test_a_session_begins_at_its_local_time_whatever_the_season_of_the_clock() -> None:
    winter, summer = outing("run_easy", day=date(2026, 3, 28)), outing("run_easy", day=date(2026, 3, 29))
    assert (winter.utc_offset_min, summer.utc_offset_min) == (60, 120)
    assert summer.started_at - winter.started_at == timedelta(hours=23)


def test_an_evening_run_on_holiday_is_on_the_next_day_in_utc() -> None:
    run = outing("run_easy", day=date(2026, 6, 16))
    assert run.utc_offset_min == -420
    assert run.started_at.date() == date(2026, 6, 17)
    assert run.streams["latitude_deg"][0] == AWAY.latitude_deg


@pytest.mark.parametrize(("name", "distance_m"), [("run_race_10k", 10_040), ("run_race_half", 21_190)])
def test_a_foot_race_ends_at_its_distance(name: str, distance_m: float) -> None:
    assert outing(name).distance_m == pytest.approx(distance_m, abs=5)


def test_intervals_are_laps() -> None:
    laps = [lap.timer_s for lap in outing("ride_vo2").laps]
    assert laps[1:11] == [240.0, 210.0] * 5


def test_every_planned_workout_exists() -> None:
    slots = [slot for week in PATTERNS.values() for day in week.values() for slot in day]
    slots += [slot for day in HOLIDAY.values() for slot in day]
    names = {name for _, names in slots for name in names if name}
    assert names | EASIER.keys() | set(EASIER.values()) <= WORKOUTS.keys()


def test_the_first_and_the_last_day_of_a_holiday_are_for_travel() -> None:
    assert 0 < min(HOLIDAY) <= max(HOLIDAY) < HOLIDAY_DAYS - 1


def test_sessions_of_one_day_never_overlap() -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(365)]
    for day in days:
        planned = planned_on(day, rng=np.random.default_rng(3))
        for before, after in pairwise(planned):
            assert before.at.hour + WORKOUTS[before.workout].minutes * before.effort / 60 + 1 < after.at.hour

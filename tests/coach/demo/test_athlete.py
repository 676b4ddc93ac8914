"""The demo athlete's files as a whole: the same for the same day, and growing with the days."""

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from coach.demo.__main__ import main
from coach.demo.athlete import DemoFile, files_of, first_day, profile, recordings, thresholds
from coach.demo.season import HOME, place_on

UNTIL = date(2026, 11, 29)
REFUSED = {"interrupted-recording.fit", "Settings.fit"}


@pytest.fixture(scope="module")
def whole() -> list[DemoFile]:
    return list(recordings(until=UNTIL))


def by_name(*, until: date, seed: int = 1) -> dict[str, bytes]:
    return {file.name: file.data for file in recordings(until=until, months=1, seed=seed)}


def dated(files: list[DemoFile]) -> list[date]:
    """Return the days in the names; copies and refused files have none."""
    return [date.fromisoformat(file.name[:10]) for file in files if file.name[:2] == "20"]


def test_the_same_day_gives_the_same_bytes() -> None:
    assert by_name(until=date(2026, 3, 20)) == by_name(until=date(2026, 3, 20))


def test_a_later_day_only_adds_files() -> None:
    sooner, later = by_name(until=date(2026, 3, 12)), by_name(until=date(2026, 3, 26))
    assert sooner.items() < later.items()


def test_a_file_is_the_same_whatever_the_number_of_months(whole: list[DemoFile]) -> None:
    everything = {file.name: file.data for file in whole}
    assert by_name(until=UNTIL).items() <= everything.items()


def test_another_seed_gives_another_athlete() -> None:
    first = by_name(until=date(2026, 3, 12))
    other = by_name(until=date(2026, 3, 12), seed=2)
    assert {name for name in first if other.get(name) == first[name]} == REFUSED


def test_the_first_day_is_the_first_of_the_month_so_many_months_before() -> None:
    assert first_day(date(2026, 11, 29), months=18) == date(2025, 5, 1)
    assert first_day(date(2026, 1, 31), months=1) == date(2025, 12, 1)


def test_eighteen_months_keep_within_their_budget(whole: list[DemoFile]) -> None:
    points = sum(file.data.count(b"<trkpt") + file.data.count(b"<Trackpoint>") for file in whole)
    fit_bytes = sum(len(file.data) for file in whole if file.name.endswith(".fit"))
    assert 380 <= len(whole) <= 430
    assert sum(len(file.data) for file in whole) < 60_000_000
    assert points + fit_bytes / 24 < 400_000  # a FIT record takes 24 bytes in the mean


def test_names_are_used_once(whole: list[DemoFile]) -> None:
    assert max(Counter(file.name for file in whole).values()) == 1


def test_about_half_of_the_files_are_fit(whole: list[DemoFile]) -> None:
    endings = Counter(file.name.rpartition(".")[2] for file in whole)
    assert endings.keys() == {"fit", "gpx", "tcx"}
    assert 0.5 < endings["fit"] / len(whole) < 0.7


def test_sessions_come_in_the_order_of_their_days(whole: list[DemoFile]) -> None:
    assert dated(whole) == sorted(dated(whole))


def test_most_weeks_have_four_to_six_sessions(whole: list[DemoFile]) -> None:
    weeks = Counter(day.isocalendar()[:2] for day in dated(whole))
    assert max(weeks.values()) <= 8
    assert sum(4 <= count <= 6 for count in weeks.values()) / len(weeks) > 0.75


def test_some_files_are_copies_under_another_name(whole: list[DemoFile]) -> None:
    copied = [count for count in Counter(file.data for file in whole).values() if count > 1]
    assert copied
    assert set(copied) == {2}


def test_two_files_hold_no_recording(whole: list[DemoFile]) -> None:
    refused = {file.name: file.data for file in whole if file.name in REFUSED}
    assert refused["interrupted-recording.fit"] == b""
    assert refused["Settings.fit"][8:12] == b".FIT"


def test_an_illness_of_nine_days_leaves_a_gap(whole: list[DemoFile]) -> None:
    days = dated(whole)
    gaps = [(after - before).days - 1 for before, after in pairwise(days)]
    assert max(gaps) >= 9


def test_nothing_is_recorded_while_she_is_ill() -> None:
    ill = [date(2026, 2, 3) + timedelta(days=2026 * 5 % 7 + number) for number in range(9)]
    assert [list(files_of(day)) for day in ill] == [[]] * 9


def test_a_holiday_is_spent_in_another_time_zone() -> None:
    away = [date(2026, 6, 1) + timedelta(days=number) for number in range(30)]
    zones = Counter(place_on(day).zone.key for day in away)
    assert zones == {"America/Los_Angeles": 10, "Europe/Berlin": 20}


def test_the_weeks_when_the_clocks_change_have_sessions_on_both_sides(whole: list[DemoFile]) -> None:
    days = set(dated(whole))
    for sunday in (date(2025, 10, 26), date(2026, 3, 29), date(2026, 10, 25)):
        week = {sunday - timedelta(days=number) for number in range(1, 7)}
        after = {sunday + timedelta(days=number) for number in range(3)}
        assert week & days
        assert after & days


def test_thresholds_hold_from_the_first_day_and_change_with_the_tests() -> None:
    found = thresholds(until=UNTIL)
    first = {threshold.kind for threshold in found if threshold.valid_from <= first_day(UNTIL, months=18)}
    assert first == {"ftp_w", "lthr_bpm", "hr_max_bpm", "hr_rest_bpm", "threshold_pace_s_per_km"}
    assert len({threshold.valid_from for threshold in found if threshold.kind == "ftp_w"}) >= 6
    assert all(threshold.valid_from <= UNTIL for threshold in found)


def test_later_thresholds_only_add() -> None:
    sooner, later = thresholds(until=date(2026, 11, 1)), thresholds(until=UNTIL)
    assert set(sooner) < set(later)


def test_the_profile_lives_at_home() -> None:
    assert profile().time_zone == HOME.zone.key


def test_the_command_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    assert main([str(folder), "--months", "1", "--until", "2026-03-12"]) == 0
    expected = by_name(until=date(2026, 3, 12))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected
    assert capsys.readouterr().out.startswith(f"Wrote {len(expected)} files, ")

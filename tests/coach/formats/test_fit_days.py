"""FIT files that are no recordings: weigh-ins, sleep, HRV, a day's resting heart rate; the rest is refused politely."""

from datetime import UTC, date, datetime, timedelta

import pytest

from coach import formats
from coach.formats import Contents, NoTraining, Unreadable
from coach.formats.fit import days
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples
from tests.traps import fit_bytes as fit

EVENING = datetime(2026, 8, 1, 21, 0, tzinfo=UTC)


def contents(made: fit.FitFile) -> Contents:
    return formats.contents(made.bytes(), name="x.fit")


def night(begin: datetime) -> fit.FitFile:
    """Awake for 30 minutes, then light, deep, REM, light for two hours each."""
    made = fit.begin(kind=fit.SLEEP)
    for minutes, level in ((0, fit.AWAKE), (30, fit.LIGHT), (150, fit.DEEP), (270, fit.REM), (390, fit.LIGHT)):
        made.add("sleep_level", timestamp=fit.seconds(begin + timedelta(minutes=minutes)), sleep_level=level)
    return made.add("sleep_level", timestamp=fit.seconds(begin + timedelta(minutes=510)), sleep_level=fit.UNMEASURABLE)


def test_a_weigh_in_is_read() -> None:
    made = fit.begin(kind=fit.WEIGHT).add("weight_scale", timestamp=fit.seconds(EVENING), weight=75.8, percent_fat=22.3)
    made.add("weight_scale", timestamp=fit.seconds(EVENING), weight=None)
    found = [(measure.provider, measure.metric, measure.value, measure.at) for measure in contents(made).measures]
    assert found == [("Garmin", "weight_kg", 75.8, EVENING), ("Garmin", "body_fat_pct", 22.3, EVENING)]


@pytest.mark.parametrize(
    ("begin", "wake_date"),
    [
        (datetime(2026, 8, 1, 21, 0, tzinfo=UTC), date(2026, 8, 2)),  # Berlin
        (datetime(2026, 8, 2, 5, 0, tzinfo=UTC), date(2026, 8, 2)),  # Denver
        (datetime(2026, 8, 1, 13, 0, tzinfo=UTC), date(2026, 8, 2)),  # Tokyo, where it ends in the evening of UTC
    ],
)
def test_a_night_is_read_by_its_stages_and_named_by_the_morning(begin: datetime, wake_date: date) -> None:
    (found,) = contents(night(begin)).nights
    assert (found.provider, found.wake_date, found.start_at) == ("Garmin", wake_date, begin)
    assert found.end_at == begin + timedelta(minutes=510)
    assert found.asleep_min == 480
    assert found.stages == {"awake": 30, "light": 240, "deep": 120, "rem": 120}
    assert (found.time_zone, found.utc_offset_min) == ("", None)


def test_the_hrv_of_a_night_is_read() -> None:
    made = fit.begin(kind=fit.HRV_STATUS).add(
        "hrv_status_summary", timestamp=fit.seconds(EVENING), weekly_average=50.5, last_night_average=58.25
    )
    (found,) = contents(made).measures
    assert (found.metric, found.value, found.local_date) == ("hrv_rmssd_ms", 58.25, date(2026, 8, 2))


def test_the_resting_heart_rate_of_a_day_is_the_last_one_on_the_watch_s_own_day() -> None:
    late = datetime(2026, 8, 1, 23, 30, tzinfo=UTC)
    made = fit.begin(kind=fit.MONITORING).add(
        "monitoring_info", timestamp=fit.seconds(EVENING), local_timestamp=fit.seconds(EVENING) + 7200
    )
    for at, rate in ((EVENING, 55), (EVENING + timedelta(minutes=5), 53), (late, 51)):
        made.add(
            "monitoring_hr_data", timestamp=fit.seconds(at), resting_heart_rate=60, current_day_resting_heart_rate=rate
        )
    found = [(measure.local_date.day, measure.value) for measure in contents(made).measures]
    assert found == [(1, 53), (2, 51)]


def test_settings_plans_and_days_without_values_are_refused_politely() -> None:
    for kind in (fit.SETTINGS, fit.WORKOUT, fit.COURSE, fit.MONITORING, fit.WEIGHT):
        with pytest.raises(NoTraining, match=r"The file holds .*\.$"):
            contents(fit.begin(kind=kind))


def test_a_recording_is_not_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fit.begin()
    for _ in range(50):
        made.add("weight_scale", timestamp=fit.seconds(EVENING), weight=75.8)
    assert days.days(made.bytes()) == Contents()


@pytest.mark.parametrize("kept", [0.9, 0.95])
def test_what_breaks_off_is_kept_up_to_the_break(kept: float) -> None:
    data = night(EVENING).bytes()
    assert len(formats.contents(data[: int(len(data) * kept)], name="x.fit").nights) == 1
    with pytest.raises(Unreadable):
        formats.contents(data[:30], name="x.fit")


@pytest.mark.samples
@samples[-1]
def test_the_weigh_ins_of_the_sample_are_read() -> None:
    data = (ROOT / "fit/fitparse__WeightScaleSingleUser.fit").read_bytes()
    found = [(measure.metric, measure.value) for measure in formats.contents(data, name="x").measures]
    assert found == [("weight_kg", 75.8), ("body_fat_pct", 22.3), ("weight_kg", 76.09), ("body_fat_pct", 25.1)]

"""The real recordings measured as an import does: moving time, ascent, averages, zones and pools."""

import pytest

from coach import places
from coach.metrics import terrain
from coach.metrics.prepare import prepare
from coach.metrics.session import SessionMetrics, summarize
from tests.coach.formats import measures
from tests.coach.formats.expected import EXPECTED, Expected
from tests.coach.formats.test_samples import pytestmark as samples
from tests.coach.formats.test_samples import read, told

pytestmark = samples
ROWS = {row.file: row for row in EXPECTED if row.importable}


def measured(file: str) -> list[SessionMetrics]:
    return [summarize(found, thresholds={}, sex="m", age=None) for found in read(ROWS[file].path)]


@pytest.mark.parametrize("file", measures.MOVING_S)
def test_moving_time_is_that_of_the_service(file: str) -> None:
    found = measured(file)[0].moving_s
    if file in measures.MOVING_DEVIATES:
        assert found == pytest.approx(measures.MOVING_DEVIATES[file][0], abs=1)
    else:
        assert found == pytest.approx(measures.MOVING_S[file], rel=0.01)


@pytest.mark.parametrize("file", ROWS)
def test_moving_time_is_no_longer_than_the_timer(file: str) -> None:
    assert all(found.moving_s <= found.timer_s <= found.elapsed_s for found in measured(file))


@pytest.mark.parametrize("file", measures.ASCENT_M)
def test_ascent_is_that_of_the_device(file: str) -> None:
    for found, ascent_m in zip(measured(file), measures.ASCENT_M[file], strict=True):
        if ascent_m is not None:
            assert found.ascent_m == pytest.approx(ascent_m, rel=0.03)


def test_altitudes_of_a_pressure_sensor_give_the_ascent_of_the_device() -> None:
    wrong = []
    for file, (stated_m, *_) in measures.ASCENT_M.items():
        recording = read(ROWS[file].path)[0]
        if not recording.barometric or not stated_m:
            continue
        own = terrain.ascent_m(prepare(recording).grid["altitude_m"], barometric=True)
        true_m = measures.OWN_ASCENT_DEVIATES.get(file, (stated_m, ""))[0]
        if own is None or own[0] != pytest.approx(true_m, rel=0.03, abs=0.5):
            wrong.append(f"{file}: {own and own[0]} m, not {true_m} m")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("file", measures.POOL_M)
def test_a_pool_has_its_length(file: str) -> None:
    assert [found.pool_length_m for found in read(ROWS[file].path)] == [measures.POOL_M[file]]


@pytest.mark.parametrize("file", measures.ZONES)
def test_a_recording_is_in_the_zone_where_it_was_made(file: str) -> None:
    assert {places.zone_of(found, home="Europe/Berlin") for found in read(ROWS[file].path)} == {measures.ZONES[file]}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_averages_are_exact_to_rounding(row: Expected) -> None:
    for recording, session in zip(read(row.path), row.sessions, strict=True):
        for asserted, summary, stream in (
            (session.heart_rate_bpm and session.heart_rate_bpm[0], "avg_heart_rate_bpm", "heart_rate_bpm"),
            (session.power_w, "avg_power_w", "power_w"),
        ):
            if asserted:
                true = measures.AVERAGES_DEVIATE.get((row.file, stream), (asserted, ""))[0]
                assert told(recording, summary, stream) == pytest.approx(true, abs=0.5)


def test_every_deviation_is_of_a_value_that_is_asserted() -> None:
    assert set(measures.MOVING_DEVIATES) <= set(measures.MOVING_S)
    assert set(measures.OWN_ASCENT_DEVIATES) <= set(measures.ASCENT_M)
    assert {file for file, _ in measures.AVERAGES_DEVIATE} | set(measures.ZONES) | set(measures.POOL_M) <= set(ROWS)

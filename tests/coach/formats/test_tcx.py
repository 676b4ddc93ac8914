"""What the reader makes of TCX files, sound and otherwise."""

from datetime import timedelta

import numpy as np
import pytest

from coach import formats
from coach.formats import Recording, Unreadable, notes, tcx
from coach.formats.recording import Lap, Pause
from tests.traps import tcx_text as text


def one(data: bytes) -> Recording:
    (recording,) = formats.read(data, name="a.tcx")
    return recording


def points(first: int, last: int, **more: object) -> str:
    return "".join(text.point(second, **more) for second in range(first, last))  # type: ignore[arg-type]


def run(*laps: str, **more: str) -> bytes:
    return text.document(text.activity(*laps, **more))  # type: ignore[arg-type]


def heart(average: int, highest: int) -> str:
    return "".join(
        f"<{name}HeartRateBpm><Value>{rate}</Value></{name}HeartRateBpm>"
        for name, rate in (("Average", average), ("Maximum", highest))
    )


def test_an_activity_has_its_laps_its_totals_and_its_streams() -> None:
    laps = (
        text.lap(0, points(0, 60), seconds=60, metres=180, more=heart(140, 150)),
        text.lap(60, points(60, 181), seconds=120, metres=360, more=heart(146, 171)),
    )
    recording = one(run(*laps))
    assert recording.started_at == text.START
    assert (recording.format, recording.sport, recording.device) == ("tcx", "running", "Tester 1")
    assert (recording.timer_s, recording.elapsed_s, recording.distance_m, recording.energy_kcal) == (180, 180, 540, 40)
    assert recording.laps == (
        Lap(start_s=0, elapsed_s=60, timer_s=60, distance_m=180),
        Lap(start_s=60, elapsed_s=120, timer_s=120, distance_m=360),
    )
    assert dict(recording.device_summary) == {"avg_heart_rate_bpm": 144, "max_heart_rate_bpm": 171}
    assert recording.streams["distance_m"][-1] == 540
    assert (recording.pauses, recording.notes) == ((), ())


def test_time_that_the_laps_lack_is_a_pause_where_the_points_have_a_gap() -> None:
    lap = text.lap(0, points(0, 60) + points(150, 211), seconds=121, metres=400)
    recording = one(run(lap))
    assert (recording.timer_s, recording.elapsed_s) == (121, 210)
    assert recording.pauses == (Pause(start_s=59, duration_s=89),)


def test_laps_that_claim_far_more_than_the_points_cover_are_not_believed() -> None:
    recording = one(run(text.lap(0, points(0, 143), seconds=3312, metres=18_743.8)))
    assert (recording.timer_s, recording.distance_m, recording.energy_kcal) == (142, 426, None)
    assert recording.notes == (notes.POINTS_DECIDED,)


def test_a_first_point_with_nothing_but_its_time_is_kept() -> None:
    empty = f"<Trackpoint><Time>{text.when(0)}</Time></Trackpoint>"
    recording = one(run(text.lap(0, empty + points(4, 61), seconds=60, metres=180)))
    assert recording.elapsed_s == 60
    assert np.isnan(recording.streams["distance_m"][0])


def test_laps_that_overlap_never_make_a_negative_pause() -> None:
    first = text.lap(0, points(0, 600), seconds=570, metres=1800)
    back = "".join(text.point(second - 65, metres=second * 3.0) for second in range(600, 620))
    recording = one(run(first, text.lap(50, back, seconds=20, metres=60)))
    assert all(pause.duration_s > 0 for pause in recording.pauses)
    assert all(lap.elapsed_s >= 0 and lap.timer_s <= lap.elapsed_s for lap in recording.laps)
    assert (np.diff(recording.streams["time_s"]) > 0).all()
    assert notes.clock_set(-65) in recording.notes


def test_each_activity_is_a_recording() -> None:
    activities = [
        text.activity(text.lap(start, points(start, start + 61), seconds=60, metres=180), start=start, sport=sport)
        for start, sport in ((0, "Biking"), (3600, "Running"))
    ]
    ride, foot = formats.read(text.document(*activities), name="a.tcx")
    assert (ride.sport, foot.sport) == ("cycling", "running")
    assert foot.started_at == text.START + timedelta(hours=1)
    assert foot.streams["time_s"][-1] == 60


def test_each_sport_of_a_multisport_session_is_a_recording() -> None:
    laps = [text.lap(start, points(start, start + 61), seconds=60, metres=180) for start in (0, 900)]
    inside = f"<FirstSport>{text.activity(laps[0])}</FirstSport><NextSport>{text.activity(laps[1])}</NextSport>"
    assert len(formats.read(text.document(inside, inside="Activities><MultiSportSession"), name="a.tcx")) == 2


def test_an_activity_of_laps_only_keeps_its_totals() -> None:
    recording = one(run(text.lap(0, seconds=1800, metres=5000), sport="Biking", device=""))
    assert (recording.timer_s, recording.elapsed_s, recording.distance_m) == (1800, 1800, 5000)
    assert (recording.started_at, dict(recording.streams), recording.indoor) == (text.START, {}, False)


def test_a_single_point_does_not_outweigh_the_lap() -> None:
    recording = one(run(text.lap(0, text.point(0), seconds=60, metres=500)))
    assert (recording.timer_s, recording.distance_m) == (60, 500)


def test_coasting_is_zero_power_and_not_a_missing_value() -> None:
    def tpx(watts: int) -> str:
        values = f"<ns2:Speed>8.5</ns2:Speed><ns2:Watts>{watts}</ns2:Watts>"
        return f'<Extensions><ns2:TPX xmlns:ns2="x">{values}</ns2:TPX></Extensions>'

    track = "".join(text.point(second, more=tpx(200 * (second % 2)), place=False) for second in range(60))
    recording = one(run(text.lap(0, track, seconds=60, metres=180), sport="Biking"))
    assert recording.streams["power_w"][:4].tolist() == [0, 200, 0, 200]
    assert recording.streams["speed_mps"][0] == 8.5
    assert recording.indoor


def test_the_first_of_two_cadences_counts_and_the_lap_s_own_is_not_a_point_s() -> None:
    track = "".join(text.point(second, more="<Cadence>82</Cadence>") for second in range(60))
    recording = one(run(text.lap(0, track, seconds=60, metres=180, more="<Cadence>109</Cadence>")))
    assert set(recording.streams["cadence_rpm"]) == {82}


def test_no_distance_and_no_position_mean_no_distance() -> None:
    track = points(0, 60, metres=0, place=False)
    assert one(run(text.lap(0, track, seconds=60, metres=0))).distance_m is None


def test_distance_is_measured_on_the_ground_when_the_points_have_none() -> None:
    track = points(0, 61).replace("DistanceMeters", "Other")
    assert one(run(text.lap(0, track, seconds=60, metres=0))).distance_m == pytest.approx(180, rel=0.001)


def test_a_distance_that_begins_anew_in_each_lap_is_added_up() -> None:
    laps = [
        text.lap(start, "".join(text.point(start + i, metres=i * 3.0) for i in range(100)), seconds=100, metres=297)
        for start in (0, 100)
    ]
    assert one(run(*laps)).streams["distance_m"][-1] == pytest.approx(594)


def test_laps_without_a_start_are_left_out_of_the_list_and_counted() -> None:
    lap = text.lap(0, points(0, 61), seconds=60, metres=180).replace("StartTime", "Other")
    recording = one(run(lap))
    assert (recording.laps, recording.timer_s) == ((), 60)


def test_a_lap_of_impossible_length_is_not_believed() -> None:
    recording = one(run(text.lap(0, points(0, 61), seconds=10**9, metres=10**9)))
    assert (recording.timer_s, recording.distance_m) == (60, 180)


def test_blanks_before_the_declaration_do_not_matter() -> None:
    assert one(b"          " + run(text.lap(0, points(0, 61), seconds=60, metres=180))).timer_s == 60


def test_the_serial_number_of_a_unit_is_not_kept() -> None:
    data = run(text.lap(0, points(0, 61), seconds=60, metres=180), device="Forerunner305 (Unit ID 3464792754)")
    assert one(data).device == "Forerunner305"


def test_of_a_document_that_breaks_off_the_points_before_the_break_are_kept() -> None:
    data = run(text.lap(0, points(0, 600), seconds=599, metres=1797))
    recording = one(data[: len(data) // 2])
    assert 280 < recording.timer_s < 310
    assert notes.broken(len(recording.streams["time_s"])) in recording.notes


@pytest.mark.parametrize(
    ("inside", "sentence"),
    [
        ("Courses><Course", tcx.COURSE),
        ("Workouts><Workout", tcx.WORKOUT),
        ("Activities", tcx.NOTHING),
    ],
)
def test_a_document_without_activity_says_what_it_holds(inside: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        formats.read(text.document("", inside=inside), name="a.tcx")
    assert str(refusal.value) == sentence


def test_a_lap_says_what_ended_it_and_how_hard_it_was() -> None:
    watts = "<Extensions><LX><AvgWatts>{}</AvgWatts><MaxWatts>{}</MaxWatts></LX></Extensions>"
    hard = f"<MaximumSpeed>4.2</MaximumSpeed>{watts}"
    points = "".join(text.point(second) for second in range(60))
    first = text.lap(
        0, points, seconds=20, metres=60, more=hard.format(300, 420) + "<TriggerMethod>Location</TriggerMethod>"
    )
    second = text.lap(20, seconds=40, metres=120, more=hard.format(240, 400) + "<TriggerMethod>Manual</TriggerMethod>")
    (recording,) = formats.read(text.document(text.activity(first, second)), name="a.tcx")
    assert [lap.trigger for lap in recording.laps] == ["position_marked", "manual"]
    assert dict(recording.device_summary) == {"avg_power_w": 260, "max_power_w": 420, "max_speed_mps": 4.2}

"""What the reader makes of GPX files, sound and otherwise."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from coach import formats
from coach.formats import Recording, Unreadable, gpx, notes
from coach.formats.recording import Pause
from tests.traps import gpx_text as text


def one(data: bytes) -> Recording:
    (recording,) = formats.read(data, name="a.gpx")
    return recording


def refused(data: bytes) -> str:
    with pytest.raises(Unreadable) as refusal:
        formats.read(data, name="a.gpx")
    return str(refusal.value)


def test_a_track_has_its_start_its_way_and_its_name() -> None:
    recording = one(text.document(text.track(text.points(range(61)))))
    assert recording.started_at == text.START
    assert (recording.format, recording.sport, recording.name) == ("gpx", "running", "Morning run")
    assert (recording.timer_s, recording.elapsed_s, recording.device) == (60, 60, "Tester 1")
    assert recording.distance_m == pytest.approx(180, rel=0.001)
    assert recording.streams["altitude_m"][0] == 34
    assert recording.utc_offset_min is None


def test_a_name_that_a_phone_gives_to_every_route_is_none() -> None:
    assert one(text.document(text.track(text.points(range(60)), name="Route 2025-12-28 2:45pm"))).name == ""


@pytest.mark.parametrize("namespaces", [['xmlns:ns3="http://example.org/tpx"'], []])
def test_extensions_are_read_whatever_their_prefix_and_even_undeclared(namespaces: list[str]) -> None:
    points = "".join(text.point(index, more=text.extension("ns3", heart_rate=130 + index)) for index in range(9))
    streams = one(text.document(text.track(points), namespaces=namespaces)).streams
    assert streams["heart_rate_bpm"].tolist() == list(range(130, 139))
    assert (streams["cadence_rpm"][0], streams["temperature_c"][0]) == (84, 19)


def test_heart_rate_that_is_missing_or_zero_is_no_zero() -> None:
    points = text.points(range(3)) + "".join(
        text.point(index, more=text.extension("t", heart_rate=0 if index == 4 else 140)) for index in range(3, 9)
    )
    rate = one(text.document(text.track(points))).streams["heart_rate_bpm"]
    assert np.isnan(rate[[0, 1, 2, 4]]).all()
    assert np.nanmin(rate) == 140


def test_a_break_between_segments_is_a_pause_and_its_way_does_not_count() -> None:
    recording = one(text.document(text.track(text.points(range(100)), text.points(range(700, 800)))))
    assert recording.pauses == (Pause(start_s=99, duration_s=601),)
    assert (recording.elapsed_s, recording.timer_s) == (799, 198)
    assert recording.distance_m == pytest.approx(198 * 3, rel=0.001)


def test_within_a_segment_minutes_without_a_point_are_no_pause_but_a_quarter_of_an_hour_is() -> None:
    smart = one(text.document(text.track(text.points([*range(10), *range(580, 590)]))))
    silent = one(text.document(text.track(text.points([*range(10), *range(1000, 1010)]))))
    assert smart.pauses == ()
    assert silent.pauses == (Pause(start_s=9, duration_s=991),)


def test_several_tracks_of_one_walk_are_one_recording() -> None:
    tracks = [text.track(text.points(range(start, start + 50))) for start in (0, 400, 800)]
    recording = one(text.document(*tracks))
    assert len(recording.streams["time_s"]) == 150
    assert [pause.start_s for pause in recording.pauses] == [49, 449]


def test_tracks_of_different_days_are_recordings_of_their_own() -> None:
    day = 86_400
    tracks = [text.track(text.points(range(start, start + 50)), name=name) for start, name in ((day, "b"), (0, "a"))]
    found = formats.read(text.document(*tracks), name="a.gpx")
    assert [recording.name for recording in found] == ["a", "b"]
    assert found[1].started_at == text.START + timedelta(days=1)


def test_a_copy_of_a_track_is_left_out() -> None:
    tracks = [text.track(text.points(range(100))), text.track(text.points(range(10, 90, 10)), name="saved")]
    recording = one(text.document(*tracks))
    assert len(recording.streams["time_s"]) == 100
    assert recording.notes == (notes.REPEATED_TRACK,)


def test_a_point_without_position_keeps_its_time() -> None:
    bare = f"<trkpt><ele>34</ele><time>{text.START:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>"
    recording = one(text.document(text.track(bare + text.points(range(11, 60)))))
    assert recording.elapsed_s == 59
    assert np.isnan(recording.streams["latitude_deg"][0])


def test_a_point_without_time_is_left_out_and_counted() -> None:
    points = text.points(range(5)) + text.point(5, time=None) + text.point(6, time="not a time") + text.points([7])
    recording = one(text.document(text.track(points)))
    assert len(recording.streams["time_s"]) == 6
    assert recording.notes == (notes.undated(2),)


def test_a_point_from_before_the_first_fix_is_left_out() -> None:
    early = text.point(0, time="1999-11-30T00:00:00Z")
    recording = one(text.document(text.track(early + text.points(range(1, 9)))))
    assert recording.elapsed_s == 7
    assert recording.notes == (notes.undated(1),)


def test_a_clock_that_was_never_set_is_kept_to_be_asked_about() -> None:
    early = "".join(text.point(index, time=f"1980-01-06T00:00:{index:02d}Z") for index in range(9))
    recording = one(text.document(text.track(early)))
    assert (recording.started_at, recording.elapsed_s) == (datetime(1980, 1, 6, tzinfo=UTC), 8)


def test_a_time_without_offset_takes_the_offset_of_the_times_before() -> None:
    times = ["2026-03-08T01:59:59-08:00", "2026-03-08T03:00:00-07:00", "2026-03-08T03:00:30"]
    recording = one(text.document(text.track("".join(text.point(i, time=at) for i, at in enumerate(times)))))
    assert recording.streams["time_s"].tolist() == [0, 1, 31]
    assert recording.utc_offset_min == -480


def test_times_with_fractions_stay_exact() -> None:
    times = [f"2026-03-02T07:30:0{index}.524+02:00" for index in range(5)]
    recording = one(text.document(text.track("".join(text.point(i, time=at) for i, at in enumerate(times)))))
    assert recording.streams["time_s"].tolist() == [0, 1, 2, 3, 4]
    assert recording.utc_offset_min == 120


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\n\n   ", b"\r\n\xef\xbb\xbf \n"])
def test_marks_and_blanks_before_the_document_do_not_matter(before: bytes) -> None:
    assert one(before + text.document(text.track(text.points(range(9))))).elapsed_s == 8


def test_other_encodings_and_forbidden_bytes_are_read() -> None:
    plain = text.document(text.track(text.points(range(9)), name="Müggelsee"))
    wide = plain.decode().replace("UTF-8", "UTF-16").encode("utf-16")
    assert one(wide).name == "Müggelsee"
    assert one(plain.replace(b"<ele>", b"<ele>\x0b")).elapsed_s == 8
    latin = plain.decode().replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert one(latin).name == "Müggelsee"


def test_a_name_is_one_printable_line() -> None:
    name = "Around\nthe \u202elake " + "x" * 300
    read = one(text.document(text.track(text.points(range(9)), name=name))).name
    assert read.startswith("Around the lake xxx")
    assert len(read) == 200


def test_an_empty_segment_changes_nothing() -> None:
    recording = one(text.document(text.track("", text.points(range(9)), "")))
    assert (recording.elapsed_s, recording.pauses) == (8, ())


def test_of_a_document_that_breaks_off_the_points_before_the_break_are_kept() -> None:
    data = text.document(text.track(text.points(range(100))))
    recording = one(data[: len(data) // 2])
    assert 40 < len(recording.streams["time_s"]) < 60
    assert recording.notes == (notes.broken(len(recording.streams["time_s"])),)


def test_entities_are_never_expanded_and_nothing_is_fetched() -> None:
    head = '<!DOCTYPE gpx [<!ENTITY a "inside"><!ENTITY s SYSTEM "file:///etc/hostname">]>'
    assert one(text.document(text.track(text.points(range(9)), name="&a;&s;x"), head=head)).name == "x"


def test_a_document_type_does_not_hide_behind_one_in_a_comment() -> None:
    head = '<!-- <!DOCTYPE x> --><!DOCTYPE gpx [<!ENTITY a "inside">]>'
    assert one(text.document(text.track(text.points(range(9)), name="&a;x"), head=head)).name == "x"


def test_an_entity_bomb_does_not_go_off() -> None:
    bombs = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    head = f'<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa">{bombs}]>'
    assert one(text.document(text.track(text.points(range(9)), name="&j;x"), head=head)).name == "x"


def test_positions_that_cannot_be_are_left_out_of_the_way() -> None:
    points = text.points(range(5)) + text.point(5, lat=999) + text.points(range(6, 10))
    recording = one(text.document(text.track(points)))
    assert recording.distance_m == pytest.approx(27, rel=0.01)


def test_a_ride_exported_from_a_made_up_world_is_virtual() -> None:
    assert one(text.document(text.track(text.points(range(9)), sport="VirtualRide"))).virtual


@pytest.mark.parametrize(
    ("inside", "sentence"),
    [
        ("<metadata><time>2026-01-01T00:00:00Z</time></metadata>", gpx.NO_TRACK),
        ('<wpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></wpt>', gpx.INSTEAD["wpt"]),
        ('<rte><rtept lat="1" lon="2"/></rte>', gpx.INSTEAD["rte"]),
        ('<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>', gpx.INSTEAD["trkpt"]),
        ("<trk><trkseg/></trk>", gpx.NO_TRACK),
        (text.track(text.points([1])), "The track has a single point with a time, so nothing can be computed from it."),
    ],
)
def test_a_document_without_a_recorded_track_says_what_it_holds(inside: str, sentence: str) -> None:
    assert refused(text.document(inside)) == sentence

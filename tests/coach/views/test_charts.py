"""The geometry of the charts: places, gaps, labels that do not collide."""

import math
import re
from datetime import date, timedelta
from itertools import pairwise

import pytest

from coach.scopes.facts import Fact
from coach.templatetags.charts import set_rows
from coach.templatetags.drawing import axis, curve, line, load, spark, sports, streams, track, trends, week
from coach.templatetags.numbers import bytes_words, figure


def days(count, *, ctl=60.0, atl=61.0, tsb=-5.0):
    first = date(2026, 6, 4)
    return [
        {"date": (first + timedelta(days=place)).isoformat(), "ctl": ctl, "atl": atl, "tsb": tsb, "load": 50.0}
        for place in range(count)
    ]


def test_a_gap_in_the_values_is_a_gap_in_the_line():
    span = axis.Span(low=0, high=10, top=0, bottom=100)
    placed = line.points([0, 0.25, 0.5, 0.75, 1], [0, 10, None, 5, 5], span)
    assert line.line(placed) == "M0.0 100.0l250-100M750.0 50.0l250 0"


def test_a_lone_value_between_gaps_is_still_drawn():
    span = axis.Span(low=0, high=10, top=0, bottom=100)
    assert line.line(line.points([0, 0.5, 1], [None, 5, math.nan], span)) == "M500.0 50.0h2"


def test_equal_values_lie_in_the_middle():
    assert axis.Span(low=5, high=5, top=0, bottom=100).y(5) == 50


def test_ticks_are_round_and_inside():
    ticks = axis.value_ticks(axis.Span(low=0, high=97, top=0, bottom=97), at_most=4)
    assert [tick.text for tick in ticks] == ["25", "50", "75"]


def test_time_ticks_grow_with_the_session():
    assert [tick.text for tick in axis.time_ticks(45 * 60)] == ["0:00", "0:10", "0:20", "0:30", "0:40"]
    assert len(axis.time_ticks(13 * 3600)) <= 7


def test_time_ticks_stay_few_however_wrong_the_clock_was():
    assert [tick.text for tick in axis.time_ticks(10 * 86_400)] == ["0:00", "48:00", "96:00", "144:00", "192:00"]
    assert len(axis.time_ticks(8000 * 365 * 86_400)) <= 7


def test_the_labels_of_two_close_lines_are_pushed_apart():
    labels = load.chart({"days": days(30)}).labels
    fatigue, fitness, form = labels
    assert float(fitness.y) - float(fatigue.y) >= load.LABEL_GAP
    assert (fitness.text, form.text) == ("60", "−5")


def test_today_is_before_the_projected_days():
    chart = load.chart({"days": days(8), "projected": days(2)})
    assert chart.today == "77.78%"
    assert chart.ahead == "22.22%"


def test_without_a_day_there_is_no_chart():
    assert load.chart({}) is None
    assert week.chart({}, today="2026-11-30") is None
    assert streams.chart({"time_s": [0, 1], "series": []}) is None
    assert track.chart({"points": [[47.0, 8.0]]}) is None
    assert spark.chart((1.0, None, 2.0)) is None


def test_a_week_stacks_the_sessions_of_a_day():
    sessions = [
        {"sport": "running", "timer_s": 1800, "activity_id": 1},
        {"sport": "cycling", "timer_s": 3600, "activity_id": 2},
    ]
    data = {"days": [{"date": "2026-11-30", "label": "Mon", "load": 80, "timer_s": 5400, "sessions": sessions}]}
    (column,) = week.chart(data, today="2026-11-30").columns
    first, second = column.pieces
    assert float(second.y) + float(second.height) < float(first.y)
    assert (column.time, column.load, column.is_today) == ("1:30", "80", True)


def test_a_faster_pace_is_drawn_higher():
    data = {
        "time_s": [0, 10, 20],
        "series": [{"key": "pace", "label": "Pace", "unit": "/km", "values": [300, 240, 600], "invert": True}],
    }
    data["series"][0]["display_max"] = "4:00 /km"
    (strip,) = streams.chart(data).strips
    up, down = (float(y) for y in re.findall(r"500 ?(-?[\d.]+)", strip.drawing.split("series")[1].split("/>")[0]))
    assert up < 0 < up + down
    assert strip.summary == "fastest 4:00 /km"


def test_a_track_keeps_its_shape_and_crosses_the_date_line():
    square = track.chart({"points": [[60.0, 10.0], [60.1, 10.0], [60.1, 10.2], [60.0, 10.2]]})
    assert float(square.width) == pytest.approx(float(square.height), rel=0.01)
    small = track.chart({"points": [[0.0, 179.9], [0.0, -179.9]]})
    assert small.across == "22.2 km"


def test_a_sport_that_is_not_known_keeps_its_word():
    assert sports.sport("kite_surfing").word == "Kite surfing"
    assert sports.sport("trail_running").word == "Run"


def test_units_are_set_small_and_words_stay_whole():
    assert figure("12.4 km") == "12.4\u2009<small>km</small>"
    assert figure("5 h 20 min") == "5\u2009<small>h</small>\u200920\u2009<small>min</small>"
    assert figure("1:02:10") == "1:02:10"
    assert figure("building") == '<span class="word">building</span>'
    assert figure("3 December 2026") == '<span class="word">3 December 2026</span>'
    assert figure("1:52 /100m") == "1:52\u2009<small>/100m</small>"
    assert figure("5小时20分钟") == "5\u2009<small>小时</small>\u200920\u2009<small>分钟</small>"
    assert figure("1:52/100米") == "1:52\u2009<small>/100米</small>"
    assert figure("−8%") == "−8\u2009<small>%</small>"
    assert figure("2026年11月24日") == '<span class="word">2026年11月24日</span>'
    assert figure("<b>") == '<span class="word">&lt;b&gt;</span>'


def test_a_month_without_its_first_day_is_named_where_it_has_room():
    first = date(2026, 10, 2)
    names = [tick.text for tick in axis.month_ticks([first + timedelta(days=number) for number in range(60)])]
    assert names == ["Oct", "Nov"]
    late = [date(2026, 10, 30) + timedelta(days=number) for number in range(60)]
    assert [tick.text for tick in axis.month_ticks(late)] == ["Nov", "Dec"]


def points(*values):
    spans = [1, 5, 60, 300, 1200, 3600, 7200]
    return [
        {"span": span, "name": f"{span} s", "all": value, "lately": None, "display": f"{value} W"}
        for span, value in zip(spans, values, strict=False)
    ]


def test_the_readings_of_a_curve_never_meet_on_a_phone():
    drawn = curve.chart({"measure": "power", "title": "Power", "points": points(900, 800, 500, 400, 300, 290, 280)})
    room = 8.2 * 6 / 220 * 100  # percent that "900 W" and a blank take
    places = [float(mark.x.rstrip("%")) for mark in drawn.readings]
    assert len(places) > 1
    assert all(place + room <= following for place, following in pairwise([*places, 100]))


@pytest.mark.parametrize("values", [(900, 500, 300), (300, 500, 900), (300, 900, 300, 290)])
def test_a_reading_stands_above_the_line_and_the_last_one_beside_it(values):
    drawn = curve.chart({"measure": "power", "title": "Power", "points": points(*values)})
    for mark in drawn.readings:
        begin = float(mark.x.rstrip("%"))
        beneath = [float(dot.y) for dot in drawn.dots if begin <= float(dot.x.rstrip("%")) <= begin + 20]
        assert all(float(mark.y) < y for y in beneath)
    assert (drawn.last.text, drawn.last.x) == (f"{values[-1]} W", "100%")
    assert drawn.last.y == drawn.dots[-1].y


def test_a_large_export_is_told_in_gigabytes():
    assert [bytes_words(size) for size in (999_900_000, 2_000_000_000)] == ["999.9 MB", "2.0 GB"]


def test_a_name_in_chinese_is_twice_as_wide():
    assert curve._room(["五分钟"], sign=10) == curve._room(["5 min."], sign=10)


def slope(key):
    return Fact(key=key, label=key, value=1.0, unit="", display="+1", meaning="")


LINES = [
    {"key": "fitness", "title": "Fitness", "is_clear": False, "trend": "no clear change", "goes": ""},
    {"key": "run_pace", "title": "Running: pace", "is_clear": True, "trend": "rising", "goes": "slower"},
    {"key": "run_volume", "title": "Running: time", "is_clear": True, "trend": "falling", "goes": ""},
]


def test_trends_answer_with_what_moves_and_say_that_a_rising_pace_is_slower():
    assert trends.answer({"lines": LINES}) == (
        "2 of 3 lines move clearly: Running: pace rising (slower), Running: time falling."
    )
    assert trends.answer({"lines": LINES[:1]}) == "No line moves clearly: what they show may be noise."


def test_clear_lines_lead_and_the_rest_is_folded_by_sport():
    facts = [slope(f"{key}_{what}") for key in ("fitness", "run_pace", "run_volume") for what in ("slope", "n")]
    facts.append(slope("window"))
    assert [fact.key for fact in trends.lead({"lines": LINES}, facts, most=2)] == ["run_pace_slope", "run_volume_slope"]
    groups = {name: [fact.key for fact in own] for name, own in trends.folded({"lines": LINES}, facts)}
    assert groups[""] == ["window"]
    assert groups["Fitness"] == ["fitness_slope", "fitness_n"]
    assert len(groups["Running"]) == 4


def test_a_size_is_said_in_words():
    assert [bytes_words(size) for size in (0, 1, 2, 999, 51_000)] == [
        "0 bytes",
        "1 byte",
        "2 bytes",
        "999 bytes",
        "51 KB",
    ]


def test_no_cell_of_a_table_is_markup():
    rows = set_rows([["<b>day</b>", "a & b", '"x"'], ["2", 3, None]])
    assert rows == (
        '<tr><th scope="row">&lt;b&gt;day&lt;/b&gt;</th><td>a &amp; b</td><td>&quot;x&quot;</td></tr>\n'
        '<tr><th scope="row">2</th><td>3</td><td>None</td></tr>'
    )

"""Values are rounded and written once, the way people read them."""

from datetime import date

import pytest

from coach import display
from coach.display import Style

MILES = Style(units="imperial")
HAN = Style(language="zh-hans")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3730, "1:02:10"),
        (2530, "42:10"),
        (9.4, "0:09"),
        (3599.6, "1:00:00"),
        (0, "0:00"),
        (36_000, "10:00:00"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert display.duration(seconds) == text


def test_sums_of_hours() -> None:
    assert display.hours(5 * 3600 + 20 * 60) == "5 h 20 min"
    assert display.hours(3599) == "1 h 00 min"
    assert display.hours(2400) == "40 min"


@pytest.mark.parametrize(
    ("metres", "metric", "imperial"),
    [
        (12_404, "12.4 km", "7.71 mi"),
        (5_018, "5.02 km", "3.12 mi"),
        (850, "850 m", "0.53 mi"),
        (999.7, "1.00 km", "0.62 mi"),
        (9_996, "10.0 km", "6.21 mi"),
        (42_195, "42.2 km", "26.2 mi"),
    ],
)
def test_distances(metres: float, metric: str, imperial: str) -> None:
    assert display.distance(metres) == metric
    assert display.distance(metres, style=MILES) == imperial


def test_pace_and_speed() -> None:
    assert display.pace(1000 / 270) == "4:30 /km"
    assert display.pace(1609.344 / 435, style=MILES) == "7:15 /mi"
    assert display.pace(0) == "–"
    assert display.swim_pace(100 / 112) == "1:52 /100m"
    assert display.swim_pace(91.44 / 112, style=MILES) == "1:52 /100yd"
    assert display.swim_pace(0) == "–"
    assert display.speed(10) == "36.0 km/h"
    assert display.speed(10, style=MILES) == "22.4 mph"


def test_heights_and_bodies() -> None:
    assert display.height(850.4) == "850 m"
    assert display.height(850, style=MILES) == "2789 ft"
    assert display.power(249.6) == "250 W"
    assert display.heart_rate(150) == "150 bpm"
    assert display.steps(88.2) == "176 spm"


def test_signs_are_real_and_zero_has_none() -> None:
    assert display.signed(16.81) == "+17"
    assert display.signed(-16.81) == "−17"
    assert display.signed(-0.2) == "0"
    assert display.signed(0.2) == "0"
    assert display.signed_percent(-8.3) == "−8 %"
    assert display.percent(70) == "70 %"


def test_days_in_two_languages() -> None:
    tuesday = date(2026, 11, 24)
    assert display.day(tuesday) == "24 November 2026"
    assert display.short_day(tuesday) == "Tue 24 Nov"
    assert display.weekday(tuesday) == "Tuesday"
    assert display.day(tuesday, style=HAN) == "2026年11月24日"
    assert display.weekday(tuesday, style=HAN) == "星期二"
    assert display.initials(tuesday, style=HAN) == "周二"


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("distance", 12_404, "12.4公里"),
        ("height", 850.4, "850米"),
        ("hours", 5 * 3600 + 20 * 60, "5小时20分钟"),
        ("hours", 2400, "40分钟"),
        ("hours", 3599, "1小时"),
        ("hours", 3900, "1小时05分钟"),
        ("duration", 3730, "1:02:10"),
        ("pace", 1000 / 270, "4:30/公里"),
        ("swim_pace", 100 / 112, "1:52/100米"),
        ("speed", 10, "36.0公里/时"),
        ("power", 249.6, "250瓦"),
        ("heart_rate", 150, "150次/分"),
        ("steps", 88.2, "176步/分"),
        ("energy", 712.4, "712千卡"),
        ("percent", 70, "70%"),
        ("signed_percent", -8.3, "−8%"),
        ("short_day", "2026-11-24", "11月24日周二"),
    ],
)
def test_values_in_chinese(kind: str, value: float | str, text: str) -> None:
    assert display.show(kind, value, style=HAN) == text


def test_miles_in_chinese() -> None:
    both = Style(units="imperial", language="zh-hans")
    assert display.show("distance", 42_195, style=both) == "26.2英里"
    assert display.show("pace", 1609.344 / 435, style=both) == "7:15/英里"


def test_what_is_not_known_is_a_dash() -> None:
    assert display.show("power", None) == "–"
    assert display.show("power", float("nan")) == "–"


def test_every_kind_formats_a_number() -> None:
    for kind in display.KINDS:
        assert any(sign.isdigit() for sign in display.show(kind, 12.0))


def test_days_and_words_are_shown_from_text() -> None:
    assert display.show("day", "2026-11-24") == "24 November 2026"
    assert display.show("word", "building") == "building"

"""Labels in drawings never stand over each other, over a line or over dots: data made to collide, at three widths."""

from datetime import date, timedelta
from itertools import chain

import pytest
from django.template.loader import render_to_string

from coach.templatetags.drawing import curve, daily, load, trends, week
from tests.browser.test_looks import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAYS = [date(2026, 9, 3) + timedelta(days=number) for number in range(90)]
SPANS = [1, 5, 15, 60, 300, 480, 1200, 1800, 3600, 7200]
SHAPES = {
    "flat": [31.0] * 10,
    "steep": [90.0, 31.0, 30.9, 30.8, 30.7, 30.6, 30.5, 30.4, 30.3, 30.2],
    "late": [31.0] * 9 + [12.0],
    "rising": [12.0] * 8 + [30.0, 31.0],
    "two": [31.0, 30.9],
}


def curves():
    for values in SHAPES.values():
        points = [
            {
                "span": span,
                "name": f"{span // 60} min {span % 60} s",
                "all": value,
                "lately": value,
                "display": f"{value} km/h",
            }
            for span, value in zip(SPANS, values, strict=False)
        ]
        yield "curve", curve.chart({"measure": "pace", "title": "Speed", "points": points})


def days_of(*, level, band, values):
    names = {
        "line_name": "7 days",
        "line_text": "61",
        "level_name": "need",
        "level_text": "8 h",
        "band_name": "your range",
    }
    shown = {"title": "Asleep", "unit": "h", "first": str(DAYS[0]), "last": str(DAYS[-1]), "level": level, "band": band}
    return daily.chart("sleep", {**names, **shown, "dots": values, "line": values})


def dailies():
    for place, values in enumerate(([8.0] * 90, [float(number % 7) for number in range(90)], [60.0] * 89 + [20.0])):
        yield "daily", days_of(level=values[-1], band=(values[-1] - 0.1, values[-1] + 0.1), values=values)
        yield "daily", days_of(level=max(values), band=(min(values), min(values) + place), values=values)


def loads():
    for fitness, fatigue, form in ((40, 40, 0), (40, 47, -60), (110, 3, 90), (0, 0, 0), (60, 59, 10)):
        rows = [{"date": str(day), "ctl": float(fitness), "atl": float(fatigue), "tsb": float(form)} for day in DAYS]
        yield "load", load.chart({"days": rows[:-7], "projected": rows[-7:], "mark": "today"})


def weeks():
    for points in (144, 1044):
        done = [{"sport": "cycling", "timer_s": 36_000, "activity_id": 1}]
        days = [{"date": str(day), "load": points, "timer_s": 36_000, "sessions": done} for day in DAYS[:7]]
        yield "week", week.chart({"days": days}, today=str(DAYS[3]))


def lines():
    for values in ([9.0, 1.0, 9.0], [1.0, 9.0, 1.0], [5.0, 5.0, 5.0]):
        points = [(0.0, values[0]), (0.03, values[0]), (0.5, values[1]), (0.97, values[2]), (1.0, values[2])]
        line = [(0.0, values[0]), (1.0, values[2])]
        named = {
            "key": "vdot",
            "title": "Running: VDOT",
            "change": "0",
            "trend": "rising",
            "goes": "",
            "made_of": "",
            "n": 5,
        }
        band = [(0.0, 0.0, 10.0), (1.0, 0.0, 10.0)]
        yield {
            **named,
            "is_clear": True,
            "start": "2 h 33 min",
            "end": "2 h 15 min",
            "points": points,
            "line": line,
            "band": band,
        }


def drawn() -> str:
    parts = [
        render_to_string(f"coach/charts/{name}.html", {"chart": one})
        for name, one in chain(curves(), dailies(), loads(), weeks())
    ]
    return "".join(
        [*parts, render_to_string("coach/charts/trends.html", {"lines": trends.chart({"lines": list(lines())})})]
    )


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_labels_of_data_that_collide_keep_apart(open_context, width):
    page = open_context(width=width).new_page()
    page.goto("/today/")
    page.evaluate("html => { document.querySelector('main').innerHTML = html; }", drawn())
    assert page.locator("main figure").count() == 21
    assert "\n".join(page.evaluate(LOOKS)) == ""

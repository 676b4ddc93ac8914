"""Template tags for charts and facts: `{% load charts %}`, then one tag a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from html import escape
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from coach.months import Year
from coach.scopes.facts import Fact, Facts
from coach.scopes.how import behind
from coach.templatetags.drawing import curve, daily, heat, load, spark, sports, streams, track, trends, week

register = template.Library()


@register.inclusion_tag("coach/charts/load.html")
def load_chart(facts: Facts) -> dict[str, Any]:
    return {"chart": load.chart(facts.charts.get("load") or {}), **_data(facts, "load")}


@register.inclusion_tag("coach/charts/week.html")
def week_chart(facts: Facts, today: date) -> dict[str, Any]:
    drawn = week.chart(facts.charts.get("week") or {}, today=today.isoformat())
    return {"chart": drawn, **_data(facts, "week")}


@register.inclusion_tag("coach/charts/daily.html")
def daily_chart(facts: Facts, name: str) -> dict[str, Any]:
    """Draw the chart of that name, a value a day, with its table."""
    return {"chart": daily.chart(name, facts.charts.get(name) or {}), **_data(facts, name)}


@register.inclusion_tag("coach/charts/streams.html")
def stream_chart(facts: Facts) -> dict[str, Any]:
    """Draw the streams; `closer` is where the script of the page asks for a part of them."""
    drawn = streams.chart(facts.charts.get("streams") or {})
    return {"chart": drawn, "closer": reverse("activity_closer", args=[facts.subject]), **_data(facts, "streams")}


@register.inclusion_tag("coach/charts/track.html")
def track_chart(facts: Facts) -> dict[str, Any]:
    return {"chart": track.chart(facts.charts.get("track") or {})}


@register.inclusion_tag("coach/charts/heat.html")
def heat_map(year: Year) -> dict[str, Any]:
    return {"heat": heat.chart(year.loads, year=year.number, starts_on=year.starts_on)}


@register.inclusion_tag("coach/charts/curve.html")
def curve_chart(facts: Facts, name: str) -> dict[str, Any]:
    return {"chart": curve.chart(facts.charts.get(name) or {}), "how": behind(facts, name)}


@register.inclusion_tag("coach/charts/trends.html")
def trend_charts(facts: Facts) -> dict[str, Any]:
    data = facts.charts.get("trends") or {}
    lines = [
        {**asdict(one), "table": facts.tables.get(one.key), "how": behind(facts, one.key)} for one in trends.chart(data)
    ]
    return {"lines": lines, "first": data.get("first"), "last": data.get("last")}


@register.inclusion_tag("coach/trends_lead.html")
def trends_lead(facts: Facts, most: int) -> dict[str, Any]:
    data = facts.charts.get("trends") or {}
    return {"answer": trends.answer(data), "facts": trends.lead(data, facts.facts, most=most)}


@register.inclusion_tag("coach/trends_facts.html")
def trends_facts(facts: Facts, most: int) -> dict[str, Any]:
    """Show what the lead does not, folded by sport."""
    data = facts.charts.get("trends") or {}
    shown = {fact.key for fact in trends.lead(data, facts.facts, most=most)}
    return {"groups": trends.folded(data, (fact for fact in facts.facts if fact.key not in shown))}


@register.inclusion_tag("coach/charts/zones.html")
def zone_bars(facts: Facts) -> dict[str, Any]:
    zones: Mapping[str, Sequence[Mapping[str, Any]]] = facts.charts.get("zones") or {}
    names = {"heart_rate": gettext("Heart rate"), "power": gettext("Power"), "pace": gettext("Pace")}
    groups = [(names.get(key, key), rows) for key, rows in zones.items() if rows]
    return {"groups": [(name, [_zone(row) for row in rows]) for name, rows in groups], "how": behind(facts, "zones")}


@register.inclusion_tag("coach/charts/spark.html")
def sparkline(fact: Fact) -> dict[str, Any]:
    return {"spark": spark.chart(fact.history)}


@register.inclusion_tag("coach/charts/shape.html")
def sport_shape(name: str) -> dict[str, Any]:
    return {"sport": sports.sport(name)}


@register.inclusion_tag("coach/how.html")
def how(facts: Facts, name: str) -> dict[str, Any]:
    """Lead from a table to the facts that explain it."""
    return {"how": behind(facts, name)}


@register.filter
def set_rows(rows: Sequence[Sequence[object]]) -> SafeString:
    """Set the rows of a table; a template takes as long for a few hundred of them as their facts took."""
    return mark_safe("\n".join(map(_row, rows)))  # noqa: S308  (every cell is escaped)


def _row(cells: Sequence[object]) -> str:
    head, *rest = (escape(str(cell)) for cell in cells)
    return f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'


@register.inclusion_tag("coach/data_table.html")
def data_table(facts: Facts, name: str) -> dict[str, Any]:
    return _data(facts, name)


def _data(facts: Facts, name: str) -> dict[str, Any]:
    return {"table": facts.tables.get(name), "how": behind(facts, name)}


def _zone(row: Mapping[str, Any]) -> dict[str, Any]:
    share = float(row.get("share") or 0)
    return {**row, "width": f"{share * 100:.1f}%", "percent": f"{share * 100:.0f}{gettext(' %')}"}

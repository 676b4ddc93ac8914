"""Filters that set numbers: the figures large, their units small."""

import re

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from coach import display

register = template.Library()

UNITS = frozenset(
    {
        "%",
        "h",
        "min",
        "s",
        "km",
        "m",
        "mi",
        "ft",
        "W",
        "bpm",
        "rpm",
        "spm",
        "kcal",
        "kJ",
        "kg",
        "lb",
        "kg/week",
        "lb/week",
        "ms",
        "/km",
        "s/km",
        "s/mi",
        "/mi",
        "/100m",
        "/100yd",
        "km/h",
        "mph",
        "points",
        "W/kg",
        "°C",
        *display.HAN_UNITS.values(),
    }
)


# A unit such as /100m, a number, or a word; Chinese sets no blank between them.
PARTS = re.compile(r"/\d+[^\d\s]+|[+−-]?\d[\d:.,]*|[^\d\s]+")


@register.filter
def figure(shown: str) -> SafeString:
    """Set "12.4 km", "5 h 20 min" and 5小时20分钟 as numbers with small units; anything else stays a word."""
    parts = PARTS.findall(shown)
    if not all(part in UNITS or part[-1].isdigit() for part in parts) or not any(map(_is_number, parts)):
        return format_html('<span class="word">{}</span>', shown)
    return format_html_join(
        "\u2009", "{}", ((format_html("<small>{}</small>", part) if part in UNITS else part,) for part in parts)
    )


def _is_number(part: str) -> bool:
    return part.lstrip("+−-~≈")[:1].isdigit()


@register.filter
def bytes_words(size: int) -> str:
    """Say a size the way people do: 812 KB, 3.4 MB."""
    if size < 1000:
        return ngettext("%(n)s byte", "%(n)s bytes", size) % {"n": size}
    if size < 1_000_000:
        return f"{size / 1000:.0f} KB"
    if size < 1_000_000_000:
        return f"{size / 1_000_000:.1f} MB"
    return f"{size / 1_000_000_000:.1f} GB"

"""Seats that a pool leaves to its neighbours at some hours: read from words, and told in words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LINE = re.compile(r"(\d{1,4}) from (\d{2}:\d{2}) until (\d{2}:\d{2}) (\S+)")
EXAMPLE = "2 from 07:00 until 22:00 Europe/Berlin"

type Reserve = list[dict[str, Any]]


class BadReserve(ValueError):
    """The message is a sentence that says what a line must look like."""


def parse(text: str) -> Reserve:
    """Read one reserve a line, such as "2 from 07:00 until 22:00 Europe/Berlin"; raises BadReserve."""
    return [_entry(line.strip()) for line in text.splitlines() if line.strip()]


def _entry(line: str) -> dict[str, Any]:
    found = LINE.fullmatch(line)
    if not found:
        raise BadReserve(f"{line[:60]!r} is no reserve: write a line such as “{EXAMPLE}”.")
    seats, begins, ends, zone = found.groups()
    if not (_is_time(begins) and _is_time(ends)) or begins == ends:
        raise BadReserve(f"{begins} until {ends} is no span of a day.")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadReserve(f"No time zone is called {zone[:40]!r}; one is Europe/Berlin.") from error
    return {"seats": int(seats), "from": begins, "until": ends, "zone": zone}


def _is_time(text: str) -> bool:
    hours, minutes = text.split(":")
    return int(hours) < 24 and int(minutes) < 60


def told(reserve: Sequence[Mapping[str, Any]]) -> str:
    """Return the lines that parse() reads."""
    return "\n".join(f"{each['seats']} from {each['from']} until {each['until']} {each['zone']}" for each in reserve)

"""Guesses what the columns of a table are, from their heads and cells; the athlete confirms it."""

import re
from collections.abc import Iterable

from coach.formats.table import dates, numbers
from coach.formats.table.mapping import BED, DATE, FAT, HRV, LEAVE_OUT, RESTING, SLEEP, TIME, WAKE, WEIGHT, Mapping
from coach.formats.table.sheets import Sheet

LOOK_ROWS = 200
MOST_DATES = 400  # of one column
HEADS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(words, re.I))
    for role, words in (
        (
            BED,
            r"bed ?time|to bed|sleep start|asleep at|bettzeit|einschlaf|schlaf.?beginn|coucher|上床|^from$|\bstart",
        ),
        (WAKE, r"wake|woke|sleep end|got up|aufwach|aufsteh|schlaf.?ende|lever|réveil|起床|醒来|^to$|\bend\b"),
        (FAT, r"fat|fett|graisse|grasa|体脂"),
        (WEIGHT, r"weight|gewicht|masse?\b|poids|peso|体重"),
        (HRV, r"hrv|rmssd|心率变异"),
        (RESTING, r"rest|ruhe|repos|reposo|rhr|静息|heart rate|herzfrequenz|puls"),
        (SLEEP, r"sleep|asleep|schlaf|sommeil|sueño|睡眠"),
        (DATE, r"date|datum|day|tag|fecha|jour|日期|timestamp|zeitpunkt|^when$"),
        (TIME, r"time|uhrzeit|zeit|heure|hora|时间"),
    )
)
OF_AN_ACTIVITY = re.compile(
    r"speed|cadence|distance|position|latitude|longitude|\blat\b|\blon\b|altitude|elevation|power|watts|pace"
    r"|geschwindigkeit|trittfrequenz|strecke|höhe|leistung", re.I
)  # fmt: skip
OF_A_BODY = (WEIGHT, FAT, HRV, SLEEP)


def guess(sheet: Sheet) -> Mapping:
    """Return what the columns probably are; order and unit are empty where the cells leave them open."""
    columns = [LEAVE_OUT] * len(sheet.heads)
    for place, head in enumerate(sheet.heads):
        role = _role(head) if sheet.has_heads else LEAVE_OUT
        if role and role not in columns and _fits(role, sheet.column(place)[:LOOK_ROWS]):
            columns[place] = role
    if DATE not in columns:
        free = (place for place, role in enumerate(columns) if role in (LEAVE_OUT, TIME))
        for place in [place for place in free if _is_dated(sheet, place)][:1]:
            columns[place] = DATE
    dated_cells = [_spread(sheet.column(place)) for place, role in enumerate(columns) if role in (DATE, BED, WAKE)]
    return Mapping(
        columns=tuple(columns),
        date_order=_order(cell for cells in dated_cells for cell in cells),
        weight_unit=_unit(sheet, columns),
    )


def is_of_an_activity(sheet: Sheet) -> bool:
    """Say whether these are the samples of one activity rather than days."""
    movement = sum(bool(OF_AN_ACTIVITY.search(head)) for head in sheet.heads)
    return movement >= 2 and not any(_role(head) in OF_A_BODY for head in sheet.heads)


def _role(head: str) -> str:
    words = re.sub(r"[_\-]+", " ", head)
    return next((role for role, pattern in HEADS if pattern.search(words)), LEAVE_OUT)


def _fits(role: str, cells: list[str]) -> bool:
    """A head is not enough: most cells must be of the kind."""
    filled = [cell for cell in cells if cell]
    if role in (BED, WAKE, TIME):
        sound = [cell for cell in filled if dates.time_of(cell) or dates.orders_of(cell)]
    elif role == DATE:
        sound = [cell for cell in filled if dates.orders_of(cell)]
    elif role == SLEEP:
        sound = [cell for cell in filled if numbers.minutes(cell) is not None]
    else:
        sound = [cell for cell in filled if numbers.number(cell) is not None or numbers.STONES.fullmatch(cell)]
    return 2 * len(sound) >= len(filled)


def _is_dated(sheet: Sheet, place: int) -> bool:
    cells = [cell for cell in sheet.column(place)[:LOOK_ROWS] if cell]
    return bool(cells) and 2 * sum(bool(dates.orders_of(cell)) for cell in cells) >= len(cells)


def _spread(cells: list[str]) -> list[str]:
    """Return cells from all over the column: enough of them to tell days from months, of a table of any length."""
    return cells[:: -(-len(cells) // MOST_DATES) or 1]


def _order(cells: Iterable[str]) -> str:
    """Return the only order that fits the most dates; nothing when two fit equally."""
    counted = dict.fromkeys(dates.ORDERS, 0)
    differ = False
    for cell in cells:
        fitting = {order: dates.when(cell, order=order) for order in dates.ORDERS}
        for order, found in fitting.items():
            counted[order] += found is not None
        differ = differ or len({found.day for found in fitting.values() if found}) > 1
    most = max(counted.values())
    best = [order for order, count in counted.items() if count == most and most]
    if not best:
        return ""
    return best[0] if len(best) == 1 or not differ else ""


def _unit(sheet: Sheet, columns: list[str]) -> str:
    if WEIGHT not in columns:
        return ""
    place = columns.index(WEIGHT)
    named = numbers.unit_of_weight(re.sub(r"[_\-]+", " ", sheet.heads[place]))
    if named in ("kg", "lb", "st"):
        return named
    units = {numbers.unit_of_weight(cell) for cell in sheet.column(place)[:LOOK_ROWS] if cell}
    return units.pop() if len(units) == 1 and units <= {"kg", "lb", "st"} else ""

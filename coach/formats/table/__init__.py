"""Reads tables of weight, sleep and resting heart rate; what the columns are, the athlete says once."""

from coach.formats.table.guessing import guess, is_of_an_activity
from coach.formats.table.mapping import DATE_ORDERS, NIGHT_DATES, ROLES, WEIGHT_UNITS, Mapping
from coach.formats.table.reading import Read, read
from coach.formats.table.sheets import LARGEST_BYTES, Sheet, is_table, sheet

__all__ = [
    "DATE_ORDERS",
    "LARGEST_BYTES",
    "NIGHT_DATES",
    "ROLES",
    "WEIGHT_UNITS",
    "Mapping",
    "Read",
    "Sheet",
    "guess",
    "is_of_an_activity",
    "is_table",
    "read",
    "sheet",
]

"""Collects samples row by row and turns them into streams."""

from array import array
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from coach.formats import plausible
from coach.formats.recording import Array, Unreadable

NAN = float("nan")
LARGEST = 500_000  # five days at one sample a second
LARGEST_SECONDS = 1_000_000  # of timer time, each of which is a value in memory
TOO_MANY = "The recording has more than {} samples. Split it and upload the parts."
LONGEST_HOLD_S = 60  # over a longer gap nothing is held


class Samples:
    """Rows as a reader meets them: when, and what was measured then."""

    def __init__(self) -> None:
        self._at_s = array("d")
        self._columns: dict[str, array[float]] = {}

    def __len__(self) -> int:
        return len(self._at_s)

    def add(self, at_s: float, values: Mapping[str, float]) -> None:
        row = len(self._at_s)
        if row >= LARGEST:
            raise Unreadable(TOO_MANY.format(LARGEST))
        for name, value in values.items():
            column = self._columns.setdefault(name, array("d"))
            if len(column) < row:
                column.extend([NAN] * (row - len(column)))
            column.append(value)
        self._at_s.append(at_s)

    def extend(self, at_s: Array, columns: Mapping[str, Array]) -> None:
        """Add many rows at once; NaN is what was not measured."""
        rows = len(self._at_s)
        if rows + len(at_s) > LARGEST:
            raise Unreadable(TOO_MANY.format(LARGEST))
        for name, values in columns.items():
            if not np.isnan(values).all():
                column = self._columns.setdefault(name, array("d"))
                column.extend([NAN] * (rows - len(column)))
                column.frombytes(values.tobytes())
        self._at_s.frombytes(at_s.tobytes())

    def at_s(self) -> Array:
        return np.array(self._at_s, dtype=np.float64)

    def columns(self) -> dict[str, Array]:
        """Return one array a measurement, as long as there are rows, NaN where nothing was measured."""
        padded = {}
        for name, column in self._columns.items():
            values = np.full(len(self._at_s), NAN)
            values[: len(column)] = column
            padded[name] = values
        return padded


def streams(time_s: Array, columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return the streams of a recording: times strictly increasing, impossible values and empty streams gone.

    Rows of the same instant become one (the later value wins); rows before the start are left out.
    """
    order = np.argsort(time_s, kind="stable")
    order = order[time_s[order] >= 0]
    if len(order) == 0:
        return {}
    ordered = np.round(time_s[order], 6)
    gaps = np.diff(ordered)
    if gaps[gaps <= LONGEST_HOLD_S].sum() > LARGEST_SECONDS:
        days = LARGEST_SECONDS // 86_400
        raise Unreadable(f"The recording runs for more than {days} days. Split it and upload the parts.")
    first = np.flatnonzero(np.diff(ordered, prepend=-1.0) > 0)
    kept = {name: _last_known(column[order], first) for name, column in columns.items()}
    return {"time_s": ordered[first], **plausible.measured(kept)}


def select(columns: Mapping[str, Array], rows: NDArray[np.bool_] | NDArray[np.intp]) -> dict[str, Array]:
    return {name: column[rows] for name, column in columns.items()}


def _last_known(column: Array, first: NDArray[np.intp]) -> Array:
    """Return one value a group of rows, the last that is no NaN; `first` are the rows where groups begin."""
    rows = np.where(np.isnan(column), -1, np.arange(len(column)))
    last = np.maximum.reduceat(rows, first)
    return np.where(last >= first, column[last], NAN)

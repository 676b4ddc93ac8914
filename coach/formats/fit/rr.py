"""Collects the intervals from heart beat to heart beat, which watches write between the records."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array

FIELD = "time"
LARGEST = 500_000  # five days of beats


class Intervals:
    """Intervals in order, each with the number of samples that stand before it in the file."""

    def __init__(self) -> None:
        self._samples = array("q")
        self._seconds = array("d")

    def __len__(self) -> int:
        return len(self._seconds)

    def add(self, frame: Any, *, samples: int) -> None:
        """Take the intervals of one message."""
        for item in frame.fields:
            if item.name == FIELD and item.field_def is not None and not item.field_def.is_dev:
                values = item.value if isinstance(item.value, tuple) else (item.value,)
                known = np.array([value for value in values if isinstance(value, int | float)], dtype=np.float64)
                self.extend(np.full(len(known), samples), known)

    def extend(self, samples: NDArray[np.int64], seconds: Array) -> None:
        """Take the intervals that are some; NaN is none."""
        known = np.flatnonzero(seconds > 0)[: LARGEST - len(self)]
        self._samples.frombytes(samples[known].astype(np.int64).tobytes())
        self._seconds.frombytes(seconds[known].tobytes())

    def placed(self, at_s: Array) -> tuple[Array, Array]:
        """Return the device's seconds of the sample before each interval, and the intervals."""
        if not len(self) or not len(at_s):
            return np.empty(0), np.empty(0)
        before = np.clip(np.array(self._samples) - 1, 0, len(at_s) - 1)
        return at_s[before], np.array(self._seconds)

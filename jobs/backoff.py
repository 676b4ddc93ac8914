"""How long to wait before the next attempt."""

import random
from collections.abc import Sequence


def seconds(attempts: int, steps: Sequence[float], *, jitter: float = 0.25) -> float:
    """Return the wait after `attempts` spent attempts (1 after the first), spread by ± `jitter`."""
    step = steps[min(max(attempts, 1), len(steps)) - 1] if steps else 0.0
    return step * random.uniform(1 - jitter, 1 + jitter)  # noqa: S311

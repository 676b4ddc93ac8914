"""Numbers that look random and are the same on every run."""

import numpy as np
import pytest


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20261130)

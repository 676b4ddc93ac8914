"""Percentages add up and compare fairly."""

import pytest

from coach.scopes.shares import change_pct, shares_pct


def test_thirds_add_up_to_a_hundred() -> None:
    assert shares_pct({"a": 1, "b": 1, "c": 1}) == {"a": 34, "b": 33, "c": 33}


def test_the_largest_remainder_gets_the_rest() -> None:
    found = shares_pct({"a": 16.6, "b": 16.9, "c": 66.5})
    assert found == {"a": 17, "b": 17, "c": 66}


def test_no_whole_no_shares() -> None:
    assert shares_pct({"a": 0, "b": 0}) == {"a": None, "b": None}
    assert shares_pct({}) == {}


def test_change_needs_something_to_compare_with() -> None:
    assert change_pct(150, usual=100, least=10) == pytest.approx(50)
    assert change_pct(150, usual=5, least=10) is None
    assert change_pct(150, usual=None, least=10) is None

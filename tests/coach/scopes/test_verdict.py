"""The rule of the day: what it says, what decides, and that a single night never does."""

from dataclasses import replace
from itertools import product

import pytest

from coach.scopes.recovery.apart import Apart
from coach.scopes.today.verdict import EASY, HARD, PLANNED, WORDS, Standing, verdict

USUAL = Apart(hrv=False, resting=False, sleep=False)
NOTHING = Apart(hrv=None, resting=None, sleep=None)
FRESH = Standing(tsb=3.0, days_since_hard=4, is_settled=True, is_away=False, is_planned=False, apart=USUAL)


@pytest.mark.parametrize(
    ("changes", "word", "because"),
    [
        ({}, HARD, ("tsb", "days_since_hard")),
        ({"days_since_hard": None}, HARD, ("tsb", "hrv_7d")),
        ({"days_since_hard": 2}, PLANNED, ("tsb", "hrv_7d")),
        ({"tsb": -5.1}, PLANNED, ("tsb", "hrv_7d")),
        ({"is_settled": False}, PLANNED, ("tsb", "hrv_7d")),
        ({"is_planned": True}, PLANNED, ("planned", "hrv_7d")),
        ({"is_planned": True, "tsb": -30.1}, EASY, ("tsb", "atl")),
        ({"is_away": True, "is_planned": True}, EASY, ("days_away", "ctl")),
        ({"apart": replace(USUAL, sleep=True)}, PLANNED, ("tsb", "sleep_debt")),
        ({"apart": replace(USUAL, sleep=True), "tsb": -10.1}, EASY, ("sleep_debt", "tsb")),
        ({"apart": replace(USUAL, hrv=True, resting=True)}, EASY, ("hrv_7d", "rhr_delta")),
        ({"apart": replace(USUAL, hrv=True, resting=True), "is_planned": True}, EASY, ("hrv_7d", "rhr_delta")),
        ({"apart": NOTHING}, PLANNED, ("tsb", "load_yesterday")),
        ({"apart": NOTHING, "tsb": None}, PLANNED, ()),
        ({"apart": replace(NOTHING, hrv=False), "tsb": None}, PLANNED, ("hrv_7d",)),
    ],
)
def test_the_rule(changes, word, because):
    found = verdict(replace(FRESH, **changes))
    assert (found.word, found.because) == (word, because)


def test_every_standing_has_a_word_and_reasons_that_can_be_said():
    states = (None, False, True)
    for tsb, hrv, resting, sleep, planned in product((None, -40.0, -12.0, 5.0), states, states, states, (True, False)):
        now = replace(FRESH, tsb=tsb, is_planned=planned, apart=Apart(hrv=hrv, resting=resting, sleep=sleep))
        found = verdict(now)
        assert found.word in (EASY, PLANNED, HARD)
        assert set(found.because) <= set(WORDS)
        assert len(found.because) <= 2
        assert not (planned and found.word == HARD)
        assert not (found.word == HARD and now.apart.count)


def test_the_more_stands_apart_the_less_the_rule_allows():
    order = (EASY, PLANNED, HARD)
    for tsb, planned in product((-40.0, -12.0, 0.0, 5.0), (True, False)):
        steps = [Apart(hrv=number > 0, resting=number > 1, sleep=number > 2) for number in range(4)]
        words = [verdict(replace(FRESH, tsb=tsb, is_planned=planned, apart=apart)).word for apart in steps]
        assert [order.index(word) for word in words] == sorted((order.index(word) for word in words), reverse=True)

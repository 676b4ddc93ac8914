"""Recordings are sorted into sessions in a way that depends on nothing but what there is and what was ruled."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from coach.metrics.grouping import Ruled, group
from coach.metrics.likeness import Seen

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def seen(key: str, later_s: float = 0, **changes: object) -> Seen:
    first = Seen(
        key=key,
        file=key[0],
        format="fit",
        sport="running",
        started_at=NOON,
        elapsed_s=3600,
        timer_s=3600,
        distance_m=10_000,
    )
    return replace(first, started_at=NOON + timedelta(seconds=later_s), **changes)  # type: ignore[arg-type]


def names(recordings: Sequence[Seen], *ruled: tuple[str, bool]) -> tuple[set[str], dict[str, str]]:
    """Return the sessions as joined keys, and who stands aside for whom; a ruling is its two keys and a verdict."""
    grouped = group(recordings, [Ruled(one=pair[0], other=pair[1], same=same) for pair, same in ruled])
    sessions = {"".join(sorted(keys)) for keys in grouped.sessions}
    return sessions, {aside.key: aside.candidate for aside in grouped.aside}


A, B, C = seen("a"), seen("b", 60), seen("c", 115)
FAR = seen("f", 175)  # like B and C, and only nearly like A


@pytest.mark.parametrize("order", list(permutations([A, B, C, FAR])))
def test_what_is_like_one_of_a_session_is_of_it_in_any_order(order):
    assert names(order) == ({"abcf"}, {})


def test_what_is_nearly_like_a_session_stands_aside():
    assert names([A, FAR]) == ({"a"}, {"f": "a"})


def test_who_came_first_is_no_question():
    assert names([FAR, A]) == ({"f"}, {"a": "f"})


def test_an_answer_settles_it_either_way():
    assert names([A, FAR], ("af", True)) == ({"af"}, {})
    assert names([A, FAR], ("af", False)) == ({"a", "f"}, {})


def test_what_was_ruled_apart_never_meets_by_way_of_a_third():
    assert names([A, B, C], ("ac", False)) == ({"ab", "c"}, {})


def test_what_fits_two_sessions_is_asked_about():
    assert names([A, C, B], ("ac", False)) == ({"a", "c"}, {"b": "a"})


def test_of_two_sessions_that_fit_the_one_it_is_a_copy_of_is_taken():
    assert names([A, C, seen("d", 1)], ("ac", False)) == ({"ad", "c"}, {})


def test_the_latest_ruling_wins_where_they_contradict():
    together = [("ab", True), ("bc", True)]
    assert names([A, B, C], ("ac", False), *together) == ({"ab", "c"}, {})
    assert names([A, B, C], *together, ("ac", False)) == ({"abc"}, {})


def test_a_ruling_joins_what_is_not_alike():
    assert names([A, seen("z", 90_000)], ("az", True)) == ({"az"}, {})


def test_a_ruling_about_what_is_not_there_is_kept_for_later():
    assert names([A], ("ab", False)) == ({"a"}, {})


def test_sessions_of_one_file_are_apart_unless_they_repeat():
    halves = [seen("m:0"), seen("m:1", 100), seen("m:2")]
    sessions = group(halves).sessions
    assert {frozenset(keys) for keys in sessions} == {frozenset({"m:0", "m:2"}), frozenset({"m:1"})}


def test_a_multisport_file_and_its_other_export_meet_leg_by_leg():
    swim = seen("m:0", sport="swimming", distance_m=1500)
    ride = seen("m:1", 3600, sport="cycling", distance_m=40_000)
    again = [replace(leg, key=leg.key.replace("m", "n"), file="n") for leg in (swim, ride)]
    assert {frozenset(keys) for keys in group([swim, ride, *again]).sessions} == {
        frozenset({"m:0", "n:0"}),
        frozenset({"m:1", "n:1"}),
    }

"""Weeks keep their ISO names whatever weekday they begin on."""

from datetime import date, timedelta

import pytest

from coach.scopes.calendar import days_of, week_of


def test_a_week_from_monday_is_the_iso_week() -> None:
    assert week_of(date(2026, 11, 26)) == "2026-W48"
    assert days_of("2026-W48") == (date(2026, 11, 23), date(2026, 11, 29))


def test_the_turn_of_the_year_belongs_to_the_year_of_its_thursday() -> None:
    assert week_of(date(2027, 1, 1)) == "2026-W53"
    assert days_of("2026-W53")[0] == date(2026, 12, 28)


def test_a_week_from_sunday_holds_the_same_thursday() -> None:
    assert days_of("2026-W48", starts_on=7) == (date(2026, 11, 22), date(2026, 11, 28))
    assert week_of(date(2026, 11, 29), starts_on=7) == "2026-W49"


@pytest.mark.parametrize("starts_on", range(1, 8))
def test_every_day_lies_in_the_week_of_its_name(starts_on: int) -> None:
    for number in range(800):
        day = date(2025, 12, 1) + timedelta(days=number)
        first, last = days_of(week_of(day, starts_on=starts_on), starts_on=starts_on)
        assert first <= day <= last
        assert first.isoweekday() == starts_on


@pytest.mark.parametrize(
    "name", ["2026-W54", "2026-W00", "2026-48", "W48", "", "2026-W48 ", "0000-W01", "9999-W52", "1899-W52"]
)
def test_what_is_no_week_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"week"):
        days_of(name)

"""Records: dated, new or not, linked to their session, and never made of what was not one's own."""

from datetime import date, timedelta
from typing import Any

import pytest

from coach import scopes
from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best
from coach.scopes.facts import Facts
from tests.coach.scopes.rows import TODAY, activity, athlete

DAY = timedelta(days=1)
MAY = date(2026, 5, 3)


def best(owner: Athlete, span: int, value: float, *, day: date = TODAY, doubt: str = "", **changes: Any) -> Activity:
    """Make a session with one best: power of a ride, or the time of a run when `measure` says so."""
    measure = changes.pop("measure", "power")
    row = activity(owner, day, **{"sport": "cycling" if measure == "power" else "running"} | changes)
    family = sport(row.sport).family
    Best.objects.create(
        activity=row, athlete=owner, family=family, measure=measure, span=span, value=value, local_date=day, doubt=doubt
    )
    return row


def run(owner: Athlete, span: int, value: float, **changes: Any) -> Activity:
    return best(owner, span, value, **{"measure": "time"} | changes)


def records(owner: Athlete, family: str = "cycling") -> Facts:
    return scopes.facts_for("records", owner, family)


def row_of(facts: Facts, name: str) -> dict[str, Any]:
    return next(row for row in facts.charts["rows"] if row["cells"][0] == name)


def test_a_record_has_its_day_its_age_and_what_it_beat(ana: Athlete) -> None:
    best(ana, 300, 310, day=MAY - 100 * DAY)
    best(ana, 300, 329, day=MAY)
    first = best(ana, 300, 341, day=TODAY - 3 * DAY)
    best(ana, 300, 330, day=TODAY)
    facts = records(ana)
    assert facts["best_power_300"].display == "341 W"
    assert facts["best_power_300_on"].display == "23 November 2026"
    row = row_of(facts, "5 min")
    assert row["cells"] == ["5 min", "341 W", "23 Nov 2026", "3", "329 W", "12 W", "341 W"]
    assert (row["activity"], row["is_new"]) == (first.pk, True)


def test_each_best_has_the_name_by_which_a_text_calls_it(ana: Athlete) -> None:
    best(ana, 300, 341)
    run(ana, 21_097, 5400)
    names = {"en": ("5 min power", "half marathon"), "zh-hans": ("5分钟功率", "半程马拉松")}
    for ana.language, (power, far) in names.items():
        assert records(ana)["best_power_300_what"].display == power
        assert records(ana, "running")["best_time_21097_what"].display == far


def test_new_is_what_took_anothers_place_within_28_days(ana: Athlete) -> None:
    best(ana, 60, 400, day=TODAY)  # the first of its kind
    best(ana, 300, 300, day=MAY)
    best(ana, 300, 310, day=TODAY - 27 * DAY)
    best(ana, 1200, 250, day=MAY)
    best(ana, 1200, 260, day=TODAY - 28 * DAY)
    facts = records(ana)
    assert facts["new_count"].display == "1"
    assert [row["cells"][0] for row in facts.charts["rows"] if row["is_new"]] == ["5 min"]


def test_the_newest_record_is_told_with_its_gain(ana: Athlete) -> None:
    run(ana, 5000, 1260, day=MAY)
    run(ana, 5000, 1248, day=TODAY - DAY)
    facts = records(ana, "running")
    assert [facts[key].display for key in ("newest_best_what", "newest_best", "newest_best_on", "newest_gain")] == [
        "5 km", "20:48", "25 November 2026", "0:12",
    ]  # fmt: skip


def test_of_equals_the_first_holds_the_record(ana: Athlete) -> None:
    first = best(ana, 300, 300, day=MAY)
    best(ana, 300, 300, day=TODAY)
    assert row_of(records(ana), "5 min")["activity"] == first.pk


@pytest.mark.parametrize("doubt", ["virtual", "motor", "downhill", "jump"])
def test_what_is_doubtful_is_shown_and_is_no_record(ana: Athlete, doubt: str) -> None:
    run(ana, 5000, 1200, day=MAY)
    other = run(ana, 5000, 900, day=TODAY, doubt=doubt)
    facts = records(ana, "running")
    assert facts["best_time_5000"].display == "20:00"
    assert [one["activity"] for one in facts.charts["doubted"]] == [other.pk]
    assert facts.charts["doubted"][0]["why"]
    run(ana, 5000, 1300, day=TODAY, doubt=doubt)  # slower than the record: nothing to say
    assert len(records(ana, "running").charts["doubted"]) == 1


def test_only_doubtful_bests_are_no_records_at_all(ana: Athlete) -> None:
    run(ana, 5000, 900, doubt="virtual")
    facts = records(ana, "running")
    assert "virtual world" in facts.insufficient
    assert facts.facts == ()


def test_an_ignored_session_holds_no_record(ana: Athlete) -> None:
    best(ana, 300, 300, day=MAY)
    best(ana, 300, 400, is_ignored=True)
    assert records(ana)["best_power_300"].display == "300 W"


def test_nothing_here_says_what_to_upload(ana: Athlete) -> None:
    best(athlete("mate"), 300, 400)
    assert "Upload" in records(ana).insufficient


def test_critical_power_of_the_vector(ana: Athlete) -> None:
    for seconds, watts in ((180, 400), (720, 320)):
        best(ana, seconds, watts)
    assert records(ana).get("cp") is None  # two points make no fit
    best(ana, 360, 293.333 + 19_200 / 360)  # no span of ours
    best(ana, 600, 293.333 + 19_200 / 600)
    facts = records(ana)
    assert facts["cp"].display == "293 W"
    assert facts["cp"].value == pytest.approx(293.3, abs=0.05)
    assert facts["w_prime"].display == "19.2 kJ"
    assert facts["cp_points"].value == 3


def test_critical_power_is_of_ninety_days(ana: Athlete) -> None:
    for seconds, watts in ((180, 400), (720, 320), (1200, 310)):
        best(ana, seconds, watts, day=TODAY - 95 * DAY)
    assert records(ana)["cp"].value
    best(ana, 5, 900, day=TODAY)
    assert records(ana).get("cp") is None


def test_vdot_and_predictions_name_their_input(ana: Athlete) -> None:
    run(ana, 5000, 1200, day=MAY)
    facts = records(ana, "running")
    assert (facts["vdot"].display, facts["vdot_from"].display) == ("49.81", "5 km in 20:00")
    assert facts["vdot_from_on"].display == "3 May 2026"
    assert facts["predicted_10000"].display == "41:28"
    assert facts["predicted_10000_from"].display == "5 km in 20:00, 3 May 2026"


def test_five_kilometres_foretell_no_marathon(ana: Athlete) -> None:
    run(ana, 5000, 1200)
    facts = records(ana, "running")
    assert {fact.key for fact in facts.facts if fact.key.startswith("predicted")} == {
        "predicted_10000",
        "predicted_10000_from",
    }
    run(ana, 21_097, 5510, day=TODAY)
    predicted = records(ana, "running")
    assert predicted["predicted_42195_from"].display.startswith("half marathon in 1:31:50")
    assert predicted["predicted_42195"].display == "3:11:18"


def test_nothing_is_predicted_that_was_run_as_fast(ana: Athlete) -> None:
    run(ana, 5000, 1200)
    run(ana, 10_000, 2400)
    assert records(ana, "running").get("predicted_10000") is None


def test_sprints_have_no_vdot(ana: Athlete) -> None:
    run(ana, 400, 60)
    assert records(ana, "running").get("vdot") is None


def test_a_new_best_changes_the_fingerprint_and_a_session_without_one_does_not(ana: Athlete) -> None:
    def mark() -> str:
        return records(ana).fingerprint(writer="w", language="en", units="metric")

    best(ana, 300, 300, day=MAY)
    before = mark()
    best(ana, 300, 290, day=MAY)
    assert mark() == before
    best(ana, 300, 301, day=MAY)
    assert mark() != before


def test_a_days_passing_changes_nothing(ana: Athlete, monkeypatch: pytest.MonkeyPatch) -> None:
    best(ana, 300, 300, day=MAY)
    before = records(ana).fingerprint(writer="w", language="en", units="metric")
    monkeypatch.setattr(Athlete, "today", lambda self: TODAY + 5 * DAY)
    assert records(ana).fingerprint(writer="w", language="en", units="metric") == before


def test_the_curve_sets_all_time_against_ninety_days(ana: Athlete) -> None:
    for span, watts in ((5, 800), (300, 340), (1200, 300)):
        best(ana, span, watts, day=MAY - 200 * DAY)
    best(ana, 300, 320, day=TODAY)
    points = records(ana).charts["power"]["points"]
    assert [(one["name"], one["all"], one["lately"]) for one in points] == [
        ("5 s", 800, None), ("5 min", 340, 320), ("20 min", 300, None),
    ]  # fmt: skip


def test_runners_read_their_curve_as_pace(ana: Athlete) -> None:
    run(ana, 1000, 200)
    run(ana, 5000, 1200)
    points = records(ana, "running").charts["pace"]["points"]
    assert [one["display"] for one in points] == ["3:20 /km", "4:00 /km"]


@pytest.mark.parametrize("subject", ["", "cycle", "strength", "current"])
def test_there_are_records_of_four_sports(ana: Athlete, subject: str) -> None:
    with pytest.raises(scopes.UnknownSubject, match="no records of"):
        records(ana, subject)


def test_records_take_four_queries_however_many_there_are(ana: Athlete, django_assert_max_num_queries: Any) -> None:
    for number, span in enumerate((5, 60, 300, 1200, 3600) * 8):
        best(ana, span, 200 + number, day=TODAY - number * DAY)
    with django_assert_max_num_queries(4):
        records(ana)

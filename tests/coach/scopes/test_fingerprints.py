"""What makes another text necessary on each of the eight screens, and what never does."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from coach import gateway, insights, scopes
from coach.gateway import prompt
from coach.models import Activity, Athlete, Best, Goal, ImportFile, ImportRun, Measure, Night, Planned, Threshold
from coach.scopes import facts as facts_module
from coach.scopes.facts import Facts
from tests.coach.scopes import rows
from tests.coach.scopes.rich import DAY, made, ride_of
from tests.coach.scopes.rows import MORNING, TODAY

SCOPES = ("today", "week", "trends", "load", "activity", "records", "recovery", "body")
SUBJECTS = {"week": "2026-W48", "trends": "180d", "records": "cycling"}
DECAYING = {"today", "load", "recovery", "body"}
Change = Callable[[Athlete], object]


def subject_of(owner: Athlete, scope: str) -> str:
    if scope == "activity":
        return str(newest_ride(owner).pk)
    return SUBJECTS.get(scope, "current")


def newest_ride(owner: Athlete) -> Activity:
    return Activity.objects.filter(athlete=owner, provenance__isnull=False).get()


def facts_of(owner: Athlete, scope: str) -> Facts:
    return scopes.facts_for(scope, owner, subject_of(owner, scope))


def mark(owner: Athlete, scope: str) -> str:
    """Return the fingerprint, the id of a session apart."""
    return insights.fingerprint(owner, replace(facts_of(owner, scope), subject="one"))


def marks(owner: Athlete) -> dict[str, str]:
    owner.refresh_from_db()
    return {scope: mark(owner, scope) for scope in SCOPES}


@pytest.fixture
def ana(db: None) -> Athlete:
    owner = made()
    ride_of(owner)
    return owner


def tiny(model: Any, **shifts: float) -> Change:
    """Shift a column of every row by less than is shown."""

    def change(owner: Athlete) -> None:
        for row in model.objects.filter(athlete=owner):
            model.objects.filter(pk=row.pk).update(
                **{name: getattr(row, name) + by for name, by in shifts.items() if getattr(row, name) is not None}
            )

    return change


def other_files(owner: Athlete) -> None:
    """Have everything brought by another import, as if it had been undone and imported again."""
    run = ImportRun.objects.create(source=owner.sources.get())
    file = ImportFile.objects.create(run=run, name="again.zip", size=9)
    for model in (Night, Measure):
        model.objects.filter(athlete=owner).update(file=file)
    newest_ride(owner).provenance.update(file=file)


def ignored_sessions(owner: Athlete) -> None:
    for back in range(5):
        rows.activity(owner, TODAY - DAY * back, is_ignored=True, load=300.0, sport="cycling")


NOTHING_CHANGES: dict[str, Change] = {
    "asked again": lambda owner: None,
    "the ids of files and imports": other_files,
    "rows that count nowhere": ignored_sessions,
    "a load by less than is shown": tiny(Activity, load=1e-7, timer_s=1e-6, distance_m=1e-6, efficiency_factor=1e-9),
    "a night by less than is shown": tiny(Night, asleep_min=1e-6),
    "a measure by less than is shown": tiny(Measure, value=1e-7),
    "a best by less than is shown": tiny(Best, value=-1e-6),
    "somebody else's session": lambda owner: rows.activity(rows.athlete("ben"), load=500.0),
}


def test_what_changes_no_text(ana: Athlete) -> None:
    before = marks(ana)
    assert {name: changed(ana, change, before) for name, change in NOTHING_CHANGES.items()} == dict.fromkeys(
        NOTHING_CHANGES, frozenset()
    )


def changed(owner: Athlete, change: Change, before: dict[str, str]) -> frozenset[str]:
    """Make a change, return the scopes it gives another text, and take it back."""
    with transaction.atomic():
        change(owner)
        after = marks(owner)
        transaction.set_rollback(True)
    return frozenset(scope for scope in SCOPES if after[scope] != before[scope])


def test_the_same_rows_in_another_order_with_other_ids_are_the_same(ana: Athlete) -> None:
    ben = made("ben", backwards=True)
    ride_of(ben, backwards=True)
    assert marks(ben) == marks(ana)


def test_the_time_of_day_changes_nothing(ana: Athlete, monkeypatch: pytest.MonkeyPatch) -> None:
    before = marks(ana)
    monkeypatch.setattr(timezone, "now", lambda: MORNING + timedelta(hours=9))
    assert marks(ana) == before


def saved(**values: Any) -> Change:
    return lambda owner: Athlete.objects.filter(pk=owner.pk).update(**values)


def on_the_ride(**values: Any) -> Change:
    return lambda owner: Activity.objects.filter(pk=newest_ride(owner).pk).update(**values)


def on_the_goal(**values: Any) -> Change:
    return lambda owner: Goal.objects.filter(athlete=owner).update(**values)


def new(model: Any, **values: Any) -> Change:
    return lambda owner: model.objects.create(athlete=owner, **values)


def of_last_night(owner: Athlete) -> None:
    Night.objects.filter(athlete=owner, wake_date=TODAY).update(asleep_min=300.0)


def better(owner: Athlete) -> None:
    Best.objects.filter(athlete=owner, measure="power", span=300, local_date__gt=date(2026, 11, 1)).update(value=381.0)


def weighed(owner: Athlete) -> None:
    file = ImportFile.objects.filter(run__source__athlete=owner).first()
    Measure.objects.filter(athlete=owner, metric="weight_kg", local_date=TODAY).update(value=72.0, file=file)


ALL = set(SCOPES)
CHANGES: dict[str, tuple[Change, set[str]]] = {
    "the language": (saved(language="zh-hans"), ALL),
    "the units": (saved(units="imperial"), ALL),
    "the weight that is the goal": (saved(weight_goal_kg=66.0), {"body"}),
    "the need for sleep": (saved(sleep_need_min=500), {"recovery", "today"}),
    "the day of the goal": (on_the_goal(day=TODAY + DAY * 44), {"today", "week"}),
    "the time aimed for": (on_the_goal(target_s=12_540.0), {"today", "week"}),
    "no time aimed for": (on_the_goal(target_s=None), {"today", "week"}),
    "how far the goal is": (on_the_goal(distance_m=21_097.5), {"today", "week"}),
    "the sport of the goal": (on_the_goal(sport="cycling"), {"today", "week"}),
    "no goal any more": (lambda owner: Goal.objects.all().delete(), {"today", "week"}),
    "a goal before the goal": (new(Goal, name="Test", day=TODAY + DAY * 9), {"today", "week"}),
    "a goal after the goal": (new(Goal, name="Next", day=TODAY + DAY * 90), set()),
    "a goal that is over": (new(Goal, name="Last", day=TODAY - DAY * 9), set()),
    "another word for the goal": (on_the_goal(name="Another"), set()),
    "the plan of today": (lambda owner: Planned.objects.update(duration_s=5400.0), {"today"}),
    "another word for the plan": (lambda owner: Planned.objects.update(title="Another", note="Slow"), set()),
    "a note": (on_the_ride(note="Windy"), {"activity"}),
    "a type that was stated": (on_the_ride(stated_type="tempo"), {"activity"}),
    "how hard it felt": (on_the_ride(effort=3), {"activity"}),
    "a race": (on_the_ride(is_race=True), {"activity", "today"}),
    "a distance put right": (on_the_ride(distance_m=46_000.0), {"activity", "week"}),
    "a load by as much as is shown": (on_the_ride(load=120.0), {"activity", "today", "week", "load", "trends"}),
    "doubts": (on_the_ride(flags=["One.", "Two."]), {"activity"}),
    "a night": (of_last_night, {"today", "recovery"}),
    "a weight": (weighed, {"body"}),
    "a best": (better, {"records"}),
    "a threshold valid today": (new(Threshold, kind="ftp_w", value=260.0, valid_from=date(2026, 6, 1)), {"body"}),
    "a threshold of tomorrow": (new(Threshold, kind="ftp_w", value=270.0, valid_from=TODAY + DAY), set()),
    "a session": (lambda owner: rows.activity(owner, load=200.0), {"today", "week", "load", "trends"}),
}  # fmt: skip


def test_what_changes_which_text(ana: Athlete) -> None:
    before = marks(ana)
    found = {name: changed(ana, change, before) for name, (change, _) in CHANGES.items()}
    assert found == {name: expected for name, (_, expected) in CHANGES.items()}


def test_a_goal_changes_each_text_that_could_speak_of_it(ana: Athlete) -> None:
    """What has a goal among its facts, be it a race or a weight, changes with it; a text without any cannot name it."""
    speak = {scope for scope in SCOPES if any(fact.key.startswith("goal") for fact in facts_of(ana, scope).facts)}
    races = [name for name, (_, expected) in CHANGES.items() if "goal" in name and expected]
    assert speak == set().union(*(CHANGES[name][1] for name in races)) == {"today", "week", "body"}


def test_a_goal_that_is_over_changes_the_week_in_which_it_lay(ana: Athlete) -> None:
    before = {week: insights.fingerprint(ana, scopes.facts_for("week", ana, week)) for week in ("2026-W46", "2026-W47")}
    Goal.objects.create(athlete=ana, name="Last", day=date(2026, 11, 20))
    after = {week: insights.fingerprint(ana, scopes.facts_for("week", ana, week)) for week in before}
    assert [week for week in before if before[week] != after[week]] == ["2026-W47"]


def test_the_day_changes_what_decays_with_it_and_nothing_else(ana: Athlete, monkeypatch: pytest.MonkeyPatch) -> None:
    before = marks(ana)
    monkeypatch.setattr(timezone, "now", lambda: MORNING + DAY)
    after = marks(ana)
    assert {scope for scope in SCOPES if after[scope] != before[scope]} == DECAYING


def test_a_week_changes_once_another_day_of_it_counts(ana: Athlete, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a session on Thursday, so on Friday morning the same days count; on Saturday it is one more."""
    before = marks(ana)
    monkeypatch.setattr(timezone, "now", lambda: MORNING + 2 * DAY)
    after = marks(ana)
    assert {scope for scope in SCOPES if after[scope] != before[scope]} == DECAYING | {"week"}


def test_a_past_week_is_past(ana: Athlete, monkeypatch: pytest.MonkeyPatch) -> None:
    before = insights.fingerprint(ana, scopes.facts_for("week", ana, "2026-W46"))
    monkeypatch.setattr(timezone, "now", lambda: MORNING + DAY)
    assert insights.fingerprint(ana, scopes.facts_for("week", ana, "2026-W46")) == before


def test_the_writer_the_version_the_subject_and_the_note_are_part_of_it(
    ana: Athlete, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(ana, "load")

    def of(shown: Facts = facts, writer: str = "w") -> str:
        return shown.fingerprint(writer=writer, language="en", units="metric")

    seen = {of(), of(writer="x"), of(replace(facts, subject="other")), of(replace(facts, notes="Said"))}
    monkeypatch.setattr(facts_module, "FACTS_VERSION", facts_module.FACTS_VERSION + 1)
    assert len({*seen, of()}) == 5


def test_the_prompt_is_part_of_who_wrote_it(settings: Any) -> None:
    settings.GATEWAY = {"url": "http://127.0.0.1:9", "key": "", "model": "m", "idle_seconds": 5}
    assert gateway.writer() == f"model/m/{prompt.VERSION}"
    assert gateway.writer(task=gateway.task(prompt_version=prompt.VERSION + 1)) == f"model/m/{prompt.VERSION + 1}"


def test_no_count_id_or_time_is_in_it(ana: Athlete) -> None:
    """What a fingerprint is made of are the displays alone: charts, tables and histories are not."""
    for scope in SCOPES:
        facts = facts_of(ana, scope)
        bare = replace(facts, charts={}, tables={}, as_of=None, title="", missing=())
        bare = replace(bare, facts=tuple(replace(fact, value=None, history=(), meaning="") for fact in bare.facts))
        assert insights.fingerprint(ana, bare) == insights.fingerprint(ana, facts)

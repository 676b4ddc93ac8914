"""What an athlete says of a session holds on every way that recordings come, go, meet and part; facts follow."""

from collections.abc import Callable
from typing import Any

import pytest

from coach import deciding, remarks, scopes, undo
from coach.models import Activity, Best, Provenance
from tests import factories
from tests.coach.outings import NOON, gpx, hand_in, later, tcx, work

pytestmark = pytest.mark.django_db(transaction=True)
SAID: dict[str, Any] = {
    "stated_type": "tempo", "effort": 9, "note": "Wind on the way back", "is_race": True, "is_ignored": True,
    "distance_m": 4000.0, "ascent_m": 55.0,
}  # fmt: skip
NOTHING: dict[str, Any] = {"stated_type": "", "effort": None, "note": "", "is_race": False, "is_ignored": False}


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    """A runner who has said all there is to say of a run, which came as GPX."""
    owner = factories.athlete()
    hand_in(owner, ("a.gpx", gpx()))
    remarks.say(owner, only().pk, SAID)
    return owner


def only() -> Activity:
    return Activity.objects.get()


def said_of(row: Activity) -> dict[str, Any]:
    return {name: getattr(row, name) for name in SAID}


def back_again(owner):
    undo.ask(Provenance.objects.first().file.run, owner.user)
    work()
    assert not Activity.objects.exists()
    hand_in(owner, ("again.gpx", gpx()))


def with_another_format_and_the_first_taken_back(owner):
    hand_in(owner, ("b.tcx", tcx()))
    remarks.say(owner, only().pk, SAID)  # of both recordings now
    undo.ask(Provenance.objects.get(format="gpx").file.run, owner.user)
    work()
    assert only().provenance.get().format == "tcx"


def split_and_joined_again(owner):
    hand_in(owner, ("b.tcx", tcx()))
    deciding.split(Provenance.objects.get(format="tcx"))
    one, other = Activity.objects.order_by("provenance__format")
    deciding.join(one, other)


WAYS: dict[str, Callable[[Any], object]] = {
    "the same file again": lambda owner: hand_in(owner, ("a.gpx", gpx())),
    "the same bytes under another name from another source": lambda owner: hand_in(
        owner, ("b.gpx", gpx()), source="Phone"
    ),
    "taken back and imported again": back_again,
    "another format of the same run": lambda owner: hand_in(owner, ("b.tcx", tcx())),
    "another format, and the first one taken back": with_another_format_and_the_first_taken_back,
    "split from another format, and joined with it again": split_and_joined_again,
}


@pytest.mark.parametrize("way", WAYS)
def test_all_that_was_said_sticks(ana, way):
    WAYS[way](ana)
    assert said_of(only()) == SAID


def test_each_part_keeps_its_own_words_when_two_are_joined_by_hand_and_split_again(ana):
    hand_in(ana, ("b.tcx", tcx(later(4000), seconds=1500)))
    other = Activity.objects.exclude(note=SAID["note"]).get()
    remarks.say(ana, other.pk, {"note": "The second one", "effort": 2})
    deciding.join(Activity.objects.get(note=SAID["note"]), other)
    assert (only().note, only().effort) == ("The second one", 2)  # the recording that leads is the TCX
    assert only().is_race
    deciding.split(Provenance.objects.get(format="tcx"))
    words = {row.provenance.get().format: (row.note, row.effort, row.is_race) for row in Activity.objects.all()}
    assert words == {"gpx": (SAID["note"], 9, True), "tcx": ("The second one", 2, False)}


def test_what_is_taken_back_stays_taken_back_on_every_way(ana):
    remarks.say(ana, only().pk, {**NOTHING, "distance_m": None, "ascent_m": None})
    hand_in(ana, ("b.tcx", tcx()))
    assert {name: getattr(only(), name) for name in NOTHING} == NOTHING
    assert only().distance_m == pytest.approx(3600, abs=5)


# Facts


def facts(owner, scope: str, subject: str = "current"):
    return scopes.facts_for(scope, owner, subject)


def test_the_facts_follow_each_word(monkeypatch):
    owner = factories.athlete(time_zone="UTC")
    monkeypatch.setattr(type(owner), "today", lambda athlete: later(86_400).date())
    hand_in(owner, ("a.gpx", gpx(seconds=3600)))
    row = str(only().pk)

    remarks.say(owner, only().pk, {"stated_type": "recovery"})
    assert facts(owner, "activity", row)["kind"].display == "recovery session"
    assert facts(owner, "today").get("days_since_hard") is None

    remarks.say(owner, only().pk, {"stated_type": "", "is_race": True})
    assert facts(owner, "activity", row)["kind"].display == "race"
    assert facts(owner, "today")["days_since_hard"].value == 1

    remarks.say(owner, only().pk, {"effort": 7})
    told = facts(owner, "activity", row)
    assert [told[key].display for key in ("felt", "load", "load_from")] == ["7 of 10", "100", "effort"]
    assert facts(owner, "today")["load_yesterday"].display == "100"
    assert facts(owner, "load")["share_effort"].display == "100 %"

    remarks.say(owner, only().pk, {"note": "Windy"})
    assert facts(owner, "activity", row).notes == "Windy"

    remarks.say(owner, only().pk, {"distance_m": 12_000.0, "ascent_m": 90.0})
    week = facts(owner, "week", "2026-W18")
    assert (week["running_distance"].value, week["running_ascent"].value) == (12_000.0, 90.0)
    assert facts(owner, "activity", row)["pace"].display == "5:00 /km"
    assert facts(owner, "records", "running")["best_time_5000"].value == pytest.approx(1500, abs=2)

    remarks.say(owner, only().pk, {"is_ignored": True})
    for scope, subject in (("week", "2026-W18"), ("load", "current"), ("records", "running"), ("trends", "90d")):
        assert facts(owner, scope, subject).insufficient, scope
    assert facts(owner, "activity", row)["timer"].value == 3600


def test_a_correction_changes_the_load_that_is_taken_from_pace():
    owner = factories.athlete()
    owner.thresholds.create(kind="threshold_pace_s_per_km", value=270, valid_from="2026-01-01")
    hand_in(owner, ("a.gpx", gpx(NOON, seconds=1800)))
    remarks.say(owner, only().pk, {"distance_m": 6000.0})
    assert only().load_from == "pace"
    assert only().load == pytest.approx(40.5, abs=0.1)  # 30 min at 5:00 with a threshold of 4:30
    assert Best.objects.get(span=5000).value == pytest.approx(1500, abs=2)

"""What an athlete may ask of a model in a day: counted before a call, said, and enforced where texts are asked for."""

import re
import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from coach import backfill, budget, insights, narrator, panels, scopes
from coach.models import Insight, Spending
from jobs import api, testing
from jobs.models import Job
from tests import factories
from tests.coach.views.rows import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def opened(owner, scope="load", subject="current"):
    return panels.panel(owner, scopes.facts_for(scope, owner, subject), owner.user)


def spend(owner, **amounts):
    Spending.objects.update_or_create(athlete=owner, day=owner.today(), defaults=amounts)


def test_each_call_and_its_tokens_are_counted(ana, gateway):
    opened(ana)
    testing.run_due()
    assert opened(ana).state == "written"
    row = Spending.objects.get(athlete=ana)
    assert row.calls == len(gateway.log()) == 1
    assert row.tokens > 500


@pytest.mark.parametrize("spent", [{"calls": 3}, {"tokens": 5_000}])
def test_a_spent_day_asks_for_nothing_shows_the_short_version_and_says_when(ana, gateway, settings, spent):
    settings.BUDGET = {"calls": 3, "tokens": 5_000}
    spend(ana, **spent)
    shown = opened(ana)
    assert (shown.state, shown.poll_ms) == ("builtin", None)
    assert shown.headline
    tomorrow = ana.today() + timedelta(days=1)
    assert f"From 00:00 on {tomorrow:%Y-%m-%d} a new text can be written." in shown.sentence
    assert "without a language model" in shown.small_print
    assert not Job.objects.filter(kind="insight").exists()
    assert backfill.ask(ana, "load", "current") == 0
    assert gateway.log() == []


def test_the_next_day_is_the_athletes_own(ana, gateway, settings, monkeypatch):
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 7, 1, 21, 30, tzinfo=UTC))  # half past 23 in Berlin
    spend(ana, calls=1)
    assert budget.standing(ana).is_spent
    assert budget.anew_at(ana).astimezone(UTC) == datetime(2026, 7, 1, 22, 0, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 7, 1, 22, 30, tzinfo=UTC))
    assert not budget.standing(ana).is_spent


def test_staff_give_one_athlete_another_limit(ana, gateway, settings):
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    spend(ana, calls=1)
    ana.calls_a_day = 2
    ana.save()
    assert opened(ana).state == "waiting"
    ana.calls_a_day = 0
    ana.save()
    assert "No language model may be asked for you." in insights.refusal(ana)


def test_what_was_asked_for_before_the_day_was_spent_waits_for_the_next_without_a_call(ana, gateway, settings):
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    opened(ana)
    spend(ana, calls=1)
    testing.run_due()
    ticket = api.ticket("insight", ana.owner, "load/current")
    assert ticket.status == "scheduled"
    assert Job.objects.get(kind="insight").run_at > timezone.now()
    assert gateway.log() == []
    assert opened(ana).state == "builtin"


def test_a_repair_that_would_go_beyond_is_left_to_the_narrator(ana, gateway, settings):
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    gateway.script([{"text": "no JSON"}])
    opened(ana)
    testing.run_due()
    assert Insight.objects.get().writer == narrator.WRITER
    assert len(gateway.log()) == 1


def test_a_call_that_reached_nobody_is_given_back(ana, gateway):
    gateway.script(["close"])
    opened(ana)
    testing.run_due()
    assert Spending.objects.get().calls == 0


def test_two_at_once_do_not_pass_where_one_is_left(ana, settings):
    settings.BUDGET = {"calls": 5, "tokens": 10**6}
    barrier, passed = threading.Barrier(8), []

    def reserve():
        barrier.wait()
        passed.append(budget.Meter(ana).reserve())
        connections.close_all()

    threads = [threading.Thread(target=reserve) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(passed) == [False] * 3 + [True] * 5
    assert Spending.objects.get().calls == 5


def test_fifty_edits_make_one_call(ana, gateway):
    """They come while another athlete's text has the seat, each with the screen open."""
    opened(ana)
    for number in range(50):
        factories.activity(ana, ana.today() - timedelta(days=number), load=100 + number)
        opened(ana)
    testing.run_due()
    assert opened(ana).state == "written"
    testing.run_due()
    assert len(gateway.log()) == 1
    for _ in range(5):
        opened(ana)
    testing.run_due()
    assert len(gateway.log()) == 1


def test_the_settings_show_what_is_used(ana, gateway, settings):
    settings.BUDGET = {"calls": 7, "tokens": 12_000}
    spend(ana, calls=2, tokens=3_456)
    body = signed_in(ana.user).get(reverse("settings")).content.decode()
    assert "Today 2 of 7 calls and 3,456 of 12,000 tokens are used." in body


def test_staff_see_what_each_athlete_uses(ana, gateway, settings, client):
    settings.BUDGET = {"calls": 7, "tokens": 12_000}
    spend(ana, calls=2, tokens=3_456)
    client.force_login(factories.staff())
    body = client.get(reverse("admin:coach_spending_changelist")).content.decode()
    assert re.search(r"2 of 7.*3456 of 12000", body, re.S)
    form = client.get(reverse("admin:coach_athlete_change", args=[ana.pk])).content.decode()
    assert {"calls_a_day", "tokens_a_day", "uses_model"} <= set(re.findall(r'name="(\w+)"', form))


def test_a_call_counts_on_the_day_on_which_it_goes_out(ana, settings, monkeypatch):
    """A text that was begun before midnight and is repaired after it."""
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    at = [datetime(2026, 7, 1, 21, 59, tzinfo=UTC)]  # a minute before midnight in Berlin
    monkeypatch.setattr(timezone, "now", lambda: at[0])
    meter = budget.Meter(ana)
    assert meter.reserve()
    at[0] += timedelta(minutes=2)
    assert meter.reserve()
    meter.used(500)
    assert list(Spending.objects.order_by("day").values_list("day__day", "calls", "tokens")) == [(1, 1, 0), (2, 1, 500)]


def test_whoever_found_the_day_spent_at_its_last_moment_waits_for_the_one_that_begins(ana, settings, monkeypatch):
    settings.BUDGET = {"calls": 0, "tokens": 10**6}
    at = [datetime(2026, 7, 1, 21, 59, 59, tzinfo=UTC)]
    monkeypatch.setattr(timezone, "now", lambda: at[0])
    meter = budget.Meter(ana)
    assert not meter.reserve()
    at[0] += timedelta(seconds=2)
    assert meter.closed().until == at[0] + timedelta(minutes=1)


@pytest.mark.parametrize(
    ("zone", "now", "begins"),
    [
        ("America/Havana", "2026-11-01T03:30Z", "2026-11-01T04:00Z"),  # its midnight comes twice
        ("America/Santiago", "2026-09-06T03:30Z", "2026-09-06T04:00Z"),  # its midnight does not come
        ("Pacific/Apia", "2026-07-01T10:30Z", "2026-07-01T11:00Z"),
    ],
)
def test_a_changed_clock_gives_nobody_two_days_and_takes_none(ana, settings, monkeypatch, zone, now, begins):
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    ana.time_zone = zone
    at = [datetime.fromisoformat(now)]
    monkeypatch.setattr(timezone, "now", lambda: at[0])
    first = ana.today()
    assert budget.anew_at(ana).astimezone(UTC) == datetime.fromisoformat(begins)
    at[0] = datetime.fromisoformat(begins)
    assert ana.today() == first + timedelta(days=1)
    at[0] -= timedelta(seconds=1)
    assert ana.today() == first


def test_who_is_given_more_need_not_wait_for_midnight(ana, gateway, settings):
    settings.BUDGET = {"calls": 1, "tokens": 10**6}
    opened(ana)
    spend(ana, calls=1)
    testing.run_due()
    assert Job.objects.get(kind="insight").run_at <= timezone.now() + budget.LOOK_EVERY
    ana.calls_a_day = 2
    ana.save()
    shown = opened(ana)
    assert shown.sentence.startswith("It goes on at ")  # no attempt has failed
    testing.drain()
    assert opened(ana).state == "written"

"""Profiles: one finding a check, found again after a change, and never in the way of an import."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from coach import quality
from coach.models import Finding, Measure
from jobs import api, testing
from jobs.models import Item, Job
from tests import factories
from tests.coach.scopes import rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana():
    return factories.athlete()


@pytest.fixture
def source(ana):
    return factories.source(ana)


def recorded(ana, day, **streams):
    activity = factories.activity(ana, day)
    time = np.arange(3600.0)
    made = {"time_s": time, "heart_rate_bpm": 140 + 10 * np.sin(time / 30), **streams}
    return rows.with_streams(activity, made)


def profiled(source):
    quality.ask(source)
    testing.run_due()
    return {finding.check_name: finding for finding in source.findings.all()}


def test_each_check_leaves_one_finding(ana, source):
    recorded(ana, date(2026, 5, 1))
    assert set(profiled(source)) == set(quality.CHECKS)
    assert set(Item.objects.values_list("status", flat=True)) == {"ok"}


def test_a_good_source_is_said_to_be_good(ana, source):
    recorded(ana, date(2026, 5, 1))
    found = profiled(source)
    assert {finding.severity for finding in found.values()} == {"good"}
    assert found["gaps"].sentence == "No recording has gaps while the timer was on."


def test_a_finding_names_the_session(ana, source):
    recorded(ana, date(2026, 5, 1))
    spiky = recorded(ana, date(2026, 5, 2), power_w=np.where(np.arange(3600) < 4, 21_733.0, 210.0))
    finding = profiled(source)["implausible"]
    assert finding.sentence == "1 of 2 recordings."
    assert (finding.count, [one["activity"] for one in finding.details]) == (4, [spiky.pk])


def test_a_session_that_overlaps_another_is_doubled(ana, source):
    recorded(ana, date(2026, 5, 1))
    again = factories.activity(ana, date(2026, 5, 1), started_at=datetime(2026, 5, 1, 12, 20, tzinfo=UTC))
    found = profiled(source)["doubled"]
    assert (found.severity, found.count, found.details[0]["activity"]) == ("bad", 1, again.pk)


def test_sessions_one_after_the_other_are_not(ana, source):
    recorded(ana, date(2026, 5, 1))
    factories.activity(ana, date(2026, 5, 1), started_at=datetime(2026, 5, 1, 13, 1, 41, tzinfo=UTC))
    assert profiled(source)["doubled"].count == 0


def test_a_metric_of_two_providers_is_said(ana, source):
    activity = recorded(ana, date(2026, 5, 1))
    file = activity.provenance.get().file
    for provider in ("Watch", "Phone"):
        Measure.objects.create(
            athlete=ana,
            file=file,
            provider=provider,
            metric="steps",
            at=activity.started_at,
            local_date=activity.local_date,
            value=9000,
        )
    sentences = [one["sentence"] for one in profiled(source)["doubled"].details]
    assert sentences == ["Steps: from Phone, Watch. Only one of them is used for a day."]


def test_months_without_a_session_are_named(ana, source):
    for day in (date(2026, 1, 5), date(2026, 4, 5)):
        recorded(ana, day)
    finding = profiled(source)["coverage"]
    assert finding.sentence == "2 of 4 months have no session, the last of them Feb 2026, Mar 2026."
    assert [one["day"] for one in finding.details] == ["2026-04", "2026-02 to 2026-03", "2026-01"]


def test_an_empty_source_is_checked_too(source):
    assert {finding.severity for finding in profiled(source).values()} == {"good"}


def test_an_unchanged_source_is_not_checked_twice(ana, source):
    recorded(ana, date(2026, 5, 1))
    profiled(source)
    profiled(source)
    assert Job.objects.filter(kind=quality.KIND).count() == 1


def test_a_changed_source_is_checked_again(ana, source):
    recorded(ana, date(2026, 5, 1))
    profiled(source)
    recorded(ana, date(2026, 5, 2), power_w=np.where(np.arange(3600) < 4, 21_733.0, 210.0))
    assert profiled(source)["implausible"].sentence == "1 of 2 recordings."
    assert Finding.objects.filter(source=source).count() == len(quality.CHECKS)


def test_a_profile_waits_for_the_line_of_its_source(source):
    with api.hold(source.lane, "rename"):
        ticket = quality.ask(source)
        assert testing.run_due() == 0
        assert api.ticket_of(ticket.id).status == "waiting"


def test_details_are_bounded(ana, source, monkeypatch):
    monkeypatch.setattr(quality, "MOST_DETAILS", 3)
    for back in range(5):
        recorded(ana, date(2026, 5, 20) - timedelta(days=back), power_w=np.full(3600, 5000.0))
    finding = profiled(source)["implausible"]
    assert (finding.count, len(finding.details)) == (18_000, 3)

"""The self-audit: each rule is broken by hand, found, and mended."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from jobs import api
from jobs.models import Attempt, Audit, Job, Pool, Seat
from jobs.transitions import invariants, workers
from tests.jobs.breakages import (
    CASES,
    admits_nobody,
    closed_for_ever,
    crowding,
    first_though_held,
    first_though_paused,
    miscounted,
    never_tried,
    orphaned,
    sql,
    ungranted,
    ungranted_and_stopped,
    unwritten,
)
from tests.jobs.rows import WORKER, enqueue, row, started, take

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture(autouse=True)
def served(queue):
    """A worker that serves everything and has just beaten."""
    kinds = ["plain", "pooled", "lined", "both", "items", "calls"]
    workers.register(WORKER, host="here", pid=1, slots=1, pools=["gateway", "wide"], kinds=kinds, version="test")


def broken():
    return {violation.rule.name for violation in invariants.violations()}


def mended():
    left = invariants.repair(invariants.violations(), by="test")
    return {violation.rule.name for violation in left}


BREAKS = [(name, act) for name, acts in CASES.items() for act in acts]


def test_every_rule_has_a_case():
    assert {rule.name for rule in invariants.RULES} == set(CASES)


def test_a_sound_system_breaks_no_rule():
    started("pooled")
    enqueue("1", kind="lined")
    api.enqueue("plain", "ben", "1", watch="7")
    assert broken() == set()


def audited(*options):
    """Return what the command says, and whether it fails."""
    out = StringIO()
    try:
        call_command("jobs", "audit", *options, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


@pytest.mark.parametrize(("name", "breaks"), BREAKS, ids=[f"{name}: {act.__name__}" for name, act in BREAKS])
def test_a_broken_rule_is_explained_and_mended_and_nothing_else_breaks_by_it(name, breaks):
    breaks()
    rule = next(rule for rule in invariants.RULES if rule.name == name)
    told, failed = audited()
    assert f"{name}: {rule.sentence}" in told
    assert failed
    if rule.mend is None:
        assert name in mended()
        return
    assert audited("--repair")[1] == ""
    assert audited() == (f"All {len(invariants.RULES)} rules hold.\n", "")
    assert Audit.objects.filter(action="audit.repair", target=name).exists()


@pytest.mark.parametrize("name", CASES)
def test_a_monitor_is_told_of_what_it_can_ask_every_few_seconds(name):
    CASES[name][0]()
    deep = next(rule for rule in invariants.RULES if rule.name == name).deep
    assert any(line.startswith(f"{name}: ") for line in api.health()) is not deep


def test_a_freed_orphan_lingers_as_long_as_a_call_may_last():
    orphaned()
    mended()
    seat = Seat.objects.get(pool="gateway")
    assert (seat.job, seat.why) == (None, "lingering")
    assert (seat.free_at - row(Job.objects.get().pk).created_at).total_seconds() > 1000


@pytest.mark.parametrize("breaks", [first_though_paused, first_though_held])
def test_the_head_of_a_lane_that_may_not_run_steps_back(breaks):
    breaks()
    mended()
    assert Job.objects.get().status == "waiting"


def test_a_wish_that_nobody_granted_is_granted_now():
    ungranted()
    mended()
    job = Job.objects.get()
    assert (job.status, job.fingerprint, job.wanted_fingerprint) == ("ready", "f2", "")


def test_a_wish_of_a_stopped_job_queues_nothing():
    ungranted_and_stopped()
    mended()
    job = Job.objects.get()
    assert (job.status, job.fingerprint, job.wanted_fingerprint) == ("cancelled", "f2", "")


@pytest.mark.parametrize("breaks", [never_tried, admits_nobody, closed_for_ever])
def test_a_pool_that_was_stuck_is_tried_by_one_job(breaks):
    breaks()
    mended()
    enqueue("1", "2", kind="pooled")
    assert take("pooled").subject == "1"
    pool = Pool.objects.get(pk="gateway")
    assert pool.admit == 1


def test_a_job_that_was_promoted_by_nobody_has_its_turn_again():
    turn = enqueue("1") and Job.objects.get().turn
    sql("UPDATE jobs_job SET band = 0, turn = '2020-01-01T00:00Z'")
    mended()
    job = Job.objects.get()
    assert (job.band, job.turn) == (1, turn)


def test_the_newest_promotions_of_a_crowd_stay():
    crowding()
    sql("UPDATE jobs_watch SET until = now() + make_interval(secs => 10 + job %% 1000)")
    mended()
    assert list(Job.objects.filter(band=0).order_by("id").values_list("subject", flat=True)) == ["2", "3", "4"]


def test_an_attempt_that_nobody_wrote_down_is_not_made_up():
    unwritten()
    mended()
    attempt = Attempt.objects.get()
    assert (attempt.outcome, attempt.job) == ("unrecorded", Job.objects.get().pk)


def test_the_command_tells_and_fails_until_it_is_mended():
    miscounted()
    out = StringIO()
    with pytest.raises(CommandError, match="1 rule is broken"):
        call_command("jobs", "audit", stdout=out)
    assert "another number of seats" in out.getvalue()
    call_command("jobs", "audit", "--repair", stdout=out)
    call_command("jobs", "audit", stdout=out)
    assert f"All {len(invariants.RULES)} rules hold." in out.getvalue()

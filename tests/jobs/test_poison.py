"""A job that meets signs of an outage each time, while others are answered, is what kills the upstream."""

import pytest

from jobs import api, sql, testing
from jobs.models import Attempt, Job, Pool
from jobs.transitions import pools
from tests.jobs.rows import end, row, started, status, take

pytestmark = pytest.mark.usefixtures("queue")

REOPEN = "UPDATE jobs_pool SET closed_at = clock_timestamp(), closed_until = clock_timestamp(), admit = NULL"
DUE = "UPDATE jobs_job SET status = 'ready', run_at = NULL WHERE id = %(id)s"


def pool():
    return Pool.objects.get(pk="gateway")


def others_succeed(kind="pooled", **options):
    number = Job.objects.count()
    end(started(kind, f"other{number}", owner="ben", **options))


class Poison:
    """A job whose call ends like this each time."""

    def __init__(self, outcome="down", **how):
        self.how = {"outcome": outcome, **how}
        self.id = api.enqueue("calls", "ana", "poison").id

    def strike(self):
        """Let it run now; return whether it closed the pool."""
        sql.run(REOPEN)
        sql.run(DUE, id=self.id)
        before = pool().closed_at
        job = take("calls")
        assert job.id == self.id
        end(job, **self.how)
        return pool().closed_at != before

    @property
    def counts(self):
        job = row(self.id)
        return job.attempts, job.downs


@pytest.mark.parametrize("outcome", ["down", "misconfigured"])
def test_from_the_third_time_on_it_spends_an_attempt_and_closes_nothing(outcome):
    poison = Poison(outcome)
    closed = []
    for _ in range(5):
        closed.append(poison.strike())
        sql.run(REOPEN)
        others_succeed()
    assert closed == [True, True, False, False, False]
    assert poison.counts == (3, 5)
    assert (status(poison), row(poison).error_kind) == ("failed", outcome)


def test_an_outage_that_lets_nobody_through_makes_no_job_a_poison():
    poison = Poison()
    assert [poison.strike() for _ in range(6)] == [True] * 6
    assert poison.counts == (0, 6)


def test_times_at_which_our_own_database_was_away_are_no_signs():
    poison = Poison(blames_pool=False, error_kind="database")
    for _ in range(2):
        poison.strike()
        others_succeed()
    poison.how = {"outcome": "down"}
    assert poison.strike()
    sql.run(REOPEN)
    others_succeed()
    assert poison.strike()
    assert poison.counts == (0, 4)


def test_one_answer_to_others_is_a_coincidence():
    poison = Poison()
    poison.strike()
    sql.run(REOPEN)
    others_succeed()
    assert [poison.strike() for _ in range(4)] == [True] * 4
    assert poison.counts[0] == 0


@pytest.mark.parametrize("others", ["its own", "another pool", "no pool", "failed"])
def test_what_says_nothing_of_its_upstream_makes_no_job_a_poison(others):
    poison = Poison()
    for _ in range(4):
        poison.strike()
        sql.run(REOPEN)
        match others:
            case "its own":
                number = Attempt.objects.count() + 1
                Attempt.objects.create(
                    token=f"00000000-0000-0000-0000-{number:012d}", job=poison.id, kind="calls", number=number, slot=1,
                    worker="00000000-0000-0000-0000-000000000001", outcome="succeeded", started_at=pool().clock,
                    ended_at=sql.row("SELECT clock_timestamp() AS at")["at"],
                )  # fmt: skip
            case "another pool":
                others_succeed(args={"pool": "wide"})
            case "no pool":
                others_succeed("plain")
            case "failed":
                end(started("pooled", str(Job.objects.count()), owner="ben"), "rejected")
    assert poison.counts[0] == 0


def test_a_job_that_is_asked_for_again_begins_to_be_judged_anew():
    poison = Poison()
    for _ in range(5):
        poison.strike()
        sql.run(REOPEN)
        others_succeed()
    assert status(poison) == "failed"
    assert api.retry(poison.id, by="ana")
    assert poison.strike()
    assert poison.counts == (0, 1)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [{"do": "reset"}, {"do": "status", "status": 503}], ids=["reset", "503"])
def test_a_job_that_kills_the_upstream_each_time_fails_and_all_others_are_answered(start_worker, turn):
    """Each of its calls is a hard sign, which closes the pool at once; real workers, and the gateway's own log."""
    from coach.trial import TrialGateway

    with TrialGateway(delay_s=0.02) as gateway:
        args = {"url": gateway.url}
        poison = api.enqueue("calls", "ana", "poison", args=args)
        gateway.script([{**turn, "match": str(poison.id), "times": -1}])
        start_worker(slots=2, env={"TEST_DOWN_SECONDS": "0.3", "AI_JOB_MAX_ATTEMPTS": "1"})
        tickets = []
        for number in range(200):
            tickets.append(api.enqueue("calls", f"o{number % 5}", str(number), args=args))
            testing.wait(tickets[-1].id, seconds=30)
            if status(poison.id) == "failed":
                break
        assert status(poison.id) == "failed"
        for ticket in tickets:
            assert testing.wait(ticket.id).status == "succeeded"
        deadly = [call for call in gateway.log() if call["job"] == str(poison.id)]
        assert len(deadly) == 3
    assert not Job.objects.filter(attempts__gt=0).exclude(pk=poison.id).exists()
    assert pools.probe("gateway", by="test") is False  # it is open

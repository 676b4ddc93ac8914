"""The reserve: seats that a pool leaves to its neighbours at some hours."""

from datetime import UTC, datetime, timedelta

import pytest

from jobs import reserve
from jobs.models import Audit, Pool, Seat
from jobs.transitions import pools, sweep
from tests.jobs.rows import end, enqueue, started, take, try_claim

pytestmark = pytest.mark.usefixtures("queue")


def span(begins_h, ends_h):
    """Return a reserve of two seats around this hour, by hours before and after now (UTC)."""
    now = datetime.now(UTC)
    begins, ends = now + timedelta(hours=begins_h), now + timedelta(hours=ends_h)
    return reserve.parse(f"2 from {begins:%H:%M} until {ends:%H:%M} UTC")


def seats():
    return Seat.objects.filter(pool="wide").count()


def leave(**options):
    pools.change("wide", by="ana", **options)


def test_at_its_hours_no_more_jobs_run_than_it_leaves():
    leave(reserve=span(-1, 1))
    enqueue("1", "2", kind="pooled", args={"pool": "wide"})
    assert seats() == 1
    take("pooled")
    assert try_claim("pooled") is None


def test_at_other_hours_all_seats_are_there():
    leave(reserve=span(1, 2))
    assert seats() == 3


def test_it_gives_the_seats_back_when_its_hours_end():
    leave(reserve=span(-1, 1))
    Pool.objects.filter(pk="wide").update(reserve=span(-2, -1))
    sweep.thorough([])
    assert seats() == 3


def test_what_runs_when_its_hours_begin_ends_and_nothing_follows():
    running = [started("pooled", str(number), args={"pool": "wide"}) for number in range(3)]
    enqueue("next", kind="pooled", args={"pool": "wide"})
    leave(reserve=span(-1, 1))
    end(running[0])
    assert try_claim("pooled") is None
    pools.trim(["wide"])
    end(running[1])
    pools.trim(["wide"])
    assert try_claim("pooled") is None
    end(running[2])
    pools.trim(["wide"])
    assert take("pooled").subject == "next"


def test_a_span_over_midnight_holds_on_both_sides():
    leave(reserve=span(-1, 12))
    assert seats() == 1
    leave(reserve=span(-12, 1))
    assert seats() == 1


def test_a_reserve_beyond_the_capacity_leaves_nothing():
    leave(reserve=span(-1, 1), capacity=1)
    assert seats() == 0


def test_a_change_is_audited_with_old_and_new():
    leave(reserve=span(-1, 1))
    written = Audit.objects.get()
    assert (written.old["reserve"], written.new["reserve"]) == ([], span(-1, 1))


def test_what_is_told_is_what_is_read():
    lines = "2 from 07:00 until 22:00 Europe/Berlin\n1 from 22:00 until 06:30 UTC"
    assert reserve.told(reserve.parse(lines)) == lines


@pytest.mark.parametrize(
    "line",
    ["2", "two from 07:00 until 22:00 UTC", "2 from 25:00 until 26:00 UTC", "2 from 07:00 until 07:00 UTC",
     "2 from 07:00 until 22:00 Mars/Base", "2 from 07:00 until 22:00 ../etc", "2 from 07:61 until 22:00 UTC"],
)  # fmt: skip
def test_what_is_no_reserve_is_told_so(line):
    with pytest.raises(reserve.BadReserve, match=r"\.$"):
        reserve.parse(line)

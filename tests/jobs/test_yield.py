"""A long job of many items makes way between two of them for a screen that somebody looks at."""

import pytest

from jobs import api
from jobs.models import Attempt, Item
from jobs.worker.run import Run
from tests.jobs.rows import end, row, started, take

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture
def run():
    """A run of a pooled job of three items, the first of which is done."""
    run = Run(started("pooled", items=["a", "b", "c"]))
    items = run.items()
    do(run, next(items))
    run.rest = items
    return run


def do(run, item):
    with run.save():
        item.ok()


def look_at_a_screen(**options):
    return api.enqueue("pooled", "ben", "screen", watch="7", **options)


def test_it_makes_way_at_the_next_item_and_goes_on_afterwards(run):
    screen = look_at_a_screen()
    with pytest.raises(api.Yielded):
        next(run.rest)
    end(run, "yielded")
    assert (row(run.id).status, row(run.id).attempts, row(run.id).crashes) == ("ready", 0, 0)
    assert Attempt.objects.get(job=run.id).outcome == "yielded"
    first = take("pooled")
    assert first.id == screen.id
    end(first, "succeeded")
    again = take("pooled")
    assert again.id == run.id
    assert [item.key for item in Run(again).items()] == ["b", "c"]


def test_it_goes_on_when_nobody_looks(run):
    api.enqueue("pooled", "ben", "background")
    assert next(run.rest).key == "b"


def test_it_goes_on_while_a_seat_is_free(run):
    from jobs.transitions import pools

    pools.change("gateway", by="test", capacity=2)
    look_at_a_screen()
    assert next(run.rest).key == "b"


def test_it_goes_on_when_staff_put_it_first_itself(run):
    from jobs.models import Job

    Job.objects.filter(pk=run.id).update(band=0, promoted="staff")
    look_at_a_screen()
    assert next(run.rest).key == "b"


def test_the_items_that_are_done_stay_done(run):
    look_at_a_screen()
    with pytest.raises(api.Yielded):
        next(run.rest)
    end(run, "yielded")
    assert dict(Item.objects.values_list("key", "status")) == {"a": "ok", "b": "pending", "c": "pending"}

"""A job that a route has moved keeps its place in its owner's line, and the line goes on."""

import pytest
from django.db.models import F

from jobs import api
from jobs.models import Job, Pool
from jobs.transitions import routes
from tests.jobs.away import MINUTE, close, served
from tests.jobs.rows import end, row, take

__all__ = ["served"]
pytestmark = pytest.mark.usefixtures("served")


def test_a_flood_that_was_moved_still_delays_nobody_else():
    """What its owner asks for now is due after what waits at the spare, and a newcomer is not."""
    for number in range(20):
        api.enqueue("routed", "flood", str(number))
    close()
    routes.follow()
    more = api.enqueue("routed", "flood", "20").id
    (many,) = api.enqueue_many("routed", [api.New(owner="flood", subject="21")])
    newcomer = api.enqueue("routed", "ben", "1").id
    assert row(newcomer).turn < row(more).turn < row(many).turn
    assert row(more).vturn > max(Job.objects.filter(owner="flood").exclude(pk__in=[more, many]).values_list("vturn"))[0]


def test_a_flood_that_is_asked_for_again_delays_nobody_else():
    tickets = [api.enqueue("routed", "flood", str(number)) for number in range(3)]
    for ticket in tickets[:2]:
        api.stop(ticket.id, by="ana")
    close()
    routes.follow()
    assert api.retry(tickets[0].id, by="ana")
    assert row(tickets[0]).vturn > row(tickets[2]).vturn


def test_the_clock_of_a_pool_goes_on_with_its_jobs():
    """If it stood still where they left, a newcomer would pass over everybody who has waited since."""
    Pool.objects.update(clock=F("clock") - 60 * MINUTE)
    for number in range(6):
        api.enqueue("routed", "flood", str(number))
    close()
    routes.follow()
    for _ in range(3):
        end(take("routed", pools=("wide",)))
    routes.follow()
    first = Job.objects.filter(status="ready").earliest("turn")
    newcomer = api.enqueue("routed", "ben", "1").id
    (many,) = api.enqueue_many("routed", [api.New(owner="cleo", subject="1")])
    assert row(newcomer).vturn == row(many).vturn == first.vturn + MINUTE


def test_what_an_owner_has_in_line_for_something_else_at_the_spare_does_not_delay_the_first():
    for number in range(20):
        api.enqueue("pooled", "ana", str(number), args={"pool": "wide"})
    asked = api.enqueue("routed", "ana", "1").id
    newcomer = api.enqueue("routed", "ben", "1").id
    assert row(asked).vturn - row(newcomer).vturn < MINUTE

"""In line: the athlete's own jobs, in words, with stop and try again."""

import pytest
from django.urls import reverse

from jobs import api
from tests.coach.views.rows import HTMX

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ticket(ana, ride):
    return api.enqueue("insight", ana.owner, f"activity/{ride.pk}", fingerprint="x")


def test_a_waiting_job_says_what_it_is_and_why_it_waits(as_ana, ticket, ride):
    body = as_ana.get(reverse("line")).content.decode()
    assert reverse("activity", args=[ride.pk]) in body
    assert ticket.sentence in body


def test_a_job_is_stopped_and_asked_for_again_from_the_line(as_ana, ticket):
    as_ana.post(reverse("line_stop", args=[ticket.id]))
    assert api.ticket_of(ticket.id).status == "cancelled"
    as_ana.post(reverse("line_retry", args=[ticket.id]))
    assert api.ticket_of(ticket.id).is_active


def test_another_athletes_job_is_neither_seen_nor_stopped(as_ben, ticket):
    assert f'id="job-{ticket.id}"' not in as_ben.get(reverse("line")).content.decode()
    assert as_ben.post(reverse("line_stop", args=[ticket.id])).status_code == 404
    assert api.ticket_of(ticket.id).is_active


def test_the_line_polls_only_while_something_is_in_it(as_ana, ticket):
    assert "hx-trigger" in as_ana.get(reverse("line")).content.decode()
    api.stop(ticket.id, by="ana")
    assert "hx-trigger" not in as_ana.get(reverse("line"), headers=HTMX).content.decode()

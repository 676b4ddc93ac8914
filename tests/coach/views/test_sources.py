"""Sources: their names, their checks, and what they say while something is at work on them."""

import pytest
from django.urls import reverse

from coach import backfill, quality
from coach.models import Activity, Source
from jobs import api, testing
from jobs.models import Job
from tests.coach.views.rows import HTMX

pytestmark = pytest.mark.django_db(transaction=True)


def page(client, source, **headers):
    return client.get(reverse("source", args=[source.pk]), headers=headers)


def test_the_list_leads_to_each_source(as_ana, source):
    assert reverse("source", args=[source.pk]) in as_ana.get(reverse("sources")).content.decode()


def test_without_any_the_list_says_what_to_do(as_ana):
    assert reverse("imports") in as_ana.get(reverse("sources")).content.decode()


def test_a_check_runs_and_its_findings_are_shown(as_ana, ride):
    as_ana.post(reverse("source_check", args=[ride.source_id]))
    testing.run_due()
    body = page(as_ana, ride.source).content.decode()
    assert "Nothing is there twice." in body
    assert "No month is empty." in body


def test_while_it_is_checked_the_page_polls(as_ana, ride):
    as_ana.post(reverse("source_check", args=[ride.source_id]))
    body = page(as_ana, ride.source).content.decode()
    assert "hx-trigger" in body
    assert reverse("source_check", args=[ride.source_id]) not in body


def test_a_poll_of_what_has_not_moved_sends_nothing(as_ana, ride):
    from coach.views.sources import shown

    quality.ask(ride.source)
    seen = shown(ride.source)["seen"]
    assert as_ana.get(f"{reverse('source', args=[ride.source_id])}?seen={seen}", headers=HTMX).status_code == 204


def test_a_change_since_the_check_is_said(as_ana, ride):
    quality.ask(ride.source)
    testing.run_due()
    assert "Something has come or gone" not in page(as_ana, ride.source).content.decode()
    ride.provenance.all().delete()
    assert "Something has come or gone" in page(as_ana, ride.source).content.decode()


def test_a_source_is_renamed(as_ana, source):
    as_ana.post(reverse("source_rename", args=[source.pk]), {"name": "Old watch"})
    assert Source.objects.get().name == "Old watch"


def test_a_busy_source_is_not_and_the_page_names_the_holder(as_ana, source):
    quality.ask(source)
    response = as_ana.post(reverse("source_rename", args=[source.pk]), {"name": "Old watch"})
    assert response.status_code == 409
    assert "A check of the data is at work on this source." in response.content.decode()
    assert Source.objects.get().name == "Files"


@pytest.mark.parametrize("name", ["", "Other", "x" * 101])
def test_a_name_that_cannot_be_is_refused(as_ana, ana, source, name):
    Source.objects.create(athlete=ana, name="Other")
    response = as_ana.post(reverse("source_rename", args=[source.pk]), {"name": name})
    assert response.status_code == 422
    assert Source.objects.filter(name="Files").exists()


def test_the_job_is_in_line_under_its_name(as_ana, source):
    quality.ask(source)
    assert "Checking the data" in as_ana.get(reverse("line")).content.decode()
    assert api.tickets(source.athlete.owner)


def test_a_source_is_taken_back_when_that_is_meant(as_ana, ride):
    there = reverse("source_undo", args=[ride.source_id])
    assert as_ana.post(there).status_code == 422
    assert as_ana.post(there, {"sure": "on"}, follow=True).status_code == 200
    testing.run_due()
    assert not Source.objects.exists()
    assert not Activity.objects.exists()


def test_what_was_written_of_it_is_renewed(as_ana, ride):
    as_ana.post(reverse("source_undo", args=[ride.source_id]), {"sure": "on"})
    testing.run_due()
    assert Job.objects.filter(kind=backfill.KIND).exists()

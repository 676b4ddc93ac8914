"""In line: the athlete's own jobs, in words, with stop and try again."""

from dataclasses import replace

import pytest
from django.urls import reverse

from coach.models import ImportFile, ImportRun
from coach.views.line_names import names
from jobs import api, testing
from tests.coach.views.rows import HTMX

pytestmark = pytest.mark.django_db(transaction=True)
OUTCOMES = [("a", "imported"), ("b", "asked"), ("c", "refused"), ("d", "refused")]


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


def test_an_import_is_called_by_what_it_is_of_and_says_what_is_open(as_ana, ana, source):
    run = ImportRun.objects.create(source=source)
    files = [ImportFile.objects.create(run=run, name=f"{n}", size=1, sha256="", outcome=o) for n, o in OUTCOMES]
    job = api.enqueue("import", ana.owner, str(run.pk), fingerprint="x", args={"source": source.pk}, items=["1"])
    body = as_ana.get(reverse("line")).content.decode()
    assert f'href="{reverse("import_run", args=[run.pk])}">Import of {len(files)} files from {source.name}</a>' in body
    named = names(ana, [replace(api.ticket_of(job.id), error_kind="items")])[job.id]
    assert named.outcome == "1 to be explained, 2 not read."


def test_what_was_undone_is_no_link_and_cannot_be_asked_for_again(as_ana, ana, source):
    job = api.enqueue("import", ana.owner, "404", fingerprint="x", args={"source": source.pk}, items=["1"])
    check = api.enqueue("profile", ana.owner, "404", fingerprint="x", args={"source": 404}, items=["gaps"])
    for ticket in (job, check):
        api.stop(ticket.id, by="ana")
    body = as_ana.get(reverse("line")).content.decode()
    assert "An import that was undone" in body
    assert "404/" not in body
    assert reverse("line_retry", args=[job.id]) not in body


def test_an_undoing_leads_to_its_page(as_ana, ana, source):
    for subject in ("import/7", f"source/{source.pk}", "source/404"):
        api.enqueue("undo", ana.owner, subject, fingerprint="x", args={"source": source.pk})
    body = as_ana.get(reverse("line")).content.decode()
    assert f'href="{reverse("undo", args=[7])}">Undoing an import</a>' in body
    assert f">Taking back {source.name}</a>" in body
    assert "Taking back a source" in body


def test_forty_jobs_are_named_with_as_few_queries_as_four(ana, source, django_assert_max_num_queries):
    for number in range(10):
        run = ImportRun.objects.create(source=source)
        api.enqueue("import", ana.owner, str(run.pk), fingerprint="x", args={"source": source.pk}, items=["1"])
        for kind, subject in {"undo": "import/", "profile": "", "insight": "activity/"}.items():
            api.enqueue(kind, ana.owner, f"{subject}{number}", fingerprint="x", args={"source": source.pk})
    tickets = api.tickets(ana.owner)
    with django_assert_max_num_queries(4):
        assert len(names(ana, tickets)) == len(tickets) >= 40


def test_what_ends_while_the_page_is_open_keeps_its_place(as_ana, ana, ride):
    for subject in (f"activity/{ride.pk}", "load/current"):
        api.enqueue("insight", ana.owner, subject)
    opened = as_ana.get(reverse("line"))
    first, second = [row["ticket"].id for row in opened.context["now"]]
    testing.run_due(most=1)
    poll = f"{reverse('line')}?seen=&since={opened.context['since']}"
    later = as_ana.get(poll, headers=HTMX).context
    assert [row["ticket"].id for row in later["now"]] == [first, second]
    assert [row["ticket"].is_active for row in later["now"]] == [False, True]
    assert first in [row["ticket"].id for row in as_ana.get(reverse("line")).context["over"]]


@pytest.mark.parametrize("since", ["", "x", "-1", "9" * 30])
def test_a_strange_time_of_opening_is_now(as_ana, ticket, since):
    assert as_ana.get(f"{reverse('line')}?since={since}").status_code == 200


def test_a_text_about_a_week_says_which_in_words(ana):
    job = api.enqueue("insight", ana.owner, "week/2026-W08", fingerprint="x")
    assert names(ana, [job])[job.id].name == "Text: week 8 of 2026"

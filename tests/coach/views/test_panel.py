"""The insight panel: what a poll gets, when it ends, and that its buttons work without script."""

import re

import pytest
from django.urls import reverse

from coach.views import panels
from jobs import api, testing
from jobs.models import Job, Watch
from tests.coach.views.rows import HTMX

pytestmark = pytest.mark.django_db(transaction=True)


def poll_of(body: str) -> str:
    found = re.search(r'id="insight-status"[^>]*hx-get="([^"]*)"', body)
    return found[1].replace("&amp;", "&") if found else ""


def later(poll: str) -> str:
    """Return the poll of a page whose facts were looked at long ago."""
    return re.sub(r"\bat=\d+", "at=0", poll)


def no_facts(*_: object) -> None:
    raise AssertionError("facts were computed")


def test_opening_a_screen_asks_for_its_text(as_ana, ana, ride):
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    ticket = api.ticket("insight", ana.owner, f"activity/{ride.pk}")
    assert ticket is not None
    assert ticket.is_active
    assert poll_of(body).startswith(reverse("panel", args=["activity", ride.pk]))


def test_a_poll_that_finds_nothing_new_gets_no_content(as_ana, ride):
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    response = as_ana.get(poll_of(body), headers=HTMX)
    assert response.status_code == 204
    assert response.content == b""


def test_the_poll_after_the_writing_brings_the_text_and_no_further_poll(as_ana, ride):
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    testing.run_due()
    response = as_ana.get(poll_of(body), headers=HTMX)
    update = response.content.decode()
    assert response.status_code == 200
    assert 'id="insight-letter" hx-swap-oob="outerHTML"' in update
    assert "<html" not in update
    assert "hx-trigger" not in update
    assert "hx-get" not in update


def test_a_written_text_is_there_at_once_and_nothing_polls(as_ana, ride):
    page = reverse("activity", args=[ride.pk])
    as_ana.get(page)
    testing.run_due()
    body = as_ana.get(page).content.decode()
    assert poll_of(body) == ""
    assert 'class="small-print"' in body


def test_every_number_in_the_text_leads_to_a_fact_on_the_page(as_ana, ride):
    page = reverse("activity", args=[ride.pk])
    as_ana.get(page)
    testing.run_due()
    body = as_ana.get(page).content.decode()
    cited = set(re.findall(r'href="#(fact-[a-z0-9_]+)"', body))
    assert cited
    assert cited <= set(re.findall(r'id="(fact-[a-z0-9_]+)"', body))


def test_a_poll_of_a_stranger_from_no_address_is_answered(client):
    response = client.get(reverse("line"), headers=HTMX | {"HX-Current-URL": "http://[broken"})
    assert response.status_code == 200
    assert 'href="/login/?next=/"' in response.content.decode()


def test_a_poll_after_the_session_ended_says_so_and_polls_no_more(as_ana, client, ride):
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    here = {"HX-Current-URL": f"http://testserver{reverse('activity', args=[ride.pk])}", "HX-Target": "insight-status"}
    response = client.get(poll_of(body), headers=HTMX | here)
    fragment = response.content.decode()
    assert response.status_code == 200
    assert 'id="insight-status"' in fragment
    assert "You are signed out." in fragment
    assert f'href="/login/?next=/activities/{ride.pk}/"' in fragment
    assert "hx-" not in fragment


def test_stop_works_without_script_and_no_poll_undoes_it(as_ana, ana, ride):
    page = reverse("activity", args=[ride.pk])
    as_ana.get(page)
    assert as_ana.post(reverse("panel_stop", args=["activity", ride.pk])).url == page
    body = as_ana.get(page).content.decode()
    assert "You stopped this." in body
    assert "Write it now" in body
    assert poll_of(body) == ""
    assert api.ticket("insight", ana.owner, f"activity/{ride.pk}").status == "cancelled"


def test_write_it_now_asks_again(as_ana, ana, ride):
    page = reverse("activity", args=[ride.pk])
    as_ana.get(page)
    as_ana.post(reverse("panel_stop", args=["activity", ride.pk]))
    assert as_ana.post(reverse("panel_retry", args=["activity", ride.pk])).url == page
    assert api.ticket("insight", ana.owner, f"activity/{ride.pk}").is_active


def test_stop_by_script_gets_the_panel_as_it_is_then(as_ana, ride):
    as_ana.get(reverse("activity", args=[ride.pk]))
    response = as_ana.post(reverse("panel_stop", args=["activity", ride.pk]), headers=HTMX)
    fragment = response.content.decode()
    assert "You stopped this." in fragment
    assert "autofocus" in fragment
    assert "hx-trigger" not in fragment


def test_a_poll_tells_within_a_minute_that_the_numbers_on_the_open_page_have_changed(as_ana, ride):
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    type(ride).objects.filter(pk=ride.pk).update(load=180)
    update = as_ana.get(later(poll_of(body)), headers=HTMX).content.decode()
    assert "The numbers on this page have changed." in update
    again = as_ana.get(poll_of(update), headers=HTMX)
    assert again.status_code == 200  # it looks at all of it each time, so that the notice stays


def test_for_a_minute_polls_look_at_the_job_alone_and_keep_it_first(as_ana, ana, ride, monkeypatch):
    poll = poll_of(as_ana.get(reverse("activity", args=[ride.pk])).content.decode())
    monkeypatch.setattr(panels, "facts_of", no_facts)
    assert as_ana.get(poll, headers=HTMX).status_code == 204
    Job.objects.update(band=1, promoted="")
    Watch.objects.all().delete()
    assert as_ana.get(poll, headers=HTMX).status_code in (200, 204)
    assert Job.objects.get().band == 0
    with pytest.raises(AssertionError, match="facts were computed"):
        as_ana.get(later(poll), headers=HTMX)


@pytest.mark.parametrize(
    "said", ["at=-5", "at=²", "at=99999999999999999999", "at=", "wanted=", "wanted=other", "state=down"]
)
def test_a_poll_that_says_anything_else_looks_at_everything(as_ana, ana, ride, monkeypatch, said):
    poll = poll_of(as_ana.get(reverse("activity", args=[ride.pk])).content.decode())
    name = said.partition("=")[0]
    changed = re.sub(rf"\b{name}=[^&]*", said, poll)
    assert changed != poll
    assert as_ana.get(changed, headers=HTMX).status_code in (200, 204)
    assert Job.objects.get().fingerprint in poll  # what a poll says is no wish
    monkeypatch.setattr(panels, "facts_of", no_facts)
    with pytest.raises(AssertionError, match="facts were computed"):
        as_ana.get(changed, headers=HTMX)


def test_a_poll_that_looked_at_everything_gives_the_next_ones_another_minute(as_ana, ride, monkeypatch):
    poll = later(poll_of(as_ana.get(reverse("activity", args=[ride.pk])).content.decode()))
    update = as_ana.get(poll, headers=HTMX).content.decode()
    assert 'id="insight-letter"' not in update
    monkeypatch.setattr(panels, "facts_of", no_facts)
    assert as_ana.get(poll_of(update), headers=HTMX).status_code == 204


def test_the_poll_of_a_page_whose_session_is_gone_says_so_and_is_the_last(as_ana, ride):
    poll = poll_of(as_ana.get(reverse("activity", args=[ride.pk])).content.decode())
    ride.delete()
    response = as_ana.get(later(poll), headers=HTMX | {"HX-Target": "insight-status"})
    fragment = response.content.decode()
    assert response.status_code == 200
    assert 'id="insight-status"' in fragment
    assert "What stood here is gone" in fragment
    assert "hx-" not in fragment
    assert as_ana.get(later(poll)).status_code == 404


def test_the_panel_has_an_address_of_its_own(as_ana, ride):
    body = as_ana.get(reverse("panel", args=["activity", ride.pk])).content.decode()
    assert "<html" in body
    assert 'id="insight"' in body


@pytest.mark.parametrize(("scope", "subject"), [("load", "nothing"), ("week", "2026-W60"), ("stars", "current")])
def test_a_panel_that_does_not_exist_is_not_found(as_ana, scope, subject):
    assert as_ana.get(reverse("panel", args=[scope, subject])).status_code == 404


def test_without_data_the_panel_says_what_to_upload_and_asks_for_nothing(as_ana, ana):
    body = as_ana.get(reverse("load")).content.decode()
    assert api.ticket("insight", ana.owner, "load/current") is None
    assert f'class="button" href="{reverse("imports")}"' in body
    assert poll_of(body) == ""


def test_a_text_in_a_language_the_athlete_left_gives_way_to_the_short_version(as_ana, ana, ride):
    page = reverse("activity", args=[ride.pk])
    as_ana.get(page)
    testing.run_due()
    type(ana).objects.filter(pk=ana.pk).update(language="zh-hans")
    letter = as_ana.get(page).content.decode().partition('id="insight-letter"')[2].partition("</section>")[0]
    assert re.search("<h2>.*[\u4e00-\u9fff].*</h2>", letter)
    assert "This session" not in letter
    assert "skeleton" not in letter

"""Import: many files by a plain form, and a sentence for each."""

import re

import pytest
from django.urls import reverse

from coach import imports
from coach.models import ImportFile, ImportRun
from coach.views.imports import SHOWN
from jobs import api, testing
from tests import factories
from tests.coach.views.rows import HTMX, upload

pytestmark = pytest.mark.django_db(transaction=True)


def hand_in(client, *files):
    return client.post(reverse("imports"), {"recordings": list(files)})


def test_a_plain_form_hands_in_many_files_at_once(as_ana, ana):
    response = hand_in(as_ana, upload("a.gpx"), upload("b.gpx", b"<gpx></gpx>"))
    run = ImportRun.objects.get(source__athlete=ana)
    assert response.url == f"{reverse('imports')}#run-{run.pk}"
    assert [file.name for file in run.files.all()] == ["a.gpx", "b.gpx"]


def test_a_file_that_is_no_recording_ends_with_a_sentence_and_can_be_taken_back(as_ana):
    hand_in(as_ana, upload("notes.txt", b"buy milk"))
    testing.drain()
    file = ImportFile.objects.get()
    body = as_ana.get(reverse("imports")).content.decode()
    assert file.outcome == "refused"
    assert file.sentence in body
    assert b"".join(as_ana.get(reverse("original", args=[file.pk])).streaming_content) == b"buy milk"


def test_an_original_is_always_a_download_under_its_own_name(as_ana, file):
    response = as_ana.get(reverse("original", args=[file.pk]))
    assert response["Content-Disposition"] == 'attachment; filename="ride.fit"'
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    response.close()


def test_an_original_that_was_not_kept_is_not_found(as_ana, run):
    file = ImportFile.objects.create(run=run, name="huge.fit", size=10**9, sha256="", outcome="refused")
    assert as_ana.get(reverse("original", args=[file.pk])).status_code == 404


def test_handing_in_nothing_is_answered_with_what_to_do(as_ana):
    response = as_ana.post(reverse("imports"), {})
    assert response.status_code == 422
    assert "Choose at least one file." in response.content.decode()


def test_too_many_files_are_refused_with_a_reason(as_ana, settings):
    settings.UPLOAD_FILES = 1
    response = hand_in(as_ana, upload("a.gpx"), upload("b.gpx"))
    assert response.status_code == 422
    assert "Put them in a zip" in response.content.decode()


def test_a_running_import_polls_and_a_finished_one_does_not(as_ana):
    hand_in(as_ana, upload("notes.txt", b"buy milk"))
    before = as_ana.get(reverse("imports")).content.decode()
    testing.drain()
    after = as_ana.get(reverse("imports")).content.decode()
    assert "hx-trigger" in before
    assert "hx-trigger" not in after


def test_a_poll_gets_the_one_import_and_nothing_when_nothing_moved(as_ana):
    hand_in(as_ana, upload("notes.txt", b"buy milk"))
    body = as_ana.get(reverse("imports")).content.decode()
    poll = re.search(r'hx-get="([^"]*)"', body)[1].replace("&amp;", "&")
    assert as_ana.get(poll, headers=HTMX).status_code == 204
    testing.drain()
    fragment = as_ana.get(poll, headers=HTMX).content.decode()
    assert fragment.lstrip().startswith("<article")
    assert "hx-trigger" not in fragment


def test_an_import_is_stopped_and_taken_up_again_without_script(as_ana, ana):
    hand_in(as_ana, upload("notes.txt", b"buy milk"))
    run = ImportRun.objects.get()
    assert as_ana.post(reverse("import_stop", args=[run.pk])).url.endswith(f"#run-{run.pk}")
    assert api.ticket("import", ana.owner, str(run.pk)).status == "cancelled"
    as_ana.post(reverse("import_retry", args=[run.pk]))
    assert api.ticket("import", ana.owner, str(run.pk)).is_active


def test_a_large_import_shows_a_few_files_in_the_list_and_all_on_its_page(as_ana, run):
    ImportFile.objects.bulk_create(
        ImportFile(run=run, name=f"{number}.fit", size=1, sha256="", outcome="imported") for number in range(50)
    )
    brief = as_ana.get(reverse("imports")).content.decode()
    whole = as_ana.get(reverse("import_run", args=[run.pk])).content.decode()
    assert "and 30 more" in brief
    assert whole.count(".fit") == 50


def test_a_name_is_shown_as_text(as_ana, run):
    ImportFile.objects.create(run=run, name="<script>x</script>.fit", size=1, sha256="", outcome="refused")
    assert "<script>x" not in as_ana.get(reverse("imports")).content.decode()


def test_the_list_of_imports_takes_a_bounded_number_of_queries(as_ana, source, django_assert_max_num_queries):
    for _ in range(SHOWN + 8):
        ImportFile.objects.create(run=ImportRun.objects.create(source=source), name="a.fit", size=1, sha256="")
    with django_assert_max_num_queries(16):
        as_ana.get(reverse("imports"))


def test_without_a_source_files_belong_to_the_first_one(as_ana):
    hand_in(as_ana, upload("a.gpx"))
    assert ImportRun.objects.get().source.name == "My files"


def test_a_source_is_one_of_those_there_are_or_a_new_one(as_ana, ana):
    for name in ("Old watch", "Old watch", "  Strava\u202e  "):
        as_ana.post(reverse("imports"), {"recordings": [upload("a.gpx")], "source": name})
    assert sorted(ana.sources.values_list("name", flat=True)) == ["Old watch", "Strava"]
    assert '<option value="Strava">' in as_ana.get(reverse("imports")).content.decode()


def test_another_athletes_source_is_not_theirs(as_ben, ben, source):
    as_ben.post(reverse("imports"), {"recordings": [upload("a.gpx")], "source": source.name})
    assert ImportRun.objects.get().source.athlete == ben
    assert source.imports.count() == 0


@pytest.mark.parametrize("name", ["x" * 101, "nul\0"])
def test_a_source_cannot_be_called_so(as_ana, name):
    response = as_ana.post(reverse("imports"), {"recordings": [upload("a.gpx")], "source": name})
    assert response.status_code == 422
    assert "files-error" in response.content.decode()


@pytest.mark.parametrize("outcome", ImportFile.Outcome.values)
def test_every_outcome_has_its_words(as_ana, run, outcome):
    ImportFile.objects.create(run=run, name="a.csv", size=1, sha256="a" * 64, outcome=outcome)
    assert f"is-{outcome}" in as_ana.get(reverse("imports")).content.decode()


def test_an_import_says_that_its_page_may_be_closed(as_ana):
    hand_in(as_ana, upload("a.gpx"))
    assert "You may close this page; the import goes on." in as_ana.get(reverse("imports")).content.decode()


def test_one_large_file_shows_how_much_of_it_is_read(as_ana, run, monkeypatch):
    ticket = api.Ticket(
        id=1, kind="import", owner="", subject="", status="running", elapsed_s=10.0,
        progress=(500_000_000, 2_000_000_000, "export.xml"), items={"running": 1},
    )  # fmt: skip
    monkeypatch.setattr(imports, "tickets_of", lambda runs: {str(run.pk): ticket})
    ImportFile.objects.create(run=run, name="export.zip", size=10**8, sha256="a" * 64)
    body = as_ana.get(reverse("imports")).content.decode()
    assert '<progress value="500000000" max="2000000000"' in body
    assert "export.xml" in body
    assert "Reading, 50.0 MB a second; about 30 s left." in body


def test_a_file_leads_to_the_activity_that_its_bytes_are_in(as_ana, ride, run):
    first = ride.provenance.get()
    ImportFile.objects.create(run=run, name="b.fit", size=1, sha256=first.sha256, outcome="duplicate")
    for number in (first.file.run_id, run.pk):
        body = as_ana.get(reverse("import_run", args=[number])).content.decode()
        assert f'href="{reverse("activity", args=[ride.pk])}">See the activity</a>' in body


def test_the_same_bytes_lead_nobody_to_the_activity_of_another(as_ben, ben, ride):
    theirs = ImportRun.objects.create(source=factories.source(ben))
    ImportFile.objects.create(run=theirs, name="b.fit", size=1, sha256=ride.provenance.get().sha256)
    assert "See the activity" not in as_ben.get(reverse("import_run", args=[theirs.pk])).content.decode()


def test_a_file_that_is_in_doubt_leads_to_its_question(as_ana, run):
    ImportFile.objects.create(run=run, name="a.fit", size=1, sha256="", outcome="doubted")
    assert f'href="{reverse("doubts")}">Answer the question</a>' in as_ana.get(reverse("imports")).content.decode()


def test_the_page_of_a_small_import_shows_its_files_at_once(as_ana, run):
    ImportFile.objects.create(run=run, name="a.fit", size=1, sha256="", outcome="imported")
    assert "data-keep open" in as_ana.get(reverse("import_run", args=[run.pk])).content.decode()
    assert "data-keep open" not in as_ana.get(reverse("imports")).content.decode()


def test_the_page_says_what_else_comes_in_and_how(as_ana):
    body = as_ana.get(reverse("imports")).content.decode()
    assert "tables (.csv) of weight, sleep or resting heart rate" in body
    assert f'href="{reverse("settings")}#tokens"' in body


@pytest.mark.parametrize(("outcome", "leads"), [("imported", True), ("refused", False)])
def test_a_finished_import_leads_to_what_came_of_it(as_ana, run, outcome, leads):
    ImportFile.objects.create(run=run, name="a.fit", size=1, sha256="", outcome=outcome)
    body = as_ana.get(reverse("import_run", args=[run.pk])).content.decode()
    assert (f'<a href="{reverse("activities")}">All activities</a>' in body) == leads

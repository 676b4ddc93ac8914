"""The page that asks what the columns of a table are."""

import pytest
from django.urls import reverse

from coach.models import ImportFile, Measure
from jobs import testing
from tests.coach.views.rows import upload
from tests.coach.views.test_markup import Tags

pytestmark = pytest.mark.django_db(transaction=True)

WEIGHTS = "Datum;Gewicht;Notiz\n03/04/2026;70,5;<b>gut</b>\n05/06/2026;70,7;müde\n".encode()


@pytest.fixture
def table(as_ana, settings, tmp_path):
    settings.DATA = tmp_path
    as_ana.post(reverse("imports"), {"recordings": [upload("weights.csv", WEIGHTS)]})
    testing.drain()
    return ImportFile.objects.get()


def page(file):
    return reverse("columns", args=[file.pk])


ANSWER = {
    "column_0": "date",
    "column_1": "weight",
    "column_2": "",
    "date_order": "dmy",
    "weight_unit": "kg",
    "night_date": "morning",
    "provider": "Scale",
}


def test_the_import_page_leads_to_it(as_ana, table):
    assert table.outcome == "asked"
    assert page(table) in as_ana.get(reverse("imports")).content.decode()


def test_it_shows_the_first_rows_and_a_guess(as_ana, table):
    body = as_ana.get(page(table)).content.decode()
    assert '<option value="weight" selected>Weight</option>' in body
    assert '<option value="date" selected>Date</option>' in body
    assert "&lt;b&gt;gut&lt;/b&gt;" in body
    assert "<b>gut" not in body


def test_each_choice_is_labelled_by_its_column(as_ana, table):
    tags = Tags(as_ana.get(page(table)).content.decode())
    labelled = {attributes.get("for") for attributes in tags.named("label")}
    choices = [*tags.named("select"), *(field for field in tags.named("input") if field.get("type") == "text")]
    assert len(choices) == 7
    assert all(choice["id"] in labelled for choice in choices)
    assert len(tags.named("h1")) == 1


def test_an_answer_is_kept_and_the_table_read(as_ana, table):
    response = as_ana.post(page(table), ANSWER)
    assert response.url == f"{reverse('imports')}#run-{table.run_id}"
    testing.drain()
    rows = [(f"{row.local_date}", row.value, row.provider) for row in Measure.objects.order_by("at")]
    assert rows == [("2026-04-03", 70.5, "Scale"), ("2026-06-05", 70.7, "Scale")]
    body = as_ana.get(reverse("imports")).content.decode()
    assert f'href="{page(table)}">Change what its columns are</a>' in body


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"date_order": ""}, "Say in which order day, month and year stand."),
        ({"weight_unit": ""}, "Say in which unit the weights are."),
        ({"column_0": ""}, "Say which column holds the date."),
        ({"column_1": ""}, "Say which column holds weights"),
        ({"column_2": "weight"}, "Two columns cannot both be “Weight”."),
        ({"column_1": "magic"}, "magic is not one of the available choices."),
    ],
)
def test_an_answer_that_leaves_something_open_is_told_what(as_ana, table, changed, sentence):
    response = as_ana.post(page(table), ANSWER | changed)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert ImportFile.objects.get().mapping == {}


def test_while_the_source_is_busy_it_says_who_is_at_work(as_ana, table):
    as_ana.post(reverse("imports"), {"recordings": [upload("more.csv", WEIGHTS)]})
    response = as_ana.post(page(table), ANSWER)
    assert response.status_code == 409
    assert "An import is at work on this source." in response.content.decode()


def test_other_files_and_other_athletes_have_no_such_page(as_ana, as_ben, table):
    assert as_ben.get(page(table)).status_code == 404
    as_ana.post(reverse("imports"), {"recordings": [upload("notes.txt", b"buy milk")]})
    testing.drain()
    assert as_ana.get(page(ImportFile.objects.get(name="notes.txt"))).status_code == 404


def test_the_page_reads_no_table_again_however_long_it_is(as_ana, table, monkeypatch):
    """What it shows was kept by the import that asked; only of one that an older version read it looks at the file."""
    shown = as_ana.get(page(table)).content.decode().partition("<section")[2]
    ImportFile.objects.update(look={})
    assert as_ana.get(page(table)).content.decode().partition("<section")[2] == shown
    ImportFile.objects.update(look=table.look)
    monkeypatch.setattr("coach.originals.reader", lambda sha256: pytest.fail("It reads the file."))
    assert as_ana.get(page(table)).content.decode().partition("<section")[2] == shown

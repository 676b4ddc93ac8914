"""A thumb for a text, a word about it, and the texts that were there before."""

import re
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from coach import versions
from coach.models import Athlete, Insight, Opinion
from tests import factories
from tests.coach.views.rows import HTMX, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Athlete:
    return factories.athlete("ana")


@pytest.fixture
def reader(ana: Athlete) -> Client:
    return signed_in(ana.user)


def written(ana: Athlete, number: int, **displays: str) -> Insight:
    return Insight.objects.create(
        athlete=ana,
        scope="load",
        subject="current",
        fingerprint=str(number),
        writer="model/m/1",
        language="en",
        text={"headline": f"Text {number}", "summary": "Fitness is {{ctl}}.", "findings": [], "suggestions": []},
        facts={
            key: {"label": key.upper(), "display": display, "meaning": "", "convention": ""}
            for key, display in displays.items()
        },
    )


def say(reader: Client, insight: Insight, good: str, **more: str) -> int:
    return reader.post(f"/opinion/{insight.pk}/", {"good": good, **more}, headers=HTMX).status_code


def test_a_thumb_is_kept_turned_and_taken_back(ana: Athlete, reader: Client) -> None:
    insight = written(ana, 1, ctl="64")
    assert say(reader, insight, "1") == 200
    assert Opinion.objects.get().good
    assert say(reader, insight, "0", note="It was a race.\x00\u202e") == 200
    held = Opinion.objects.get()
    assert (held.good, held.note) == (False, "It was a race.")
    say(reader, insight, "1")
    assert (Opinion.objects.get().good, Opinion.objects.get().note) == (True, "")
    say(reader, insight, "")
    assert not Opinion.objects.exists()


@pytest.mark.parametrize("good", ["1", "0"])
def test_a_second_click_and_another_tab_take_nothing_back(ana: Athlete, reader: Client, good: str) -> None:
    insight = written(ana, 1, ctl="64")
    say(reader, insight, good, note="It was a race.")
    say(reader, insight, good)
    assert (Opinion.objects.get().good, Opinion.objects.get().note) == (good == "1", "It was a race.")


def test_the_thumb_that_is_pressed_takes_itself_back(ana: Athlete, reader: Client) -> None:
    insight = written(ana, 1, ctl="64")
    for good, values in (("1", ["", "0"]), ("0", ["1", ""]), ("", ["1", "0"])):
        body = reader.post(f"/opinion/{insight.pk}/", {"good": good}, headers=HTMX).content.decode()
        assert re.findall(r'<button [^>]*name="good" value="(.?)"', body) == values


def test_a_word_is_cut_at_its_length(ana: Athlete, reader: Client) -> None:
    say(reader, written(ana, 1, ctl="64"), "0", note="x" * 10_000)
    assert len(Opinion.objects.get().note) == versions.NOTE_LENGTH


def test_of_two_clicks_at_once_one_row_is_left(ana: Athlete, reader: Client) -> None:
    insight = written(ana, 1, ctl="64")
    say(reader, insight, "0", note="first")
    say(reader, insight, "0", note="second")
    assert [held.note for held in Opinion.objects.all()] == ["second"]


def test_an_opinion_that_is_none_is_refused(ana: Athlete, reader: Client) -> None:
    insight = written(ana, 1, ctl="64")
    assert say(reader, insight, "maybe") == 400
    assert reader.post(f"/opinion/{insight.pk}/").status_code == 400


def test_nobody_judges_anothers_text(reader: Client) -> None:
    assert say(reader, written(factories.athlete("ben"), 1, ctl="64"), "1") == 404
    assert not Opinion.objects.exists()


def test_without_script_it_goes_back_to_the_screen(ana: Athlete, reader: Client) -> None:
    insight = written(ana, 1, ctl="64")
    assert reader.post(f"/opinion/{insight.pk}/", {"good": "1"})["Location"] == "/load/"


def test_the_versions_say_what_changed_in_the_facts(ana: Athlete, reader: Client) -> None:
    written(ana, 1, ctl="62", atl="70", gone="1")
    written(ana, 2, ctl="64", atl="70", new="2")
    written(ana, 3, ctl="64", atl="70", new="2")
    newest, second, first = versions.of(ana, "load", "current")[0]
    assert [(each.label, each.before, each.after) for each in second.changes] == [
        ("CTL", "62", "64"),
        ("NEW", "–", "2"),
        ("GONE", "1", "–"),
    ]
    assert (newest.changes, first.changes) == ((), ())
    assert (newest.is_first, first.is_first) == (False, True)
    page = reader.get("/insight/load/current/versions/").content.decode()
    assert "3 facts read otherwise than before" in page
    assert page.index("Text 3") < page.index("Text 2") < page.index("Text 1")
    assert "Fitness is 62." in page


def test_other_units_and_another_language_change_no_fact(ana: Athlete, reader: Client) -> None:
    told = [
        ("en", 30_000.0, "30.0 km", "steady session"),
        ("zh-hans", 30_000.0, "18.6 mi", "稳态训练"),
        ("zh-hans", 32_000.0, "19.9 mi", "间歇训练"),
    ]
    for number, (language, far_m, far, kind) in enumerate(told):
        row = written(ana, number, far=far, kind=kind)
        row.language = language
        row.facts["far"]["value"], row.facts["kind"]["value"] = far_m, kind
        row.save()
    newest, between, _oldest = versions.of(ana, "load", "current")[0]
    assert between.changes == ()
    assert [each.label for each in newest.changes] == ["FAR", "KIND"]
    page = reader.get("/insight/load/current/versions/").content.decode()
    assert page.count('<div lang="zh-hans">') == 2


def test_the_versions_come_in_pages(ana: Athlete, reader: Client) -> None:
    for number in range(versions.PAGE + 2):
        written(ana, number, ctl=str(number))
    found, further = versions.of(ana, "load", "current")
    assert (len(found), found[-1].is_first) == (versions.PAGE, False)
    assert f"?before={further}" in reader.get("/insight/load/current/versions/").content.decode()
    rest, end = versions.of(ana, "load", "current", before=further)
    assert ([each.headline for each in rest], end) == (["Text 1", "Text 0"], None)
    assert rest[0].changes


def test_the_panel_shows_the_thumb_that_was_given(ana: Athlete, reader: Client) -> None:
    factories.season(ana)
    from coach import insights, scopes

    facts = scopes.facts_for("load", ana, "current")
    insight = written(ana, 1, ctl="64")
    insight.fingerprint = insights.fingerprint(ana, facts)
    insight.save()
    assert 'aria-pressed="true"' not in reader.get("/load/").content.decode()
    say(reader, insight, "0", note="Too <b>loud</b>.")
    page = reader.get("/load/").content.decode()
    assert page.count('aria-pressed="true"') == 1
    assert "Too &lt;b&gt;loud&lt;/b&gt;." in page
    assert "/insight/load/current/versions/" in page


def test_a_screen_without_a_text_says_so_where_its_texts_would_stand(reader: Client) -> None:
    page = reader.get("/insight/body/current/versions/")
    assert (page.status_code, "No text was written here so far." in page.content.decode()) == (200, True)


def test_the_texts_say_when_as_other_pages_do_and_which_is_the_newest(ana: Athlete, reader: Client) -> None:
    made = [timezone.localtime(written(ana, number, ctl="64").created_at, ZoneInfo(ana.time_zone)) for number in (1, 2)]
    page = reader.get("/insight/load/current/versions/").content.decode()
    assert all(date_format(moment, "j M Y, H:i") in page for moment in made)
    assert page.count("The newest one") == 1
    assert page.index("The newest one") < page.index("Text 1")


def test_what_lies_behind_a_screen_keeps_its_place_in_the_navigation(ana: Athlete, reader: Client) -> None:
    written(ana, 1, ctl="64")
    here = '<a href="/load/" aria-current="{}">Load</a>'.format
    assert here("true") in reader.get("/insight/load/current/versions/").content.decode()
    assert here("page") in reader.get("/load/").content.decode()

"""The pages of an athlete who reads Chinese: nothing is left in English but names."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from coach.models import Activity, Athlete, Threshold
from coach.scopes.calendar import week_of
from tests import factories
from tests.coach.views.rows import HTMX, ridden, signed_in

# Names and formats that stay as they are in every language.
KEPT = re.compile(
    r"Coach|English|FTP|FIT|GPX|TCX|ZIP|CTL|ATL|TSB|TRIMP|Banister|Coggan|Friel|Foster|Gabbett|Impellizzeri|Lolli"
    r"|Minetti|Seiler|TrainingPeaks|KB|bytes|ride\.fit|\bli\b|\b[ke]\b|[567][abc]\b"
)
READ_ALOUD = {"aria-label", "aria-valuetext", "title", "alt", "placeholder"}
SILENT = {"script", "style", "option", "code"}
# Told in English still: remarks of the import, kept with the recording as it wrote them.
LATER = {"doubts"}


class Reader(HTMLParser):
    """Gathers what a page says, by sight and aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.lang = ""
        self.said: list[str] = []
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.lang = known.get("lang") or self.lang
        if tag in SILENT or set((known.get("class") or "").split()) & LATER:
            self.silent.append(tag)
        elif not self.silent:
            self.said += [value or "" for name, value in attrs if name in READ_ALOUD]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and tag == self.silent[-1]:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def english(html: str) -> list[str]:
    reader = Reader()
    reader.feed(html)
    assert reader.lang == "zh-hans"
    return [text.strip() for text in reader.said if re.search("[A-Za-z]{2,}", KEPT.sub("", text))]


@pytest.fixture
def li(db: None) -> Athlete:
    owner = factories.athlete("li")
    owner.language = "zh-hans"
    owner.save()
    return owner


@pytest.fixture
def as_li(li: Athlete) -> Client:
    return signed_in(li.user)


@pytest.fixture
def trained(li: Athlete) -> Activity:
    """Make months of training, a threshold and a token; return the newest session."""
    source = factories.source(li)
    for days in range(1, 60):
        ridden(source, hours_ago=24 * days + 5, sport="cycling", indoor=days % 3 == 0, virtual=days % 5 == 0)
    Threshold.objects.create(athlete=li, kind="ftp_w", value=250, valid_from="2026-03-01", estimated=True)
    Threshold.objects.create(athlete=li, kind="threshold_pace_s_per_km", value=270, valid_from="2026-03-01")
    return ridden(source, flags=["The device lost heart rate for 3 min; the gap is shown."], sport="rowing")


PAGES = ["/load/", "/week/", "/settings/", "/line/", "/activities/"]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_chinese_when_it_is_empty(as_li: Client, address: str) -> None:
    assert english(as_li.get(address).content.decode()) == []


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_chinese_when_there_is_something_on_it(as_li: Client, trained: Activity, address: str) -> None:
    as_li.get("/load/")  # asks for a text, so that something is in line
    assert english(as_li.get(address).content.decode()) == []


def test_a_session_and_its_week_are_chinese(as_li: Client, trained: Activity) -> None:
    assert english(as_li.get(f"/activities/{trained.pk}/").content.decode()) == []
    assert english(as_li.get(f"/week/{week_of(trained.local_date)}/").content.decode()) == []


def test_what_settings_answer_is_chinese(as_li: Client, trained: Activity) -> None:
    wrong = {"threshold": "1", "kind": "ftp_w", "value": "9000", "valid_from": "2026-05-01"}
    assert english(as_li.post("/settings/", wrong).content.decode()) == []
    assert english(as_li.post("/settings/", {"profile": ""}).content.decode()) == []
    saved = as_li.post("/settings/", wrong | {"value": "260"}, follow=True).content.decode()
    assert english(saved) == []
    assert "已保存。你的训练正在重新计算" in saved


def test_a_poll_is_answered_in_the_athletes_language(as_li: Client, trained: Activity) -> None:
    shown = as_li.get("/insight/load/current/", headers=HTMX).content.decode()
    assert "排队" in shown
    assert "In line" not in shown


def test_the_sign_in_page_speaks_what_the_browser_asks_for(client: Client, db: None) -> None:
    response = client.get("/login/", headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"})
    assert english(response.content.decode()) == []
    assert "Accept-Language" in response["Vary"]
    refused = client.post("/login/", {"username": "x", "password": "y"}, headers={"Accept-Language": "zh-CN"})
    assert english(refused.content.decode()) == []


def test_nobody_elses_page_becomes_chinese(as_li: Client, as_ana: Client) -> None:
    as_li.get("/week/")
    page = as_ana.get("/week/").content.decode()
    assert '<html lang="en">' in page
    assert "Main facts" in page or "Import recordings" in page
    assert '<html lang="en">' in Client().get("/login/").content.decode()

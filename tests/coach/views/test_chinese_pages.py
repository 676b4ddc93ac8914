"""The pages of an athlete who reads Chinese: nothing is left in English but names."""

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from coach import originals
from coach.models import (
    Activity,
    Athlete,
    Doubt,
    Finding,
    Goal,
    ImportFile,
    Insight,
    Measure,
    Planned,
    Provenance,
    Source,
    Suggestion,
    Threshold,
    Token,
)
from coach.scopes.calendar import week_of
from tests import factories, history, walk
from tests.coach.outings import gpx, hand_in, later, tcx, work
from tests.coach.views.rows import HTMX, ridden, signed_in, upload

# Names and formats that stay as they are in every language.
KEPT = re.compile(
    r"Coach|English|FTP|FIT|GPX|TCX|ZIP|CTL|ATL|TSB|TRIMP|Banister|Coggan|Friel|Foster|Gabbett|Impellizzeri|Lolli"
    r"|Minetti|Seiler|TrainingPeaks|Plews|Altini|Hirshkowitz|Walker, The Hacker's Diet|Monod|Scherrer|Skiba|Daniels"
    r"|Gilbert|HRV|rMSSD|SDNN|VDOT|REM|EF|CP|Esc|Karvonen|Allen|UTC|Strava|Garmin|Apple|iPhone|Authorization|Bearer|X-File-Name|POST"
    r"|URL|CSV|JSON|Cookie|KB|MB|GB|[\w /-]*\.(?:fit|gpx|tcx|csv|zip|gz|ics|pdf)\b|PDF|iCalendar|https?://\S+|\b[kelnWTt]\b|exp|\bln\b"
    r"|[567][abc]\b"
)
TYPED = re.compile(r"\bli\b|\bTest\b")  # what the athlete of these tests is called, and the device
READ_ALOUD = {"aria-label", "aria-valuetext", "title", "alt", "placeholder"}
SAID_BY_SCRIPT = re.compile(r"data-(?:none|signed-out|not-taken|offline|too-many|sent|rest|seconds|minutes|unit)")
SILENT = {"script", "style", "code", "pre", "datalist"}
LETTER = re.compile(r'<div id="insight-letter">.*?</section>', re.S)  # its words have tests of their own
NAMES = {"time_zone", "language"}  # of choices whose words are names


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
        if tag in SILENT or (tag == "select" and known.get("name") in NAMES):
            self.silent.append(tag)
        elif not self.silent:
            self.said += [value or "" for name, value in attrs if name in READ_ALOUD or SAID_BY_SCRIPT.fullmatch(name)]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and tag == self.silent[-1]:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def english(html: str, *, is_fragment: bool = False) -> list[str]:
    """Return what is seen or heard of a page and is neither Chinese nor kept in every language."""
    reader = Reader()
    reader.feed(html)
    assert reader.lang == "zh-hans" or is_fragment
    return [
        " ".join(text.split())
        for text in reader.said
        if re.search("[A-Za-z]{2,}", TYPED.sub("", KEPT.sub("", re.sub(r"\{\w+\}", "", text))))
    ]


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
    return ridden(source, flags=FLAGS, sport="rowing")


def left_in_english(client: Client) -> dict[str, list[str]]:
    """Walk over every page that can be reached and return what is not Chinese, by page."""
    found = {}
    for page in walk.pages(client):
        response = page.get(client)
        if response.status_code == 200 and "html" in response["Content-Type"]:
            shown = LETTER.sub("", response.content.decode())
            found[page.kind] = english(shown, is_fragment=page.is_fragment)
    return {kind: texts for kind, texts in found.items() if texts}


def test_every_page_is_chinese_when_it_is_empty(as_li: Client) -> None:
    assert left_in_english(as_li) == {}


def test_every_page_is_chinese_when_it_is_full(grown: Athlete) -> None:
    assert left_in_english(signed_in(grown.user)) == {}


KEPT_SENTENCES = [
    "The same session as “ride.fit”, so both are one activity. It stands aside until you answer a question about it.",
    "This is a PDF document, not a recording. Export the activity as FIT, TCX or GPX and upload that file.",
    "3 nights, 12 HRV values and 1 weight. 2 values outside of what a body can have were left out.",
]
FLAGS = [
    "The file has no summary, so the totals come from its samples.",
    "The maximum and threshold heart rate is estimated; set it in your settings for exact zones and load.",
    "12 implausible values of heart rate left out.",
]


@pytest.fixture
def grown(db: None) -> Athlete:
    """A year of everything; what people type is Chinese, what Coach keeps are sentences as it writes them."""
    owner = history.grown("li", years=1)
    owner.language = "zh-hans"
    owner.save()
    for year in range(2010, 2016):
        Threshold.objects.create(athlete=owner, kind="ftp_w", value=200, valid_from=f"{year}-03-01")
    Insight.objects.all().delete()  # their own language is that of the day they were written on
    Activity.objects.exclude(name="").update(name="环湖")
    Activity.objects.update(flags=FLAGS)
    Activity.objects.exclude(note="").update(note="腿很沉，后来好多了。")
    Provenance.objects.update(device="")
    Planned.objects.update(title="轻松一小时")
    Goal.objects.update(name="马拉松")
    Token.objects.update(name="手机")
    for number, source in enumerate(owner.sources.order_by("pk")):
        Source.objects.filter(pk=source.pk).update(name=f"来源{number}")
    for number, file in enumerate(ImportFile.objects.exclude(sentence="")):
        ImportFile.objects.filter(pk=file.pk).update(sentence=KEPT_SENTENCES[number % len(KEPT_SENTENCES)])
    Finding.objects.update(
        sentence="3 of 40 recordings.", details=[{"day": "2026-01 to 2026-03", "sentence": "A gap of 4 min."}]
    )
    Suggestion.objects.update(sentence="95 % of your best 20 minutes, 312 W on 3 May 2026.")
    Doubt.objects.filter(kind="match").update(
        sentence="Is it the same session as that of 3 May 2026, 07:30? Coach is not sure: "
        "they overlap, but sport and start differ."
    )
    Doubt.objects.filter(kind="date").update(
        sentence="It says that it began on 1 January 2000: the clock of the device was not set. When did it begin?"
    )
    ImportFile.objects.filter(name="log.csv").update(sha256=table("日期,体重", "2026-03-01,72.1"), look={})
    return owner


def table(*lines: str) -> str:
    return originals.keep(["\n".join(lines).encode()])[0]


@pytest.mark.django_db(transaction=True)
def test_what_became_of_files_is_chinese() -> None:
    """Files as they come: joined, doubted, there already, broken, of a table, and what was found in them."""
    li = factories.athlete("li", language="zh-hans")
    hand_in(li, ("watch.tcx", tcx()), ("a.pdf", b"%PDF-1.4"), ("empty.fit", b""), source="手表")
    hand_in(li, ("phone.gpx", gpx(name="河边", bpm=140)), ("late.gpx", gpx(later(300), seconds=900)), source="手机")
    hand_in(li, ("watch.tcx", tcx()), ("days.csv", "日期,体重\n2026-03-01,72.1\nx,y".encode()), source="手机")
    hand_in(li, ("unset.gpx", gpx(datetime(2000, 1, 1, tzinfo=UTC))), source="手机")
    client = signed_in(li.user)
    for source in Source.objects.filter(athlete=li):
        client.post(reverse("source_check", args=[source.pk]))
    assert left_in_english(client) == {}
    work()
    assert Finding.objects.filter(source__athlete=li).exists()
    assert left_in_english(client) == {}
    assert {file.outcome for file in ImportFile.objects.all()} >= {"refused", "doubted", "joined", "duplicate", "asked"}


WRONG: list[tuple[str, dict[str, str]]] = [
    ("/body/", {"weight": "x", "weighed_on": "2026-13-01"}),
    ("/body/", {"weight": "9999", "weighed_on": "2999-01-01"}),
    ("/body/", {"weight": "70", "weighed_on": "1950-01-01"}),
    ("/body/", {"weight": "70,5", "weighed_on": "2026-05-01"}),
    ("/plan/", {"goal": "1", "goal-day": "2000-01-01"}),
    ("/plan/", {"goal": "1", "goal-day": "2999-01-01", "goal-name": "马拉松"}),
    ("/plan/", {"session": "1", "session-day": "x", "session-duration": "long", "session-load": "much"}),
    ("/plan/", {"session": "1", "session-duration": "9999", "session-load": "99999"}),
    ("/plan/", {"file": "1"}),
    ("/import/", {"source": "手表"}),
    ("/account/delete/", {"password": "wrong"}),
    ("/settings/", {"profile": "", "sleep_need": "x", "weight_goal": "y"}),
    ("/settings/tokens/", {"name": ""}),
]


@pytest.mark.parametrize(("address", "said"), WRONG)
def test_what_is_wrong_with_a_form_is_said_in_chinese(as_li: Client, address: str, said: dict[str, str]) -> None:
    response = as_li.post(address, said, follow=True)
    assert english(response.content.decode()) == []


CALENDAR = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:长距离\r\nDTSTART:{day:%Y%m%d}\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:2\r\nSUMMARY:以前\r\nDTSTART:20200101\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.mark.parametrize("content", [CALENDAR, "no calendar"])
def test_what_became_of_a_calendar_is_said_in_chinese(as_li: Client, li: Athlete, content: str) -> None:
    file = upload("plan.ics", content.format(day=li.today() + timedelta(days=3)).encode())
    response = as_li.post("/plan/", {"file": "1", "file-calendar": file}, follow=True)
    assert english(response.content.decode()) == []


def test_what_is_done_is_said_in_chinese(as_li: Client, li: Athlete) -> None:
    day = li.today() + timedelta(days=3)
    as_li.post("/plan/", {"goal": "1", "goal-name": "马拉松", "goal-day": f"{day}"})
    planned = {"session": "1", "session-title": "长距离", "session-day": f"{day}", "session-duration": "1:30"}
    assert "训练已加入计划。" in as_li.post("/plan/", planned, follow=True).content.decode()
    as_li.post("/body/", {"weight": "70.5", "weighed_on": f"{li.today()}"})
    for address in ("/plan/", "/body/", "/today/", "/week/"):
        assert english(as_li.get(address).content.decode()) == []
    goal, weight = Goal.objects.get(), Measure.objects.get()
    for address in (f"/plan/goals/{goal.pk}/delete/", f"/body/weights/{weight.pk}/delete/"):
        assert english(as_li.post(address, follow=True).content.decode()) == []


def test_what_cannot_be_shown_is_said_in_chinese(as_li: Client, client: Client, db: None) -> None:
    for address in ("/week/x/", "/records/golf/", "/import/files/0/columns/", "/activities/0/"):
        assert english(as_li.get(address).content.decode()) == []
    page = client.get("/nothing-here/", headers={"Accept-Language": "zh-CN"}).content.decode()
    assert "没有这个页面" in page
    careful = Client(enforce_csrf_checks=True)
    refused = careful.post("/login/", headers={"Accept-Language": "zh-CN"})
    assert "没有发送" in refused.content.decode()
    assert "There is no such page" in Client().get("/nothing-here/").content.decode()


def test_somebody_without_a_diary_is_told_so_in_the_language_of_the_browser(client: Client, db: None) -> None:
    client.force_login(factories.staff("boss"))
    assert "这里没有训练日记" in client.get("/week/", headers={"Accept-Language": "zh-CN"}).content.decode()


def test_the_files_that_nobody_named_stay_one_source_in_every_language(as_li: Client, li: Athlete) -> None:
    """The page offers the first source by its Chinese name; what is sent is kept under the one name it has."""
    assert 'value="我的文件"' in as_li.get("/import/").content.decode()
    as_li.post("/import/", {"recordings": upload(), "source": "我的文件"})
    assert Source.objects.get(athlete=li).name == "My files"


def test_a_session_and_its_week_are_chinese(as_li: Client, trained: Activity) -> None:
    assert english(as_li.get(f"/activities/{trained.pk}/").content.decode()) == []
    assert english(as_li.get("/load/").content.decode()) == []
    assert english(as_li.get(f"/week/{week_of(trained.local_date)}/").content.decode()) == []


def test_what_is_said_after_a_redirect_is_still_chinese(as_li: Client, trained: Activity) -> None:
    said = as_li.post(f"/activities/{trained.pk}/remarks/", {"said-note": "逆风"}, follow=True).content.decode()
    assert "你说的优先于算出来的" in said
    assert english(said) == []


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

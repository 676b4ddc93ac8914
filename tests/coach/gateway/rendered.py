"""What a reader gets of an answer once it is checked, stored and drawn; and a judge of what stands there."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

from django.template.loader import render_to_string
from django.utils.translation import override

from coach import insights, panels
from coach.gateway.rules.passage import TOKEN, fold
from coach.models import Athlete, Insight
from coach.scopes.facts import Facts
from tests.coach.gateway.fake_run import FakeRun

ALLOWED = {"h2", "h3", "p", "ul", "li", "a"}
NO_BREAK = re.compile(r"[\u00a0\u202f\u2007]|\u2060")  # keeps a value on one line
INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Cn"}


def letter(athlete: Athlete, facts: Facts) -> str:
    """Return the HTML of the panel's text."""
    with override(athlete.language):
        shown = panels.panel(athlete, facts, athlete.user)
        return render_to_string("coach/insight.html#letter", {"panel": shown, "look": {}})


class Run(FakeRun):
    """A run whose saves need no queue."""

    @contextmanager
    def save(self, *, fingerprint: str = "") -> Iterator[None]:
        yield

    def keep(self, act: Callable[[], object]) -> None:
        act()


def stored(athlete: Athlete, facts: Facts, *, fingerprint: str) -> Insight:
    """Have the service write about these facts, and return the row."""
    insights.keep(Run(), athlete, facts, fingerprint=fingerprint)  # type: ignore[arg-type]
    return Insight.objects.latest("pk")


class Page(HTMLParser):
    """The text beside the facts, the facts by their keys, and whatever else stands on the page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.facts: list[tuple[str, str]] = []
        self.strays: list[str] = []
        self._fact = ""
        self._small = False
        self.feed(html)
        self.close()
        self.everything = squeezed("".join(self.words) + " ".join(shown for _key, shown in self.facts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        fact = re.fullmatch(r"#fact-([a-z0-9_]+)", given.get("href") or "")
        self._small = self._small or given.get("class") == "small-print"
        if tag not in ALLOWED or set(given) - {"class", "href", "title"} or ("href" in given and not fact):
            self.strays.append(f"{tag} {given}")
        if fact:
            self._fact = fact[1]

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._fact = ""
        self._small = self._small and tag != "p"

    def handle_data(self, data: str) -> None:
        if self._fact:
            self.facts.append((self._fact, NO_BREAK.sub(" ", data)))
        elif not self._small:
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.strays.append(f"comment {data}")


def judged(page: Page, facts: Facts) -> list[str]:
    """Return what is wrong with a page: this is written apart from the rules that should have prevented it."""
    known = {fact.key: NO_BREAK.sub(" ", fact.display) for fact in facts.facts if fact.value is not None}
    words = "".join(page.words)
    wrong = [f"stray {stray}" for stray in page.strays]
    wrong += [f"{key} shown as {shown}" for key, shown in page.facts if known.get(key) != shown]
    wrong += [f"number {letter}" for letter in words if unicodedata.category(letter) in ("Nd", "Nl", "No")]
    wrong += [
        f"invisible {letter!r}" for letter in words if unicodedata.category(letter) in INVISIBLE and letter != "\n"
    ]
    wrong += [f"mark {mark}" for mark in ("{{", "}}", "<", ">", "javascript:", "://", "www.") if mark in words.lower()]
    wrong += [] if page.facts and words.strip() else ["nothing true is shown"]
    return wrong


def told(lie: str, page: Page) -> bool:
    """Say whether the page reads like the lie, however it is dressed."""
    longest = max((squeezed(part) for part in TOKEN.split(lie)[::2]), key=len)
    return len(longest) > (8 if longest.isascii() else 3) and longest in page.everything


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", fold("".join(each for each in text if unicodedata.category(each)[0] != "C")))

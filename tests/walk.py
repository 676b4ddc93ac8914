"""Walks from page to page by the links in them, so that every page there is comes under the tests of all pages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from django.test import Client
from django.urls import Resolver404, URLPattern, get_resolver, resolve, reverse

HTMX = {"HX-Request": "true"}
LINK = re.compile(r'<a\s[^>]*?href="([^"]*)"')
FETCH = re.compile(r'<[^>]*?\shx-get="([^"]*)"')
CLOSER = re.compile(r'<[^>]*?\sdata-closer="([^"]*)"')  # what the script of a session's charts asks for, by a part
PART = "?from=600&to=900"
ANY = {"int": 0, "slug": "x", "str": "x", "uuid": UUID(int=0), "path": "x"}

# Pages that differ by what is in their address, and not only in whose rows they show: each of these is visited.
VARIED: Mapping[str, str] = {"trends": "subject", "records": "subject", "panel": "scope"}

# What the walk leaves out, and why. Whatever answers a POST only is left out by itself.
OUTSIDE: Mapping[str, str] = {
    "admin": "the console has its own pages and its own tests",
    "healthz": "a word for machines",
    "readyz": "a word for machines",
    "metrics": "numbers for machines",
    "original": "the bytes of a file, always as a download",
    "account_download": "the bytes of a file, always as a download",
    "api_import": "answers programs, which have a token and no session",
    "api_import_run": "answers programs, which have a token and no session",
    "second_step": "only between a password and its code",
    "second_step_setup": "for staff only",
    "welcome": "only takes the secret of an invitation out of the address",
    "welcome_form": "only with an invitation",
    "sign_up": "only where it is switched on",
    "password_reset": "for who is signed out",
    "password_reset_confirm": "only by a link in a letter",
    "password_reset_complete": "only after a new password was set",
    "uploads": "answers the script of the import page",
    "upload": "answers the script of the import page",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    name: str  # of the address in the URL conf
    address: str
    is_fragment: bool  # what htmx fetches: a poll, or more rows

    @property
    def kind(self) -> str:
        """What tells pages apart that differ in more than whose rows they show."""
        where = urlsplit(self.address)
        keys = "&".join(sorted({key for key, _ in parse_qsl(where.query)}))
        which = resolve(where.path).kwargs.get(VARIED[self.name], "") if self.name in VARIED else ""
        shown = f"{self.name} {which}".strip()
        return f"{shown}{f'?{keys}' if keys else ''}{' (fragment)' if self.is_fragment else ''}"

    def get(self, client: Client):
        return client.get(self.address, headers=HTMX if self.is_fragment else {})


def pages(client: Client) -> list[Page]:
    """Return one page of each kind that can be reached by links from those whose address takes no argument."""
    found: dict[str, Page] = {}
    todo = [
        Page(name=name, address=reverse(name), is_fragment=False) for name, takes in addresses().items() if not takes
    ]
    while todo:
        page = todo.pop(0)
        if page.kind in found or page.name in OUTSIDE:
            continue
        response = page.get(client)
        if response.status_code == 405:
            continue
        found[page.kind] = page
        if "html" in response.get("Content-Type", ""):
            todo += linked(response.content.decode())
    return sorted(found.values(), key=lambda page: page.kind)


def linked(body: str) -> Iterator[Page]:
    for pattern, is_fragment, query in ((LINK, False, ""), (FETCH, True, ""), (CLOSER, False, PART)):
        for address in map(unescape, pattern.findall(body)):
            where = urlsplit(address + query)
            name = name_of(where.path)
            if name and not where.netloc:
                yield Page(name=name, address=where._replace(fragment="").geturl(), is_fragment=is_fragment)


def name_of(path: str) -> str:
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    return match.app_names[0] if match.app_names else match.url_name or ""


def addresses() -> dict[str, dict[str, object]]:
    """Return every name in the URL conf with values of the right kind for the arguments it takes."""
    found: dict[str, dict[str, object]] = {}
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLPattern) and pattern.name:
            takes = {key: any_of(converter) for key, converter in pattern.pattern.converters.items()}
            if not takes or pattern.name not in found:
                found[pattern.name] = takes
    return found


def any_of(converter: object) -> object:
    return ANY[type(converter).__name__.removesuffix("Converter").lower()]


def unreached(client: Client, reached: list[Page]) -> list[str]:
    """Return the names that answer a GET, yet no link leads there and nothing explains why."""
    seen = {page.name for page in reached} | set(OUTSIDE)
    left = {name: takes for name, takes in addresses().items() if name not in seen}
    return [name for name, takes in left.items() if client.get(reverse(name, kwargs=takes)).status_code != 405]

"""The translation files: complete, compiled, and with the same places for values as the texts they translate."""

import gettext
import re
from io import BytesIO
from pathlib import Path

import pytest

from coach import catalog, scopes
from tests.coach import marked

PLACES = re.compile(r"%\(\w+\)s|<\w+>")
FILES = catalog.files()


def read(path: Path) -> dict[str, str]:
    return catalog.messages(path.read_text(encoding="utf-8"))


def asked() -> set[str]:
    """Return what pages mark, and what they translate as they meet it: questions and names of screens."""
    shown = {text for scope in scopes.scopes().values() for text in (scope.question, scope.title)}
    return {*marked.in_templates(), *marked.in_code(), *shown}


def test_there_is_chinese() -> None:
    assert [path.parent.parent.name for path in FILES] == ["zh_Hans"]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_marked_text_is_translated_and_no_other(path: Path) -> None:
    found = read(path)
    assert sorted(asked() - set(found)) == []
    assert sorted(set(found) - asked() - {""}) == []
    assert [key for key, text in found.items() if not text.strip("\0")] == []


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_translation_is_a_guess(path: Path) -> None:
    assert "fuzzy" not in path.read_text(encoding="utf-8")


PAGES = [
    path
    for path in sorted((marked.ROOT / "templates").rglob("*.html"))
    if not {"admin", "jobs"} & set(path.relative_to(marked.ROOT / "templates").parts)
]
TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.S)
UNSEEN = re.compile(r"<(script|style|code|pre)\b.*?</\1>|<!doctype html>|<!--.*?-->", re.S)
ALOUD = re.compile(r'(?:aria-label|aria-valuetext|title|alt|placeholder)="([^"]*)"')
SAME_EVERYWHERE = re.compile(r"Coach")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_template_says_nothing_that_is_not_marked(path: Path) -> None:
    text = UNSEEN.sub("", TAGS.sub("", marked.BLOCK.sub("", path.read_text(encoding="utf-8"))))
    said = [*ALOUD.findall(text), *re.split(r"<[^>]*>", text)]
    assert [one.strip() for one in said if re.search("[A-Za-z]{2,}", SAME_EVERYWHERE.sub("", one))] == []


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_translation_keeps_the_places_of_values(path: Path) -> None:
    for key, text in read(path).items():
        assert set(PLACES.findall(key)) == set(PLACES.findall(text)), key


@pytest.mark.parametrize("path", FILES, ids=str)
def test_the_compiled_file_is_of_its_source(path: Path) -> None:
    """Where this fails, run python manage.py compile_words."""
    assert path.with_suffix(".mo").read_bytes() == catalog.compiled(read(path))


def test_what_is_compiled_reads_as_gettext_reads_it() -> None:
    header = '"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"'
    entries = (
        f'msgid ""\nmsgstr ""\n{header}',
        '# a remark\nmsgid "a \\"quoted\\" "\n"word"\nmsgstr "ein Wort\\n"',
        'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "eins"\nmsgstr[1] "viele"',
    )
    found = catalog.messages("\n\n".join(entries))
    there = gettext.GNUTranslations(BytesIO(catalog.compiled(found)))
    assert there.gettext('a "quoted" word') == "ein Wort\n"
    assert [there.ngettext("one", "many", n) for n in (1, 2)] == ["eins", "viele"]

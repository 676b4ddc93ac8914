"""Prints what became of the files, and the insights with their facts, as plain text."""

import textwrap
from collections import Counter
from collections.abc import Iterable

from coach.models import ImportFile
from coach.panels import Panel
from coach.prose import plain
from deploy.tryout import say

Outcome = ImportFile.Outcome
WIDTH = 100


def files(read: Iterable[ImportFile], before: Iterable[ImportFile], *, every: bool) -> None:
    """Print a line for each file, read now or before; without `every` only for those that were refused."""
    counts: Counter[str] = Counter()
    lines = [(str(Outcome(row.outcome).label), row) for row in read]
    lines += [(now(row), row) for row in before]
    for outcome, row in lines:
        counts[outcome] += 1
        if every or row.outcome == Outcome.REFUSED:
            say(f"  {outcome:14} {row.name}{': ' if row.sentence else ''}{row.sentence}")
    say(f"In all: {', '.join(f'{count} {outcome}' for outcome, count in counts.items()) or 'no file'}.")


def now(row: ImportFile) -> str:
    """Name what a file that was read before comes to: what is in is already there."""
    return str((Outcome.REFUSED if row.outcome == Outcome.REFUSED else Outcome.DUPLICATE).label)


def panel(shown: Panel) -> None:
    """Print a screen's text with its facts; where there is none, why not."""
    row = shown.insight
    say(f"\n-- {shown.scope} {shown.subject}{f' ({row.writer})' if row else ''}")
    if row is None:
        say(paragraph(shown.sentence))
        return
    say(paragraph(plain(row.text["headline"], row.facts)))
    say(paragraph(plain(row.text["summary"], row.facts)))
    for finding in [*row.text.get("findings", []), *row.text.get("suggestions", [])]:
        say(paragraph(f"* {plain(finding['text'], row.facts)}"))
        for key in finding.get("facts", []):
            fact = row.facts[key]
            say(f"      {fact['label']}: {fact['display']}")


def paragraph(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    " if text[:1] == "*" else "  ")

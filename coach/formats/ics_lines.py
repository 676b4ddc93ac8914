"""The lines of a calendar file (iCalendar): unfolded, parted, and gathered into events."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST_LINE = 4_000
DEEPEST = 20
ESCAPED = re.compile(r"\\([nN\\;,])")


@dataclass(slots=True, kw_only=True)
class Raw:
    """The lines of one event, by name: parameters and value."""

    lines: dict[str, list[tuple[dict[str, str], str]]] = field(default_factory=dict)

    def first(self, name: str) -> tuple[dict[str, str], str] | None:
        found = self.lines.get(name)
        return found[0] if found else None

    def text(self, name: str, *, most: int) -> str:
        found = self.first(name)
        return shown(found[1], most=most) if found else ""


def events(text: str) -> Iterator[Raw]:
    """Go through the events; what stands in parts of them, such as alarms, is passed over."""
    inside: list[str] = []
    raw = Raw()
    for line in unfolded(text):
        name, parameters, value = parted(line)
        if name == "BEGIN":
            inside.append(value.strip().upper()[:40])
            raw = Raw() if inside[-1] == "VEVENT" else raw
            del inside[DEEPEST:]
        elif name == "END":
            ended = value.strip().upper()
            if ended == "VEVENT" and "VEVENT" in inside:
                yield raw
                raw = Raw()
            if ended in inside:
                del inside[inside.index(ended) :]
        elif inside and inside[-1] == "VEVENT":
            raw.lines.setdefault(name, []).append((parameters, value))


def unfolded(text: str) -> Iterator[str]:
    """Go through the lines with their continuations, cut where no calendar needs more."""
    parts: list[str] = []
    length = 0
    for line in re.split(r"\r\n|\n|\r", text):
        if line[:1] in (" ", "\t"):
            if length < LONGEST_LINE:
                parts.append(line[1:])
                length += len(line)
            continue
        if parts:
            yield "".join(parts)[:LONGEST_LINE]
        parts, length = [line[:LONGEST_LINE]], len(line)
    yield "".join(parts)[:LONGEST_LINE]


def parted(line: str) -> tuple[str, dict[str, str], str]:
    """Split NAME;PARAMETER=VALUE:TEXT; a colon inside of quotes divides nothing."""
    quoted = False
    for place, letter in enumerate(line):
        quoted ^= letter == '"'
        if letter == ":" and not quoted:
            head, value = line[:place], line[place + 1 :]
            name, *given = head.split(";")
            parameters = dict(each.split("=", 1) for each in given if "=" in each)
            return name.strip().upper(), {key.upper(): text.strip('"') for key, text in parameters.items()}, value
    return "", {}, ""


def shown(value: str, *, most: int) -> str:
    """Return a text without its escapes, on one line, fit to be shown."""
    plain = ESCAPED.sub(lambda match: " " if match[1] in "nN" else match[1], value)
    printable = "".join(letter if letter.isprintable() else " " for letter in plain)
    return " ".join(printable.split())[:most]

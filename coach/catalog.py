"""Reads a translation file and compiles it, so that no server needs the tools of gettext."""

import ast
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"
MAGIC = 0x950412DE  # the .mo format, as the GNU gettext manual describes it
HEADER_BYTES = 28
PAIR_BYTES = 8


def messages(text: str) -> dict[str, str]:
    """Return what a .po file translates; plural forms are joined by NUL, as a compiled file has them."""
    found: dict[str, str] = {}
    for entry in text.split("\n\n"):
        fields = dict(read(entry))
        if "msgid" not in fields:
            continue
        plural = fields.get("msgid_plural")
        key = fields["msgid"] if plural is None else f"{fields['msgid']}\0{plural}"
        forms = [value for name, value in sorted(fields.items()) if name.startswith("msgstr")]
        found[key] = "\0".join(forms)
    return found


def read(entry: str) -> Iterator[tuple[str, str]]:
    """Go through the fields of an entry; a string may stand on several lines."""
    name, value = "", ""
    for line in entry.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith('"'):
            if name:
                yield name, value
            name, _, line = line.partition(" ")
            value = ""
        value += str(ast.literal_eval(line))
    if name:
        yield name, value


def compiled(found: Mapping[str, str]) -> bytes:
    """Return a .mo file: sorted messages, the places of their texts before the texts."""
    pairs = sorted((key.encode(), value.encode()) for key, value in found.items())
    originals = places(HEADER_BYTES + 2 * PAIR_BYTES * len(pairs), [key for key, _ in pairs])
    end = HEADER_BYTES + 2 * PAIR_BYTES * len(pairs) + sum(len(key) + 1 for key, _ in pairs)
    translations = places(end, [value for _, value in pairs])
    head = struct.pack(
        "<7I", MAGIC, 0, len(pairs), HEADER_BYTES, HEADER_BYTES + PAIR_BYTES * len(pairs), 0, HEADER_BYTES
    )
    texts = b"".join(text + b"\0" for column in zip(*pairs, strict=True) for text in column)
    return head + originals + translations + texts


def places(start: int, texts: list[bytes]) -> bytes:
    packed = b""
    for text in texts:
        packed += struct.pack("<2I", len(text), start)
        start += len(text) + 1
    return packed


def files() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))

"""Says what a file is that holds no recording, and what to do instead."""

import re
from pathlib import PurePath

ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
EXPORT = "Export the activity as FIT, TCX or GPX and upload that file."

MAGIC = {
    b"PK\x03\x04": "This is a zip archive inside another file. Unpack it and upload the recordings themselves.",
    b"%PDF": f"This is a PDF document, not a recording. {EXPORT}",
    b"\x89PNG": f"This is a picture, not a recording. {EXPORT}",
    b"\xff\xd8\xff": f"This is a picture, not a recording. {EXPORT}",
    b"GIF8": f"This is a picture, not a recording. {EXPORT}",
    b"Rar!": "This is a RAR archive. Unpack it and upload the recordings, or a zip of them.",
    b"7z\xbc\xaf": "This is a 7-Zip archive. Unpack it and upload the recordings, or a zip of them.",
    b"{": f"This is a JSON file, not a recording. {EXPORT}",
    b"[": f"This is a JSON file, not a recording. {EXPORT}",
}
ROOTS = {
    "html": "This is a web page, perhaps a login page saved in place of the file. Download the recording again.",
    "kml": f"This is a KML map file; it has no times to compute from. {EXPORT}",
    "healthdata": "This is an Apple Health export, packed in another way. Upload the export.zip that the app makes.",
    "fitnessworkbook": f"This is a Garmin workbook file. {EXPORT}",
}
UNKNOWN = f"This is not a recording that Coach can read. {EXPORT}"
TABLE = f"This is a table, not a recording. {EXPORT}"


def sentence(data: bytes, *, name: str) -> str:
    """Return why these bytes are no recording; the name serves only where the bytes say nothing."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf\t\n\r ")
    for magic, text in MAGIC.items():
        if head.startswith(magic):
            return text
    if head.startswith(b"<"):
        root = ROOT.search(head)
        found = root.group(1).decode("ascii", "replace").lower() if root else ""
        if b"<!doctype html" in head.lower():
            found = "html"
        return ROOTS.get(found, UNKNOWN)
    return TABLE if PurePath(name).suffix.lower() in {".csv", ".tsv", ".xls", ".xlsx"} else UNKNOWN

"""Finds the parts of an Apple Health export: its XML, and the routes of workouts."""

import os
import re
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from coach.formats import directory
from coach.formats.archive import Refused, is_zip
from coach.formats.recording import Unreadable

MEBIBYTE = 1024 * 1024
CHUNK_BYTES = MEBIBYTE
MOST_FILES = 10_000
OTHERS = (".fit", ".tcx", ".gz", ".zip")  # recordings of somebody else's, packed beside an export
LARGEST_XML = 8 * 1024 * MEBIBYTE
LARGEST_ROUTE = 100 * MEBIBYTE
LARGEST_RATIO = 100  # unpacked to packed; real exports reach 20
HEAD_BYTES = 64 * 1024
DOCUMENT = re.compile(rb"<!DOCTYPE\s+HealthData|<HealthData[\s>]")
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError, ValueError)
TOO_LARGE = "The export unpacks to more than 8 GB, too much to be read."
BOMB = "The export unpacks to far more than exports ever do, so it was not opened."
LOCKED = "The export is protected with a password. Pack it without one and upload it again."
UNUSUAL = "The export is packed in an unusual way. Upload it as the Health app made it."


@dataclass(frozen=True, slots=True)
class Export:
    """An opened export."""

    size: int  # of its XML, as the archive claims
    xml: BinaryIO
    archive: zipfile.ZipFile | None
    routes: Mapping[str, zipfile.ZipInfo]  # by file name in lower case

    def chunks(self) -> Iterator[bytes]:
        """Yield the XML in pieces of a mebibyte; raises what zipfile and zlib raise for a damaged archive."""
        left = LARGEST_XML
        while chunk := self.xml.read(CHUNK_BYTES):
            left -= len(chunk)
            if left < 0:
                raise Unreadable(TOO_LARGE)
            yield chunk

    def route(self, path: str) -> bytes | None:
        """Return a route by the path the XML names; None when it is not there or not whole."""
        info = self.routes.get(file_name(path))
        if info is None or self.archive is None or info.file_size > LARGEST_ROUTE or not _is_ordinary(info):
            return None
        try:
            with self.archive.open(info) as stream:
                data = stream.read(LARGEST_ROUTE + 1)
        except UNREADABLE:
            return None
        return data if len(data) <= LARGEST_ROUTE else None


def holds(names: Collection[str]) -> bool:
    """Say whether an archive with these files is an export, and nothing beside it."""
    others = (name for name in names if name.lower().endswith(OTHERS) or _is_foreign_route(name))
    return any(map(_may_be_export, names)) and not any(others)


def is_document(head: bytes) -> bool:
    """Say whether a file that begins so is the XML of an export."""
    return DOCUMENT.search(head) is not None


def _is_foreign_route(name: str) -> bool:
    return name.lower().endswith(".gpx") and "workout-routes/" not in name.replace("\\", "/").lower()


@contextmanager
def opened(file: BinaryIO) -> Iterator[Export | None]:
    """Open an export.zip or its bare export.xml; None when it is neither. Raises Refused for what is unsafe."""
    head = file.read(HEAD_BYTES)
    file.seek(0)
    if not is_zip(head):
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        yield Export(size, file, None, {}) if is_document(head) else None
        return
    try:
        directory.check(file, entries=MOST_FILES, refuse=Refused)
        archive = zipfile.ZipFile(file)
    except (Refused, zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        yield None  # whoever reads archives says what is wrong with it
        return
    with archive:
        found = _xml(archive)
        if found is None:
            yield None
            return
        _check(found)
        with archive.open(found) as xml:
            yield Export(found.file_size, xml, archive, _routes(archive))  # type: ignore[arg-type]


def file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].lower()


def _xml(archive: zipfile.ZipFile) -> zipfile.ZipInfo | None:
    """Return the export's XML: export.xml, or as a phone in another language calls it. Its head decides."""
    candidates = [info for info in archive.infolist() if _may_be_export(info.filename)]
    candidates.sort(key=lambda info: (file_name(info.filename) != "export.xml", -info.file_size))
    return next((info for info in candidates[:8] if _is_export(archive, info)), None)


def _may_be_export(name: str) -> bool:
    last = file_name(name)
    litter = "__macosx/" in name.lower() or last.startswith("._")
    if litter or not last.endswith(".xml") or last.endswith("_cda.xml"):
        return False
    return last == "export.xml" or "apple_health_export/" in name.replace("\\", "/").lower()


def _is_export(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    if not _is_ordinary(info):
        return file_name(info.filename) == "export.xml"  # refused with its reason
    try:
        with archive.open(info) as stream:
            return DOCUMENT.search(stream.read(HEAD_BYTES)) is not None
    except UNREADABLE:
        return False


def _is_ordinary(info: zipfile.ZipInfo) -> bool:
    return not info.flag_bits & 1 and info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def _check(info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 1:
        raise Refused(LOCKED)
    if not _is_ordinary(info):
        raise Refused(UNUSUAL)
    if info.file_size > LARGEST_XML:
        raise Refused(TOO_LARGE)
    if info.file_size > LARGEST_RATIO * max(info.compress_size, MEBIBYTE // LARGEST_RATIO):
        raise Refused(BOMB)


def _routes(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    return {
        file_name(info.filename): info
        for info in archive.infolist()
        if info.filename.lower().endswith(".gpx") and "__macosx/" not in info.filename.lower()
    }

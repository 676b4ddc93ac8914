"""Opens zip archives without trusting them, and those inside of them: everything is counted while it is read."""

import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO

from coach.formats import directory
from coach.formats.recording import Unreadable

MEBIBYTE = 1024 * 1024
RATIO_FROM_BYTES = MEBIBYTE  # below, even a bomb is harmless and a dull file packs well
LITTER = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
HELD_BYTES = 8 * MEBIBYTE  # a smaller archive inside the archive stays in memory while it is read
DAMAGED = "The zip archive is damaged. Make it again and upload the new one."
DAMAGED_INSIDE = "The file is damaged inside the archive. Pack it again and upload that."
BOMB = "The archive unpacks to far more than recordings ever do, so it was not opened."
OUTSIDE = "The archive holds a file that would be written outside of it, so it was not opened."
LINK = "The archive holds a link to another place, so it was not opened."
LOCKED = "The file is protected with a password. Pack it without one and upload it again."
UNUSUAL = "The file is packed in an unusual way. Pack it as an ordinary zip and upload that."


class Refused(Exception):
    """The archive as a whole is not read; the message is a sentence for the athlete that says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    members: int = 10_000  # of one archive
    all_members: int = 50_000  # of an archive and those inside of it
    member_bytes: int = 100 * MEBIBYTE
    total_bytes: int = 2048 * MEBIBYTE  # of all files, and once more of all archives inside the archive
    ratio: int = 100  # packed to unpacked; real exports reach 20


@dataclass(slots=True)
class _Budget:
    """What may still be read, over the whole tree of archives."""

    left_bytes: int
    left_nested_bytes: int
    left_members: int


class Member:
    """One file of an archive; its name is the archive's own and never a path to write to."""

    def __init__(self, archive: "Archive", info: zipfile.ZipInfo) -> None:
        self._archive = archive
        self._info = info
        self.name = info.filename
        self.size = info.file_size  # as the archive claims

    def read(self) -> bytes:
        """Return its bytes; raises Unreadable for this member, Refused for the whole archive."""
        return b"".join(self.chunks(most_bytes=self._archive.limits.member_bytes))

    def chunks(self, *, most_bytes: int) -> Iterator[bytes]:
        """Yield its bytes in pieces; raises like `read`."""
        read_bytes, budget = 0, self._archive.budget
        for chunk in self._pieces():
            read_bytes += len(chunk)
            budget.left_bytes -= len(chunk)
            if budget.left_bytes < 0:
                raise Refused(_too_large(self._archive.limits))
            if read_bytes > most_bytes:
                raise Unreadable(f"The file is larger than {most_bytes // MEBIBYTE} MB, too much for one recording.")
            yield chunk

    def is_archive(self) -> bool:
        """Say whether its bytes begin like a zip archive's; what cannot be read is none."""
        try:
            return is_zip(next(self._pieces(first_bytes=8), b""))
        except Unreadable:
            return False

    @contextmanager
    def unpacked(self) -> Iterator["Archive"]:
        """Open the archive that this member is, in a temporary file; raises Unreadable for all that is wrong in it."""
        with tempfile.SpooledTemporaryFile(max_size=HELD_BYTES) as file:
            for chunk in self._pieces():
                self._archive.budget.left_nested_bytes -= len(chunk)
                if self._archive.budget.left_nested_bytes < 0:
                    raise Refused(_too_large(self._archive.limits))
                file.write(chunk)
            try:
                inner = Archive(file, limits=self._archive.limits, budget=self._archive.budget)
            except Refused as refusal:
                raise Unreadable(str(refusal)) from refusal
            with inner:
                yield inner

    def _pieces(self, *, first_bytes: int = MEBIBYTE) -> Iterator[bytes]:
        if self._info.flag_bits & 1:
            raise Unreadable(LOCKED)
        if self._info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # The other methods are unpacked a block at a time, however large the block becomes.
            raise Unreadable(UNUSUAL)
        try:
            with self._archive.zip.open(self._info) as stream:
                while chunk := stream.read(first_bytes):
                    yield chunk
        except DAMAGE as error:
            raise Unreadable(DAMAGED_INSIDE) from error


DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)


class Archive:
    """An opened archive; whatever its directory claims has been checked. Its members are readable while it is open."""

    def __init__(self, file: IO[bytes], *, limits: Limits, budget: _Budget) -> None:
        self.limits, self.budget, self.file = limits, budget, file
        directory.check(file, entries=limits.members, refuse=Refused)
        size = file.seek(0, 2)
        file.seek(0)
        try:
            self.zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise Refused(DAMAGED) from error
        infos = [info for info in self.zip.infolist() if not info.is_dir()]
        _check(infos, size=size, limits=limits)
        budget.left_members -= len(infos)
        if budget.left_members < 0:
            raise Refused(f"The archive holds more than {limits.all_members} files. Split it and upload the parts.")
        self.members = [Member(self, info) for info in infos if not _is_litter(info.filename)]

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *how: object) -> None:
        self.zip.close()

    def claim(self, members: Iterable[Member]) -> None:
        """Raise Refused when these members together claim to be larger than all that may be read."""
        if sum(member.size for member in members) > self.limits.total_bytes:
            raise Refused(_too_large(self.limits))


def is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def opened(file: IO[bytes], *, limits: Limits) -> Archive:
    """Open an archive; its directory is checked before anything of it is read. Raises Refused."""
    budget = _Budget(
        left_bytes=limits.total_bytes, left_nested_bytes=limits.total_bytes, left_members=limits.all_members
    )
    return Archive(file, limits=limits, budget=budget)


def _check(infos: list[zipfile.ZipInfo], *, size: int, limits: Limits) -> None:
    if len(infos) > limits.members:
        raise Refused(
            f"The archive holds {len(infos)} files; {limits.members} at a time are read. Split it and upload the parts."
        )
    unpacked, packed = sum(info.file_size for info in infos), sum(info.compress_size for info in infos)
    if packed > size:
        raise Refused(BOMB)  # its files lie over each other
    _check_ratio(unpacked, packed, limits=limits)  # many small bombs are a large one
    for info in infos:
        _check_name(info)
        _check_ratio(info.file_size, info.compress_size, limits=limits)


def _check_ratio(unpacked: int, packed: int, *, limits: Limits) -> None:
    if unpacked > RATIO_FROM_BYTES and unpacked > limits.ratio * max(packed, 1):
        raise Refused(BOMB)


def _check_name(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename.replace("\\", "/")
    if name.startswith("/") or name[1:2] == ":" or ".." in PurePosixPath(name).parts or "\x00" in name:
        raise Refused(OUTSIDE)
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Refused(LINK)


def _is_litter(name: str) -> bool:
    parts = [part.lower() for part in PurePosixPath(name).parts]
    return not parts or "__macosx" in parts or parts[-1] in LITTER or parts[-1].startswith("._")


def _too_large(limits: Limits) -> str:
    size = limits.total_bytes // MEBIBYTE
    return f"The archive unpacks to more than {size} MB. Split it and upload the parts."

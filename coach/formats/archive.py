"""Opens zip archives without trusting them: everything is counted while it is read."""

import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from coach.formats import directory
from coach.formats.recording import Unreadable

MEBIBYTE = 1024 * 1024
RATIO_FROM_BYTES = MEBIBYTE  # below, even a bomb is harmless and a dull file packs well
ARCHIVES = frozenset({".zip", ".7z", ".rar", ".tar", ".tgz", ".tbz", ".txz"})
LITTER = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


class Refused(Exception):
    """The archive as a whole is not read; the message is a sentence for the athlete that says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    members: int = 10_000
    member_bytes: int = 100 * MEBIBYTE
    total_bytes: int = 2048 * MEBIBYTE
    ratio: int = 100  # packed to unpacked; real exports reach 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file of an archive; its name is the archive's own and never a path to write to."""

    name: str
    size: int  # as the archive claims
    read: Callable[[], bytes]  # raises Unreadable for this member, Refused for the whole archive


@dataclass(slots=True)
class _Budget:
    left_bytes: int


def is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def members(file: BinaryIO, *, limits: Limits) -> Iterator[Member]:
    """Yield the files of an archive, readable while the iteration lasts.

    Everything the directory claims is checked before the first is yielded. Raises Refused.
    """
    directory.check(file, entries=limits.members, refuse=Refused)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Refused("The zip archive is damaged. Make it again and upload the new one.") from error
    with archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        _check(infos, limits=limits)
        budget = _Budget(left_bytes=limits.total_bytes)
        for info in infos:
            if not _is_litter(info.filename):
                yield _member(archive, info, budget=budget, limits=limits)


def _check(infos: list[zipfile.ZipInfo], *, limits: Limits) -> None:
    if len(infos) > limits.members:
        raise Refused(
            f"The archive holds {len(infos)} files; {limits.members} at a time are read. Split it and upload the parts."
        )
    unpacked, packed = sum(info.file_size for info in infos), sum(info.compress_size for info in infos)
    if unpacked > limits.total_bytes:
        raise Refused(_too_large(limits))
    _check_ratio(unpacked, packed, limits=limits)  # many small bombs are a large one
    for info in infos:
        _check_name(info)
        _check_ratio(info.file_size, info.compress_size, limits=limits)


def _check_ratio(unpacked: int, packed: int, *, limits: Limits) -> None:
    if unpacked > RATIO_FROM_BYTES and unpacked > limits.ratio * max(packed, 1):
        raise Refused("The archive unpacks to far more than recordings ever do, so it was not opened.")


def _check_name(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename.replace("\\", "/")
    if name.startswith("/") or name[1:2] == ":" or ".." in PurePosixPath(name).parts or "\x00" in name:
        raise Refused("The archive holds a file that would be written outside of it, so it was not opened.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Refused("The archive holds a link to another place, so it was not opened.")
    if PurePosixPath(name.lower()).suffix in ARCHIVES:
        raise Refused(
            f"The archive holds another archive ({PurePosixPath(name).name[:100]})."
            " Unpack that one and upload the files in it, or a zip of them."
        )


def _is_litter(name: str) -> bool:
    parts = [part.lower() for part in PurePosixPath(name).parts]
    return "__macosx" in parts or parts[-1] in LITTER or parts[-1].startswith("._")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, *, budget: _Budget, limits: Limits) -> Member:
    def read() -> bytes:
        return _read(archive, info, budget=budget, limits=limits)

    return Member(name=info.filename, size=info.file_size, read=read)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, *, budget: _Budget, limits: Limits) -> bytes:
    if info.flag_bits & 1:
        raise Unreadable("The file is protected with a password. Pack it without one and upload it again.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # The other methods are unpacked a block at a time, however large the block becomes.
        raise Unreadable("The file is packed in an unusual way. Pack it as an ordinary zip and upload that.")
    unpacked = bytearray()
    try:
        with archive.open(info) as stream:
            while chunk := stream.read(MEBIBYTE):
                unpacked += chunk
                budget.left_bytes -= len(chunk)
                if budget.left_bytes < 0:
                    raise Refused(_too_large(limits))
                if len(unpacked) > limits.member_bytes:
                    size = limits.member_bytes // MEBIBYTE
                    raise Unreadable(f"The file is larger than {size} MB, too much for one recording.")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise Unreadable("The file is damaged inside the archive. Pack it again and upload that.") from error
    return bytes(unpacked)


def _too_large(limits: Limits) -> str:
    size = limits.total_bytes // MEBIBYTE
    return f"The archive unpacks to more than {size} MB. Split it and upload the parts."

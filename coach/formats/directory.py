"""Looks at the end of a zip archive before its directory is loaded: a directory can be a bomb by itself."""

import os
import struct
from typing import IO

END = b"PK\x05\x06"
END_SIZE = 22
LONGEST_COMMENT = 65_535
LOCATOR = b"PK\x06\x07"
LOCATOR_SIZE = 20
LARGE_END_SIZE = 56
ENTRY_BYTES = 512  # what an entry takes at most on average: 46, its name and some extras


def check(file: IO[bytes], *, entries: int, refuse: type[Exception]) -> None:
    """Raise when the archive has no end, or a directory longer than that many entries need."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - END_SIZE - LONGEST_COMMENT - LOCATOR_SIZE))
    tail = file.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) < at + END_SIZE:
        raise refuse("The zip archive is cut off: its end is missing. Upload it again.")
    count, length = struct.unpack_from("<HL", tail, at + 10)
    locator = tail[max(0, at - LOCATOR_SIZE) : at]
    if locator.startswith(LOCATOR):
        (offset,) = struct.unpack_from("<Q", locator, 8)
        file.seek(min(offset, size))
        large = file.read(LARGE_END_SIZE)
        if len(large) == LARGE_END_SIZE:
            count, length = struct.unpack_from("<QQ", large, 32)
    file.seek(0)
    if count > entries or length > entries * ENTRY_BYTES:
        raise refuse(f"The archive holds more than {entries} files. Split it and upload the parts.")

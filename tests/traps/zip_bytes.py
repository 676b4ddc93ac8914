"""Packs zip archives, also malicious ones, for tests."""

import io
import struct
import zipfile
from collections.abc import Mapping


def packed(files: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def linked(name: str, target: str) -> bytes:
    """Pack a symbolic link."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = 0o120777 << 16
        archive.writestr(info, target)
    return buffer.getvalue()


def claiming(data: bytes, *, name: str, size: int) -> bytes:
    """Pack one file whose headers claim another unpacked size."""
    whole = bytearray(packed({name: data}))
    true = struct.pack("<I", len(data))
    return bytes(whole.replace(true, struct.pack("<I", size)))


def flagged(files: Mapping[str, bytes], *, flags: int) -> bytes:
    """Pack files with a general purpose flag set in both headers, as for a password."""
    whole = bytearray(packed(files))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        begin = whole.find(signature)
        while begin >= 0:
            whole[begin + at] |= flags
            begin = whole.find(signature, begin + 4)
    return bytes(whole)


def overlaid(data: bytes, *, times: int) -> bytes:
    """Pack one file and list it many times under other names."""
    whole = packed({"00000": data})
    begin, end = whole.find(b"PK\x01\x02"), whole.find(b"PK\x05\x06")
    entry = whole[begin:end]
    entries = b"".join(entry.replace(b"00000", b"%05d" % number) for number in range(times))
    tail = bytearray(whole[end:])
    struct.pack_into("<HHLL", tail, 8, times, times, len(entries), begin)
    return whole[:begin] + entries + bytes(tail)

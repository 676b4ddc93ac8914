"""Unpacks gzip, counting while it reads."""

import zlib

from coach.formats.recording import Unreadable

GZIP = b"\x1f\x8b"
LARGEST_BYTES = 100 * 1024 * 1024
CHUNK_BYTES = 1024 * 1024


def gunzip(data: bytes, *, largest_bytes: int = LARGEST_BYTES) -> bytes:
    """Return the bytes a gzip file holds, or `data` itself when it is none; what is cut off is salvaged."""
    if not data.startswith(GZIP):
        return data
    unpacked = bytearray()
    stream = zlib.decompressobj(wbits=31)
    pending = data
    while pending and not stream.eof:
        try:
            unpacked += stream.decompress(pending, CHUNK_BYTES)
        except zlib.error as error:
            if unpacked:
                break
            raise Unreadable("The gzip file is damaged. Download it again and upload the new copy.") from error
        if len(unpacked) > largest_bytes:
            raise Unreadable(
                f"The file unpacks to more than {largest_bytes // 1024 // 1024} MB, too much for one recording."
            )
        pending = stream.unconsumed_tail
    if unpacked.startswith(GZIP):
        raise Unreadable("The file is packed twice with gzip. Unpack it once and upload what is inside.")
    return bytes(unpacked)

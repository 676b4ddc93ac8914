"""The body of a request as it arrives: one that is cut off or crawls is an error, never a shorter file."""

import time
from collections.abc import Callable, Iterable
from typing import Any

SILENT_SECONDS = 60  # between two pieces of a body
SLOWEST_BYTES_PER_S = 8192

type Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Cut(OSError):
    """The body ended before it was whole, or took too long."""


class Body:
    """Reads a body of known length; Django makes of the OSError an UnreadablePostError."""

    def __init__(self, stream: Any, length: int) -> None:
        self._stream = stream
        self._left = length
        self._until = time.monotonic() + SILENT_SECONDS + length / SLOWEST_BYTES_PER_S

    def read(self, size: int = -1) -> bytes:
        return self._counted(self._stream.read, size)

    def readline(self, size: int = -1) -> bytes:
        return self._counted(self._stream.readline, size)

    def _counted(self, take: Callable[[int], bytes], size: int) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        if not wanted:
            return b""
        if time.monotonic() > self._until:
            raise Cut("The body came too slowly.")
        data = take(wanted)
        if not data:
            raise Cut("The connection ended in the middle of the body.")
        self._left -= len(data)
        return data


def whole(application: Application) -> Application:
    """Have every request read its body so, and wait for a silent client a minute at most."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or ""
        if length.isdecimal():
            environ["wsgi.input"] = Body(environ["wsgi.input"], int(length))
        connection = environ.get("gunicorn.socket")
        if connection is None:
            return application(environ, start_response)
        connection.settimeout(SILENT_SECONDS)
        try:
            return application(environ, start_response)
        finally:
            connection.settimeout(None)  # the answer may take its time

    return answer

"""Reads a stream of server-sent events from bytes, however they are cut."""

import codecs
import json
from collections.abc import Iterator

LONGEST_LINE = 1024 * 1024
DONE = "[DONE]"


class LineTooLong(Exception):
    """One line of the stream is longer than any honest event."""


class Events:
    """Feed bytes, get the data of each complete event; that of `event: error` as an error. The rest is passed over."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="replace").decode
        self._rest = ""
        self._data: list[str] = []
        self._name = ""

    def feed(self, chunk: bytes) -> Iterator[str]:
        self._rest += self._decode(chunk)
        # A lone CR at the end may be the first half of CRLF, so it waits for what follows.
        held = "\r" if self._rest.endswith("\r") else ""
        lines = self._rest.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop() + held
        if max(map(len, (*lines, self._rest))) > LONGEST_LINE:
            raise LineTooLong
        for line in lines:
            yield from self._line(line)

    def end(self) -> Iterator[str]:
        """Give what stands without a blank line behind it: some servers forget the last one."""
        yield from self._line(self._rest.rstrip("\r"))
        yield from self._line("")

    def _line(self, line: str) -> Iterator[str]:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif line.startswith("event:"):
            self._name = line[6:].strip()
        elif not line:
            data, self._data = "\n".join(self._data), []
            name, self._name = self._name, ""
            if data.strip():
                yield as_error(data) if name == "error" else data
        elif line.startswith("{"):  # an error that somebody wrote into the stream without framing it
            yield line


def as_error(data: str) -> str:
    """Return the data of an event that is called an error in the form that errors have elsewhere."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = data
    return data if isinstance(found, dict) and found.get("error") else json.dumps({"error": found})

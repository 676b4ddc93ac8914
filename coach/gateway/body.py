"""Takes in the body of a reply as it comes, whichever of three things it is: events, one object, a page."""

from coach.gateway.completion import Completion
from coach.gateway.events import Events

BOM = b"\xef\xbb\xbf"
MOST_BYTES = 4 * 1024 * 1024  # after unpacking


class Body:
    """Feed it bytes. `kind` is known with the first byte that is no blank: content types lie."""

    def __init__(self) -> None:
        self.kind = ""  # "events", "object", "page"; "" while nothing has come
        self.size = 0
        self.completion = Completion()
        self._events = Events()
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> None:
        self.size += len(chunk)
        if self.kind == "events":
            return self._take_events(chunk)
        self._kept += chunk
        start = bytes(self._kept[:64]).removeprefix(BOM).lstrip()
        if self.kind or BOM.startswith(start):
            return None
        self.kind = {b"{": "object", b"<": "page"}.get(start[:1], "events")
        if self.kind == "events":
            return self._take_events(bytes(self._kept))
        return None

    def end(self) -> None:
        """Take in what waited for the end of the body."""
        if self.kind == "object":
            self.completion.take(bytes(self._kept).decode("utf-8-sig", "replace"))
        for data in self._events.end() if self.kind == "events" else ():
            self.completion.take(data)

    def _take_events(self, chunk: bytes) -> None:
        for data in self._events.feed(chunk):
            self.completion.take(data)

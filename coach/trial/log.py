"""What the trial gateway saw: one entry a call, and the figures that tests assert."""

import json
import threading
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


def now() -> float:
    """Return seconds since 1970 that never run backwards, so that entries can be subtracted."""
    return _EPOCH + time.monotonic()


_EPOCH = time.time() - time.monotonic()


@dataclass(slots=True, kw_only=True)
class Call:
    """One call as the server lived it; instants are seconds since 1970."""

    id: int
    job: str
    streamed: bool
    started: float
    in_flight: int  # calls in flight when this one had started, itself included
    key_seen: bool
    bytes_in: int
    prompt_chars: int = 0
    turn: str = "ok"
    outage: bool = False  # it came while the gateway was down on purpose
    permit: float | None = None  # when it got one of the shared permits
    first_byte: float | None = None
    ended: float | None = None  # when the server stopped working on it
    disconnected: bool = False  # the client had hung up before the answer was through
    status: int | None = None
    bytes_out: int = 0
    tokens: int = 0


class Log:
    """Keeps the entries in memory and, if told so, as lines of JSON in a file."""

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._count = 0
        self._path = path

    def begin(self, *, job: str, streamed: bool, key_seen: bool, bytes_in: int) -> Call:
        with self._lock:
            self._count += 1
            call = Call(
                id=self._count,
                job=job,
                streamed=streamed,
                started=now(),
                in_flight=1 + sum(other.ended is None for other in self._calls),
                key_seen=key_seen,
                bytes_in=bytes_in,
            )
            self._calls.append(call)
        self._write("started", call)
        return call

    def end(self, call: Call) -> None:
        """Note that the work is over, before the last bytes go out, so that no client knows sooner."""
        with self._lock:
            if call.ended is not None:
                return
            call.ended = now()
        self._write("ended", call)

    def entries(self) -> list[dict[str, Any]]:
        with self._lock:
            return [asdict(call) for call in self._calls]

    def clear(self) -> None:
        """Forget the calls that are over."""
        with self._lock:
            self._calls = [call for call in self._calls if call.ended is None]

    def stats(self) -> dict[str, Any]:
        entries = self.entries()
        return {
            "calls": len(entries),
            "in_flight": sum(entry["ended"] is None for entry in entries),
            "max_in_flight": max((entry["in_flight"] for entry in entries), default=0),
            "min_gap_s": least_gap(entries),
            "calls_per_job": dict(Counter(entry["job"] for entry in entries if entry["job"])),
            "statuses": dict(Counter(str(entry["status"]) for entry in entries)),
            "disconnected": sum(entry["disconnected"] for entry in entries),
            "overlapped_lingering": overlapped(entries),
            "key_seen": any(entry["key_seen"] for entry in entries),
            "calls_during_outage": sum(entry["outage"] for entry in entries),
            "turns": dict(Counter(entry["turn"] for entry in entries)),
            "bytes_in": sum(entry["bytes_in"] for entry in entries),
            "bytes_out": sum(entry["bytes_out"] for entry in entries),
        }

    def _write(self, event: str, call: Call) -> None:
        if self._path is None:
            return
        line = json.dumps({"event": event, **asdict(call)}) + "\n"
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line)


def least_gap(entries: list[dict[str, Any]]) -> float | None:
    """Return the shortest time from an end to the next start; negative where two calls overlapped."""
    gaps = []
    free_at: float | None = None
    for entry in sorted(entries, key=lambda entry: float(entry["started"])):
        if free_at is not None:
            gaps.append(entry["started"] - free_at)
        ended = now() if entry["ended"] is None else entry["ended"]
        free_at = ended if free_at is None else max(free_at, ended)
    return min(gaps, default=None)


def overlapped(entries: list[dict[str, Any]]) -> int:
    """Count the calls that started while the server still worked for a client that had gone."""
    gone = [entry for entry in entries if entry["disconnected"]]
    return sum(
        any(other["started"] < entry["started"] < (other["ended"] or now()) for other in gone) for entry in entries
    )

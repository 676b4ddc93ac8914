"""Reads a folder of files as an import does and tells what each cost: `python -m tests.coach.formats.ordeal FOLDER`.

One line of JSON a file on standard output. A process of its own, so that memory and time are its own: it may not write
anywhere, is ended when a file takes a minute, and measures the most memory that each file took.
"""

import io
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coach import formats, streams
from coach.formats import Unreadable, archive
from coach.metrics.session import summarize

LONGEST_S = 60  # of the processor; then the system ends this process
QUIET_S = 0.08
CLEAR = os.open("/proc/self/clear_refs", os.O_WRONLY)  # before nothing may be written any more
GIGABYTE = 1 << 30
WRITING = ("w", "a", "x", "+")


def main(folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 * GIGABYTE, 4 * GIGABYTE))
    sys.addaudithook(forbid)
    print(json.dumps({"pace": pace()}), flush=True)
    for path in sorted(folder.iterdir()):
        print(json.dumps({"file": path.name, **undergone(path)}), flush=True)


def undergone(path: Path) -> dict[str, object]:
    forget_most_memory()
    begun = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(begun) + LONGEST_S, resource.RLIM_INFINITY))
    said, kind = "", "fault"
    try:
        said, kind = "; ".join(outcomes(path.read_bytes(), name=path.name)), "read"
    except (Unreadable, archive.Refused) as refusal:
        said, kind = str(refusal), "refused"
    except BaseException:
        said = traceback.format_exc()
    return {"kind": kind, "said": said, "seconds": time.process_time() - begun, "megabytes": most_megabytes()}


def outcomes(data: bytes, *, name: str) -> Iterator[str]:
    """Read a file or the members of an archive, and all that an import computes of them."""
    if not archive.is_zip(data[:8]):
        yield followed(data, name=name)
        return
    with archive.opened(io.BytesIO(data), limits=archive.Limits()) as found:
        yield from inside(found)


def inside(found: archive.Archive) -> Iterator[str]:
    found.claim(found.members)
    for member in found.members:
        try:
            if member.is_archive():
                with member.unpacked() as inner:
                    yield from inside(inner)
            else:
                yield followed(member.read(), name=member.name)
        except Unreadable as refusal:
            yield str(refusal)


def followed(data: bytes, *, name: str) -> str:
    found = formats.read(data, name=name)
    for recording in found:
        summarize(recording, thresholds={"ftp_w": 250.0, "hr_max_bpm": 190.0}, sex="", age=40)
        packed = streams.pack(recording.streams, series=recording.series)
        assert len(streams.unpack(packed)) == len(recording.streams)
    return f"{len(found)} recordings."


def forbid(event: str, details: tuple[Any, ...]) -> None:
    """End what would write a file, start a process or open a connection."""
    if event == "open" and isinstance(details[1], str) and any(letter in details[1] for letter in WRITING):
        raise PermissionError(f"It wanted to write {details[0]}.")
    if event.startswith(
        ("socket.connect", "subprocess.", "os.system", "os.exec", "os.remove", "os.rename", "os.mkdir")
    ):
        raise PermissionError(f"It wanted to {event} {details}.")


def pace() -> float:
    """Return how many times slower than a quiet machine of 2026 this one is at the moment, at least 1."""
    begun = time.process_time()
    sum(number % 7 for number in range(2_000_000))
    return max(1.0, (time.process_time() - begun) / QUIET_S)


def forget_most_memory() -> None:
    os.write(CLEAR, b"5")


def most_megabytes() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Measures the import of recordings: `python -m tests.bench.imports` (about a minute), from real FIT files.

Prints processor seconds a part and, because machines differ, each against decoding the same files with fitdecode alone.
The requirement: an import spends at most a quarter on top of decoding, and a sample takes under ten bytes.
With DATABASE_URL set the whole job runs too, on a database of its own, from hand-in to activity.
"""

import gzip
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import django

ROOT = Path(os.environ.get("COACH_SAMPLES") or Path(__file__).parents[2].parent / "shared" / "samples")
HISTORY = 3000  # ten years of a recording on five days a week
LARGE_RECORDS = 5000
THRESHOLDS = {"ftp_w": 250.0, "lthr_bpm": 168.0, "hr_max_bpm": 190.0, "hr_rest_bpm": 50.0}
MOST_ON_TOP = 1.25
Files = dict[str, bytes]


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    files = {path.name: path.read_bytes() for path in sorted((ROOT / "fit").glob("*")) if path.stat().st_size}
    if not files:
        sys.exit(f"No FIT files in {ROOT}: set COACH_SAMPLES to the folder that holds fit.")
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {len(files)} files of {ROOT / 'fit'}")
    seconds = measure(files)
    if os.environ.get("DATABASE_URL"):
        seconds["whole job"], seconds["whole job (clock)"] = stored(files)
    report(seconds, count=len(files))
    sizes()


def measure(files: Files) -> Counter[str]:
    """Return the processor seconds of each part over all files; the first file warms up."""
    from coach import formats, places, streams
    from coach.metrics.session import summarize

    seconds: Counter[str] = Counter()
    for name, data in [next(iter(files.items())), *files.items()]:
        if name == next(iter(files)):
            seconds.clear()
        records = timed(seconds, "decoding alone", lambda data=data: decoded(data))
        with suppress(formats.Unreadable):
            found = timed(seconds, "read", lambda data=data, name=name: formats.read(data, name=name))
            if records > LARGE_RECORDS:
                seconds["large, alone"] += seconds["last decoding alone"]
                seconds["large, read"] += seconds["last read"]
            for recording in found:
                timed(seconds, "place", lambda one=recording: places.zone_of(one, home="Europe/Berlin"))
                timed(seconds, "measure", lambda one=recording: summarize(one, thresholds=THRESHOLDS, sex="f", age=40))
                timed(seconds, "pack", lambda one=recording: streams.pack(one.streams, series=one.series))
    return seconds


def timed[Result](seconds: Counter[str], part: str, act: Callable[[], Result]) -> Result:
    begun = time.process_time()
    try:
        return act()
    finally:
        seconds[f"last {part}"] = time.process_time() - begun  # type: ignore[assignment]
        seconds[part] += seconds[f"last {part}"]


def decoded(data: bytes) -> int:
    """Let fitdecode read every message of a file, the leanest way it has; return how many records there are."""
    import fitdecode

    data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    records = 0
    lean = {
        "processor": None,
        "check_crc": fitdecode.CrcCheck.DISABLED,
        "error_handling": fitdecode.ErrorHandling.IGNORE,
    }
    with suppress(fitdecode.FitError), fitdecode.FitReader(data, **lean) as reader:
        for frame in reader:
            records += frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name == "record"
    return records


def stored(files: Files) -> tuple[float, float]:
    """Return the seconds from handing all files in to the end of the job: of this process, and on the clock."""
    import logging

    from django.conf import settings
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    from coach import imports
    from jobs import testing
    from tests import factories

    logging.disable(logging.INFO)
    made = setup_databases(0, interactive=False, aliases=["default"])
    try:
        with tempfile.TemporaryDirectory() as folder:
            settings.DATA = Path(folder)
            owner = factories.athlete()
            begun, worked = time.perf_counter(), time.process_time()
            uploads = [SimpleUploadedFile(name, data) for name, data in files.items()]
            imports.receive(factories.source(owner), uploads, by=owner.user)
            testing.run_due()
            return time.process_time() - worked, time.perf_counter() - begun
    finally:
        connection.close()
        teardown_databases(made, 0)


def report(seconds: Counter[str], *, count: int) -> None:
    alone = seconds["decoding alone"]
    parts = ("read", "place", "measure", "pack")
    whole = sum(seconds[part] for part in parts)
    print(f"\n{'':<44}{'seconds':>9}{'files/s':>9}   of decoding alone")
    for part in ("decoding alone", *parts):
        show(part, seconds[part], count=count, alone=alone)
    show("import without database", whole, count=count, alone=alone)
    for part in ("whole job", "whole job (clock)"):
        if seconds[part]:
            show(f"{part}, database and all", seconds[part], count=count, alone=alone)
    print(f"\nimport against decoding alone: {whole / alone:.2f}; the requirement is at most {MOST_ON_TOP}")
    faster = seconds["large, alone"] / seconds["large, read"]
    print(f"files of over {LARGE_RECORDS} records are read {faster:.1f} times as fast as they are decoded alone")
    print(f"most memory at once: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"a history of {HISTORY} files, taking each to be as long as the mean of these, on one core:")
    for name, all_of_them in (
        ("decoding alone", alone), ("import without database", whole), ("whole job with database", seconds["whole job"])
    ):  # fmt: skip
        if all_of_them:
            print(f"  {name:<42}{all_of_them / count * HISTORY / 60:>9.1f} minutes")


def show(what: str, seconds: float, *, count: int, alone: float) -> None:
    print(f"{what:<44}{seconds:>9.2f}{count / seconds:>9.1f}   {seconds / alone:.3f}")


def sizes() -> None:
    """Print the packed bytes a sample, over all recordings and stream by stream."""
    from coach import formats, streams

    packed: Counter[str] = Counter()
    values: Counter[str] = Counter()
    samples = whole = 0
    for path in sorted(path for kind in ("fit", "gpx", "tcx") for path in (ROOT / kind).iterdir()):
        with suppress(formats.Unreadable):
            for recording in formats.read(path.read_bytes(), name=path.name):
                whole += len(streams.pack(recording.streams, series=recording.series))
                samples += len(recording.streams.get("time_s", ()))
                for name, column in {**recording.streams, **recording.series}.items():
                    packed[name] += len(streams.pack({name: column}))
                    values[name] += len(column)
    print(f"\n{whole / samples:.2f} bytes a sample over {samples} samples, {whole} bytes; the requirement is under 10")
    for name, size in packed.most_common():
        print(f"  {name:<42}{size:>9} bytes{size / values[name]:>7.2f} a value, {values[name]} values")


if __name__ == "__main__":
    main()

"""Hostile and damaged files end in a recording or a sentence: in seconds, in bounded memory, and nothing is written."""

import gzip
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.coach.formats.test_fuzz import SOURCES
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples
from tests.traps import hostile, zip_bytes
from tests.traps.mutations import mutated, spliced


def real_files[Test](test: Test) -> Test:
    for mark in samples:
        test = mark(test)
    return test


LONGEST_S = 10.0
MOST_MEGABYTES = 300
ROUNDS, SAMPLE_ROUNDS = 120, 60
LONG_ROUNDS = 2500
SMALL_BYTES = 60_000


def survived(folder: Path, files: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """Read the files in a process of their own; return what became of each, and fail for any that cost too much."""
    for name, data in files.items() if isinstance(files, Mapping) else files:
        (folder / name).write_bytes(data)
    ran = subprocess.run(
        [sys.executable, "-m", "tests.coach.formats.ordeal", str(folder)],
        capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False,
    )  # fmt: skip
    first, *rows = [json.loads(line) for line in ran.stdout.splitlines()]
    present = sorted(path.name for path in folder.iterdir())
    assert [row["file"] for row in rows] == present, f"It ended at the next file: {ran.stderr[-2000:]}"
    longest_s = LONGEST_S * first["pace"]
    wrong = [
        f"{row['file']}: {row['kind']} {row['seconds']:.1f} s {row['megabytes']:.0f} MB {row['said'][-1500:]}"
        for row in rows
        if row["kind"] == "fault" or row["seconds"] > longest_s or row["megabytes"] > MOST_MEGABYTES
    ]
    assert not wrong, "\n".join(wrong)
    return {row["file"]: row["said"] for row in rows}


def damaged(sources: Mapping[str, bytes], *, rounds: int, seed: str) -> Iterable[tuple[str, bytes]]:
    dice, names = random.Random(seed), sorted(sources)
    for number in range(rounds):
        match number % 5:
            case 0:
                data = spliced(list(sources.values()), dice)
            case 1:
                data = dice.randbytes(dice.randrange(5000))
            case 2:
                data = gzip.compress(mutated(sources[dice.choice(names)], dice))[: dice.choice((None, -9))]
            case 3:
                data = mutated(zip_bytes.packed({f"{name}.bin": sources[name] for name in dice.sample(names, 2)}), dice)
            case _:
                data = mutated(sources[dice.choice(names)], dice)
        yield f"{seed} {number:05}", data


def real(*, largest_bytes: int) -> dict[str, bytes]:
    paths = [path for kind in ("fit", "gpx", "tcx") for path in sorted((ROOT / kind).iterdir())]
    return {path.name: path.read_bytes() for path in paths if 0 < path.stat().st_size <= largest_bytes}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_hostile_files_are_refused_or_read_and_harm_nothing(tmp_path: Path) -> None:
    said = survived(tmp_path, {name: make() for name, make in hostile.HOSTILE.items()})
    for name, sentence in SENTENCES.items():
        assert re.search(sentence, said[name]), f"{name}: {said[name]}"


# What is said of those that an athlete may really meet.
SENTENCES = {
    "fit claims 4 GB": "1 recordings",
    "fit claims nothing": "1 recordings",
    "fit far": "1 recordings",
    "gzip bomb": "more than 100 MB",
    "gzip cut": "1 recordings",
    "gzip of gzip": "packed twice",
    "nulls": "empty",
    "zip bomb": "far more than recordings ever do",
    "zip of overlapping files": "far more than recordings ever do",
    "zip that claims 4 GB of directory": "more than 10000 files",
    "zip that claims 4 GB in a file": "far more than recordings ever do",
    "zip with NUL in a name": "written outside",
    "zip with a link": "a link to another place",
    "zip with a name of 300 letters": "1 recordings",
    "zip with a path out": "written outside",
    "xml 300,000 deep": "no track",
    "xml deep in a point": "1 recordings",
}


def test_damaged_files_are_read_or_refused_in_bounded_memory(tmp_path: Path) -> None:
    survived(tmp_path, damaged(SOURCES, rounds=ROUNDS, seed="made"))


@real_files
def test_damaged_recordings_are_read_or_refused(tmp_path: Path) -> None:
    survived(tmp_path, damaged(real(largest_bytes=SMALL_BYTES), rounds=SAMPLE_ROUNDS, seed="real"))


@pytest.mark.full
@real_files
def test_thousands_of_damaged_recordings_are_read_or_refused(tmp_path: Path) -> None:
    survived(tmp_path, damaged(real(largest_bytes=10 * SMALL_BYTES), rounds=LONG_ROUNDS, seed="many"))


@pytest.mark.full
def test_thousands_of_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    survived(tmp_path, damaged(SOURCES, rounds=4 * LONG_ROUNDS, seed="thousands"))


@pytest.mark.full
def test_hostile_files_of_the_largest_size_are_refused_or_read(tmp_path: Path) -> None:
    for name, make in hostile.LARGE.items():
        folder = tmp_path / name
        folder.mkdir()
        survived(folder, {name: make()})
        (folder / name).unlink()


def test_what_writes_is_a_fault_in_the_ordeal(tmp_path: Path) -> None:
    """Break the guard on purpose, so that its silence means something."""
    code = (
        "import sys; from tests.coach.formats import ordeal; sys.addaudithook(ordeal.forbid);"
        f"open({str(tmp_path / 'x')!r}, 'w')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[3])
    assert "PermissionError: It wanted to write" in ran.stderr
    assert not (tmp_path / "x").exists()

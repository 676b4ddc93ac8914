"""Damaged bytes end in a recording or in a sentence, quickly, never in anything else."""

import io
import json
import random
import time

import pytest

from coach import formats
from coach.formats import Unreadable, archive
from coach.formats.archive import Limits, Refused
from coach.formats.garmin import activities
from coach.formats.row import Row, document
from coach.formats.strava import table
from tests.coach.formats.test_contract import FILES, check
from tests.coach.formats.test_fit_many import described, lengths, with_app
from tests.coach.formats.test_garmin import SUMMARY
from tests.traps import fit_bytes as fit
from tests.traps import strava_csv as csv
from tests.traps import zip_bytes
from tests.traps.mutations import mutated

SOURCES = {
    **FILES,
    "app": with_app(described(fit.begin(), name="Power", units="W", native=7)).bytes(),
    "swim": lengths(fit.run(fit.begin(), samples=30)).bytes(),
}
ROUNDS = 150
LONGEST_S = 10


def outcome(data: bytes) -> str:
    """Read the bytes and return what came of it: nothing, or the sentence of the refusal."""
    try:
        for recording in formats.read(data, name="a"):
            check(recording)
    except Unreadable as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("source", SOURCES)
def test_damaged_bytes_are_read_or_refused(source: str) -> None:
    dice = random.Random(f"coach {source}")
    slowest_s = 0.0
    for _ in range(ROUNDS):
        data = mutated(SOURCES[source], dice)
        began = time.perf_counter()
        assert outcome(data)[-1:] in ("", ".")
        slowest_s = max(slowest_s, time.perf_counter() - began)
    assert slowest_s < LONGEST_S


def test_random_bytes_behind_a_header_are_read_or_refused() -> None:
    dice = random.Random("coach")
    for _ in range(ROUNDS):
        file = fit.begin().raw(dice.randbytes(dice.randrange(2000)))
        assert outcome(file.bytes())[-1:] in ("", ".")


def read(member: archive.Member) -> None:
    if not member.is_archive():
        member.read()
        return
    with member.unpacked() as inner:
        for one in inner.members:
            read(one)


@pytest.mark.parametrize("kind", ["strava", "klingon", "garmin"])
def test_the_rows_of_a_damaged_table_are_read_or_refused(kind: str) -> None:
    dice = random.Random(f"coach {kind}")
    heads = csv.KLINGON if kind == "klingon" else csv.ENGLISH
    whole = csv.table({"file": "activities/1.fit"}, {"metres": "1,5"}, {"date": "2021-09-05"}, heads=heads)
    if kind == "garmin":
        whole = json.dumps([{"summarizedActivitiesExport": [SUMMARY, {**SUMMARY, "name": "ü"}]}]).encode()
    for _ in range(ROUNDS):
        data = mutated(whole, dice)
        try:
            rows = activities.Table(io.BytesIO(data)) if kind == "garmin" else (one.row for one in table.read(data))
            for made in rows:
                if isinstance(made, Row):
                    assert outcome(document(made))[-1:] in ("", ".")
        except Unreadable as refusal:
            said = str(refusal)
        else:
            said = "Read."
        assert said.endswith(".")


def test_a_damaged_archive_is_read_or_refused() -> None:
    dice = random.Random("coach zip")
    files = {f"{name}.bin": data for name, data in FILES.items()}
    whole = zip_bytes.packed({**files, "inner.zip": zip_bytes.packed(files)})
    for _ in range(ROUNDS):
        try:
            with archive.opened(io.BytesIO(mutated(whole, dice)), limits=Limits()) as opened:
                for member in opened.members:
                    read(member)
        except (Refused, Unreadable) as refusal:
            said = str(refusal)
        else:
            said = "Read."
        assert said.endswith(".")

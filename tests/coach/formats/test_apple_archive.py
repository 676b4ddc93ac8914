"""The archives of Apple Health exports: found whatever they are called, refused when they are no export."""

import io
import zipfile
from datetime import timedelta
from random import Random

import pytest

from coach.formats import apple
from coach.formats.apple import elements
from coach.formats.archive import Refused
from tests.coach.formats.health import MORNING
from tests.traps import apple_xml as made

# The archive


def packed(*members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    file.seek(0)
    return file


DOCUMENT = made.xml(made.weight(MORNING, 70))


@pytest.mark.parametrize(
    "name",
    [
        "apple_health_export/export.xml",
        "Apple_Health_Export/EXPORT.XML",
        "export.xml",
        "apple_health_export/Exportieren.xml",
        "x/apple_health_export/export.xml",
    ],
)
def test_the_xml_is_found_whatever_its_letters(name):
    file = packed(("apple_health_export/export_cda.xml", "<ClinicalDocument/>"), (name, DOCUMENT))
    with apple.opened(file) as export:
        assert export is not None
        assert b"".join(export.chunks()) == DOCUMENT


@pytest.mark.parametrize(
    "file",
    [
        packed(("ride.gpx", "<gpx/>")),
        packed(("export.xml", "<gpx/>")),
        packed(("apple_health_export/export_cda.xml", DOCUMENT)),
        packed(("__MACOSX/export.xml", DOCUMENT)),
        io.BytesIO(b"PK\x03\x04 not a zip"),
        io.BytesIO(b"<gpx/>"),
        io.BytesIO(b""),
    ],
)
def test_other_files_are_no_export(file):
    with apple.opened(file) as export:
        assert export is None


def test_an_archive_that_packs_more_than_exports_do_is_refused():
    bomb = made.xml(" " * 50_000_000)
    with pytest.raises(Refused, match="far more than exports ever do"), apple.opened(packed(("export.xml", bomb))):
        pass


def test_an_archive_packed_in_another_way_or_locked_is_refused():
    file = packed(("export.xml", DOCUMENT), method=zipfile.ZIP_BZIP2)
    with pytest.raises(Refused, match="unusual way"), apple.opened(file):
        pass


def test_a_damaged_archive_is_kept_as_far_as_it_goes():
    chance = Random(5)
    data = made.xml(
        *(made.weight(MORNING + timedelta(days=day), chance.uniform(60, 90)) for day in range(3000, -1, -1))
    )
    broken = bytearray(packed(("export.xml", data)).getvalue())
    broken[len(broken) // 2] ^= 0xFF
    with apple.opened(io.BytesIO(bytes(broken))) as export:
        steps = list(apple.steps(export.chunks(), state={}))
    kept = steps[-1].batch.notes
    assert kept[-1] in (apple.reading.DAMAGED_ZIP, apple.reading.CUT, elements.TOO_DAMAGED)


def test_a_route_that_lies_or_is_broken_is_not_there():
    file = packed(("export.xml", DOCUMENT), ("workout-routes/a.gpx", made.gpx(MORNING)))
    broken = bytearray(file.getvalue())
    broken[broken.index(b"a.gpx") + 20] ^= 0xFF
    with apple.opened(io.BytesIO(bytes(broken))) as export:
        assert export.route("/workout-routes/a.gpx") is None
        assert export.route("/workout-routes/../../etc/passwd") is None

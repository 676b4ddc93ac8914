"""Archives that are made to break what opens them: a sentence, and nothing is left."""

import io
import signal
import stat
import time
import zipfile
from contextlib import suppress

import pytest

from coach import deadline, formats
from coach.formats import Unreadable
from coach.models import Activity, ImportFile
from tests import factories
from tests.coach.archives import garmin, gpx, hand_in, outcomes
from tests.traps import zip_bytes

pytestmark = pytest.mark.django_db(transaction=True)
Outcome = ImportFile.Outcome


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def kept_bytes(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def linked():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        info = zipfile.ZipInfo("link.gpx")
        info.create_system = 3
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(info, "/etc/passwd")
    return packed.getvalue()


TRAPS = {
    "bomb": lambda: zip_bytes.packed({"zeros.gpx": b"\0" * 50_000_000}),
    "path": lambda: zip_bytes.packed({"../../escape.gpx": gpx(1)}),
    "link": linked,
    "overlaid": lambda: zip_bytes.overlaid(gpx(1), times=200),
    "lie": lambda: zip_bytes.claiming(gpx(1), name="a.gpx", size=0xFFFFFFFF - 1),
    "many": lambda: zip_bytes.packed({f"{number}.gpx": b"" for number in range(10_001)}),
    "cut": lambda: zip_bytes.packed({"a.gpx": gpx(1)})[:-30],
    "empty": lambda: zip_bytes.packed({}),
}


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("where", ["alone", "inside", "in an export"])
def test_a_trap_is_refused_with_a_sentence_and_nothing_is_left(ana, data_folder, trap, where):
    data = TRAPS[trap]()
    if where == "inside":
        data = zip_bytes.packed({"trap.zip": data, "good.gpx": gpx(1)})
    elif where == "in an export":
        data = garmin(uploaded={"trap.zip": data, "good.gpx": gpx(1)})
    began = time.monotonic()
    run = hand_in(ana, ("trap.zip", data))
    assert time.monotonic() - began < 30
    refused = run.files.filter(outcome=Outcome.REFUSED)
    assert all(file.sentence.endswith(".") for file in refused)
    assert refused.count() == 1 or (trap == "empty" and where != "alone")
    assert Activity.objects.count() == (0 if where == "alone" else 1)
    assert not list(data_folder.rglob("*escape*"))
    assert not list(data_folder.rglob("arriving-*"))
    assert kept_bytes(data_folder) < len(data) + 10_000


@pytest.mark.parametrize("name", ["nul\0.gpx", "x" * 300 + ".gpx", "ü" * 300 + ".gpx", "a\r\nb.gpx", "\u202egpx.exe"])
def test_a_strange_name_inside_is_cleaned_or_refused(ana, data_folder, name):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("placeholder", gpx(1))
    data = packed.getvalue().replace(b"placeholder", name.encode()[:11].ljust(11, b"x")) if "\0" in name else None
    if data is None:
        with zipfile.ZipFile(packed := io.BytesIO(), "w") as made:
            made.writestr(name, gpx(1))
        data = packed.getvalue()
    run = hand_in(ana, ("strange.zip", data))
    assert all(file.name.isprintable() and len(file.name) <= 300 for file in run.files.all())
    assert Activity.objects.count() == (0 if "\0" in name else 1)


def test_a_file_that_is_read_forever_is_given_up(ana, monkeypatch):
    monkeypatch.setattr(deadline, "LEAST_SECONDS", 0.3)
    contents = formats.contents

    def endless(data, *, name):
        while name == "endless.gpx":
            with suppress(Exception):  # a reader that swallows what it does not know
                sum(range(10_000))
        return contents(data, name=name)

    monkeypatch.setattr(formats, "contents", endless)
    run = hand_in(ana, ("endless.gpx", gpx(1)), ("good.gpx", gpx(2)))
    assert outcomes(run) == {"endless.gpx": "refused", "good.gpx": "imported"}
    assert "longer than" in run.files.get(name="endless.gpx").sentence


def test_the_deadline_leaves_no_clock_behind():
    with deadline.reading(0):
        pass
    with pytest.raises(Unreadable), deadline.reading(0):
        raise Unreadable("No.")
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)

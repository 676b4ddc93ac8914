"""However imports, decisions and undos follow each other, what is left is as if the rest had never come."""

import random
from datetime import datetime, timedelta

import pytest

from coach import deciding, imports, undo
from coach.models import Activity, Correction, Doubt, ImportFile, ImportRun, Provenance, Ruling
from tests import factories
from tests.coach.outings import NOON, gpx, hand_in, later, snapshot, tcx, work

pytestmark = pytest.mark.django_db(transaction=True)

SOURCES = ("Watch", "Phone", "Archive")
FILES = {
    "run.gpx": gpx(name="Morning", bpm=140),
    "run-phone.gpx": gpx(later(30), seconds=1190, every=5),
    "run.tcx": tcx(),
    "late.gpx": gpx(later(300), seconds=900),  # the same, started late
    "other-heart.gpx": gpx(later(5), bpm=175),
    "ridden.gpx": gpx(later(2), sport="cycling"),
    "between.gpx": gpx(later(110), seconds=1200),
    "evening.gpx": gpx(later(6 * 3600), seconds=900),
    "evening.tcx": tcx(later(6 * 3600 + 10), seconds=890),
    "unset.gpx": gpx(datetime(1980, 1, 6, tzinfo=NOON.tzinfo), seconds=1200, bpm=141),
    "unset.tcx": tcx(datetime(1981, 1, 6, tzinfo=NOON.tzinfo), seconds=1210),
    "next.gpx": gpx(NOON + timedelta(days=1)),
}


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


def act(owner, dice: random.Random) -> None:
    """Do something at random that an athlete can do now."""
    name = dice.choice(list(FILES))
    activities = list(Activity.objects.filter(athlete=owner).order_by("pk"))
    split = [row for row in Provenance.objects.filter(athlete=owner).order_by("pk") if row.activity_id]
    doubts = list(Doubt.objects.open().filter(athlete=owner).order_by("pk"))
    runs = list(ImportRun.objects.filter(source__athlete=owner).order_by("pk"))
    match dice.choices(("import", "join", "split", "answer", "undo"), (8, 1, 1, 3, 2))[0]:
        case "import":
            hand_in(owner, (name, FILES[name]), source=dice.choice(SOURCES))
        case "join" if len(activities) > 1:
            deciding.join(*dice.sample(activities, 2))
        case "split" if split:
            with_others = [row for row in split if sum(row.activity_id == other.activity_id for other in split) > 1]
            if with_others:
                deciding.split(dice.choice(with_others))
        case "answer" if doubts:
            doubt = dice.choice(doubts)
            if doubt.kind == Doubt.Kind.DATE:
                deciding.date(doubt, NOON + timedelta(seconds=dice.choice((0, 100, 86400, 21600))))
            else:
                deciding.answer(doubt, same=dice.random() < 0.5)
        case "undo" if runs:
            take_out(dice.choice(runs))


def take_out(run: ImportRun) -> None:
    undo.ask(run, run.source.athlete.user)
    work()


def never_came(owner, number: int):
    """Return an athlete who handed in only what is left, and had decided everything before."""
    twin = factories.athlete(f"twin-{number}")
    for ruling in Ruling.objects.filter(athlete=owner).order_by("pk"):
        Ruling.objects.create(athlete=twin, one=ruling.one, other=ruling.other, same=ruling.same)
    for put_right in Correction.objects.filter(athlete=owner):
        Correction.objects.create(athlete=twin, key=put_right.key, field=put_right.field, value=put_right.value)
    for file in ImportFile.objects.filter(run__source__athlete=owner).order_by("pk"):
        hand_in(twin, (file.name, FILES[file.name]), source=file.run.source.name)
    return twin


@pytest.mark.parametrize("seed", range(8))
def test_what_is_left_is_as_if_the_rest_had_never_come(seed):
    dice, owner = random.Random(seed), factories.athlete()
    for number in range(16):
        act(owner, dice)
        if number % 5 == 3 or number == 15:
            assert snapshot(owner) == snapshot(never_came(owner, number))
    asked = set(Doubt.objects.open().values_list("provenance", flat=True))
    assert Provenance.objects.filter(athlete=owner, activity=None).exists() <= bool(asked)
    assert not Activity.objects.filter(provenance=None).exists()


def test_when_everything_is_undone_nothing_is_left_but_what_was_decided(data_folder):
    owner = factories.athlete()
    runs = [
        hand_in(owner, (name, data), source=SOURCES[number % 3]) for number, (name, data) in enumerate(FILES.items())
    ]
    for run in runs[::2] + runs[1::2]:
        undo.ask(run, owner.user)
    work()
    assert snapshot(owner) == {"facts": [], "sessions": set(), "doubts": set(), "files": [], "recordings": set()}
    assert [path for path in (data_folder / "originals").rglob("*") if path.is_file()] == []
    assert not ImportRun.objects.exists()
    assert imports.counts(ImportFile.objects.all()) == []

"""The same real session from several sources makes one activity, in whatever order they come and go."""

from itertools import permutations

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports, loading, recordings
from coach.formats import read
from coach.formats.header import ARRAYS, FIELDS
from coach.models import Activity, Doubt, ImportFile, Provenance
from jobs import testing
from tests import factories
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples

pytestmark = [*samples, pytest.mark.django_db(transaction=True)]

SAME = {
    "ride": ("fit/sportslib__3939576645.fit", "gpx/sportslib__3939576645.gpx", "tcx/sportslib__6791039036.tcx"),
    "run": ("fit/sportslib__2067489619.fit", "gpx/sportslib__2067489619.gpx"),
    "treadmill": ("fit/sportslib__6860622783.fit", "tcx/sportslib__6860622783.tcx"),
    "race": ("fit/goldencheetah__10kUNLP2014-Garmin15.fit", "tcx/goldencheetah__10kUNLP2014-Garmin15.tcx"),
}
ORDERS = [(name, order) for name, paths in SAME.items() for order in permutations(paths)]


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


def hand_in(owner, *paths, source="Files"):
    uploads = [SimpleUploadedFile(path.rpartition("/")[2], (ROOT / path).read_bytes()) for path in paths]
    run = imports.receive(factories.source(owner, source), uploads, by=owner.user)
    testing.run_due()
    return run


def facts(owner):
    """Return every column of the athlete's activities but their keys."""
    left_out = {"id", "athlete_id", "source_id"}
    rows = Activity.objects.filter(athlete=owner).order_by("started_at").values()
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


@pytest.mark.parametrize(("name", "order"), ORDERS, ids=lambda value: value if isinstance(value, str) else "")
def test_any_order_through_any_source_makes_one_activity_with_the_same_facts(name, order):
    first, owner = factories.athlete("first"), factories.athlete()
    hand_in(first, *SAME[name])
    for number, path in enumerate(order):
        hand_in(owner, path, source=f"Source {number}")
    assert len(facts(owner)) == 1
    assert facts(owner) == facts(first)
    assert not Doubt.objects.exists()
    outcomes = ImportFile.objects.filter(run__source__athlete=owner).order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["imported", *["joined"] * (len(order) - 1)]


def paths():
    return sorted(path for folder in ("fit", "gpx", "tcx") for path in (ROOT / folder).glob("*") if path.is_file())


def test_every_recording_comes_back_from_the_database_as_it_was_read():
    owner = factories.athlete()
    run = hand_in(owner, *(str(path.relative_to(ROOT)) for path in paths()))
    seen = 0
    for row in loading.rows(Provenance.objects.filter(athlete=owner)):
        path = next(path for path in paths() if path.name == row.file.name)
        recording = read(path.read_bytes(), name=path.name)[row.session]
        back = recordings.load(row)
        assert all(getattr(back, field) == getattr(recording, field) for field in FIELDS), path.name
        for field in ARRAYS:
            arrays, kept = getattr(recording, field), getattr(back, field)
            assert arrays.keys() == kept.keys()
            assert all(np.array_equal(arrays[name].view(np.int64), kept[name].view(np.int64)) for name in arrays)
        seen += 1
    assert seen > 60
    assert run.files.exclude(outcome="refused").count() > 55

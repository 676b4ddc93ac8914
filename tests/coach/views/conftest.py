"""Three people: ana owns the rows, ben is another athlete, boss looks after the site and has no training."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from coach import originals
from coach.models import Activity, Athlete, ImportFile, ImportRun, Provenance, Source, Threshold
from tests import factories
from tests.coach.views.rows import ridden, signed_in


@pytest.fixture(autouse=True)
def _originals(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana(db) -> Athlete:
    return factories.athlete("ana")


@pytest.fixture
def ben(db) -> Athlete:
    return factories.athlete("ben")


@pytest.fixture
def boss(db) -> User:
    return factories.staff("boss")


@pytest.fixture
def as_ana(ana) -> Client:
    return signed_in(ana.user)


@pytest.fixture
def as_ben(ben) -> Client:
    return signed_in(ben.user)


@pytest.fixture
def as_boss(boss) -> Client:
    return signed_in(boss)


@pytest.fixture
def source(ana) -> Source:
    return factories.source(ana)


@pytest.fixture
def run(source) -> ImportRun:
    return ImportRun.objects.create(source=source)


@pytest.fixture
def file(run) -> ImportFile:
    sha256, size = originals.keep([b"a recording"])
    return ImportFile.objects.create(run=run, name="ride.fit", size=size, sha256=sha256, outcome="imported")


@pytest.fixture
def ride(source, file) -> Activity:
    activity = ridden(source, flags=["The device lost heart rate for 3 min; the gap is shown."])
    Provenance.objects.create(
        activity=activity, athlete=source.athlete, file=file, sha256=file.sha256, session=0, format="fit"
    )
    return activity


@pytest.fixture
def threshold(ana) -> Threshold:
    return Threshold.objects.create(athlete=ana, kind="ftp_w", value=250, valid_from="2026-03-01")

"""A worker that is killed in the middle of a large archive: the import goes on with the first file that is not in."""

import os
import signal

import pytest

from coach import imports
from coach.models import Activity, ImportFile, Provenance, Streams
from jobs import testing
from jobs.models import Item
from tests import factories
from tests.coach.archives import garmin, gpx, hand_in
from tests.processes import descendants, until

pytestmark = pytest.mark.django_db(transaction=True)
MEMBERS = 300


def kill_all(worker):
    """End the worker and its slots at once, as a power cut does."""
    for pid in [worker.pid, *descendants(worker.pid)]:
        os.kill(pid, signal.SIGKILL)
    worker.process.wait()


def test_a_killed_import_resumes_without_a_recording_twice(settings, tmp_path, start_worker):
    settings.DATA = tmp_path
    uploaded = {f"a_{number}.gpx": gpx(number) for number in range(MEMBERS)}
    run = hand_in(factories.athlete(), ("garmin.zip", garmin(uploaded=uploaded)), read=False)
    job = imports.ticket_of(run).id
    first = start_worker(env={"COACH_DATA": str(tmp_path)})
    until(lambda: Provenance.objects.count() >= MEMBERS // 3, seconds=120, what="a third is in")
    kill_all(first)
    there = dict(Provenance.objects.values_list("sha256", "pk"))
    assert MEMBERS // 3 <= len(there) < MEMBERS
    assert Item.objects.filter(job=job, status="ok").count() == len(there) + 1  # and the archive
    start_worker(env={"COACH_DATA": str(tmp_path)})
    assert testing.wait(job, seconds=200).status == "succeeded"
    assert Activity.objects.count() == Provenance.objects.count() == Streams.objects.count() == MEMBERS
    assert there.items() <= dict(Provenance.objects.values_list("sha256", "pk")).items()
    assert ImportFile.objects.filter(outcome="imported").count() == MEMBERS + 1
    assert ImportFile.objects.count() == MEMBERS + 2  # the archive itself, and what is no training in it
    assert not list(tmp_path.rglob("arriving-*"))

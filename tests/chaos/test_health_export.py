"""A large Apple Health export: little memory, progress all the time, and after a kill nothing twice."""

import os
import signal
from pathlib import Path

import pytest
from django.db.models import Sum

from coach import imports
from coach.arriving import Arrival, pieces_of
from coach.models import DayCurve, ImportFile, Measure, Night
from coach.originals import keep
from jobs.models import Job, Progress
from tests import factories
from tests.processes import until
from tests.traps import apple_bulk

MEBIBYTE = 1024 * 1024
MOST_MEMORY = 300 * MEBIBYTE
MOST_SILENCE_S = 2.0


class Watching:
    """Looks at the progress and the memory of the slots as often as it can."""

    def __init__(self) -> None:
        self.memory = 0
        self.silences: list[float] = []
        self.notes: list[str] = []
        self._seen: Progress | None = None
        self._is_new = True

    def look(self, worker) -> None:
        self.memory = max(self.memory, *map(peak_of, worker.slot_pids()), 0)
        seen = Progress.objects.first()
        if seen is None or (self._seen and seen.at == self._seen.at):
            return
        if self._seen and not self._is_new:
            self.silences.append((seen.at - self._seen.at).total_seconds())
            self.notes.append(seen.note)
        self._seen, self._is_new = seen, False

    def forget(self) -> None:
        """What passes until another worker takes over is no silence of the reading."""
        self._is_new = True


def peak_of(pid: int) -> int:
    """Return the most memory that a process ever held."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def handed_in(path: Path) -> ImportFile:
    owner = factories.athlete()
    arrival = Arrival(
        name="export.zip",
        size=path.stat().st_size,
        head=lambda: path.read_bytes()[:4096],
        keep=lambda: keep(pieces_of(path)),
    )
    return imports.receive(factories.source(owner), [arrival], by=owner.user).files.get()


@pytest.mark.parametrize("megabytes", [60, pytest.param(2048, marks=pytest.mark.full)], ids=["60 MB", "2 GB"])
@pytest.mark.django_db(transaction=True)
def test_a_large_export_killed_half_way_resumes_and_has_nothing_twice(start_worker, settings, tmp_path, megabytes):
    settings.DATA = tmp_path
    path = tmp_path / "export.zip"
    bulk = apple_bulk.write(path, xml_bytes=megabytes * MEBIBYTE)
    file = handed_in(path)
    watching = Watching()
    bound_s = 60 + megabytes

    def is_past_half() -> bool:
        watching.look(worker)
        file.refresh_from_db()
        return file.state.get("offset", 0) > bulk.xml_bytes / 2 - 20 * MEBIBYTE

    def is_over() -> bool:
        watching.look(worker)
        return Job.objects.get(kind="import").ended_at is not None

    worker = start_worker(env={"COACH_DATA": str(tmp_path)})
    until(is_past_half, seconds=bound_s, what="half of it is read")
    for pid in [*worker.slot_pids(), worker.pid]:
        os.kill(pid, signal.SIGKILL)
    worker.wait()
    file.refresh_from_db()
    assert 0 < file.state["offset"] < bulk.xml_bytes
    watching.forget()

    worker = start_worker(env={"COACH_DATA": str(tmp_path)})
    until(is_over, seconds=bound_s, what="all of it is read")
    file.refresh_from_db()
    print(f"{file.size} bytes packed, {bulk.xml_bytes} unpacked, memory {watching.memory / MEBIBYTE:.0f} MB,"
          f" longest silence {max(watching.silences):.2f} s of {len(watching.silences)}: {file.sentence}")  # fmt: skip
    assert file.outcome == "imported", file.sentence
    days = bulk.days
    assert file.sentence == f"{days} nights, {days} days of heart rate, {days} days of steps and {days} weights."
    assert set(Measure.objects.filter(metric="heart_rate_bpm").values_list("samples", flat=True)) == {bulk.hearts}
    assert Measure.objects.filter(metric="steps").aggregate(all=Sum("value"))["all"] == bulk.steps
    assert set(Night.objects.values_list("asleep_min", flat=True)) == {360}
    assert DayCurve.objects.count() == days
    assert watching.memory < MOST_MEMORY
    assert max(watching.silences) <= MOST_SILENCE_S
    assert sum(note.startswith("Reading your Apple Health export: ") for note in watching.notes) >= 3

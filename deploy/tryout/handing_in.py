"""Hands files in as the import page does, and waits until the worker has read them."""

import time
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q

from coach import imports
from coach.models import Athlete, ImportFile, ImportRun, Source
from deploy.tryout import StepFailed, people, recordings, report, say, step
from deploy.tryout.recordings import Candidate

SEASON = "Demo season"
GIVEN = "Files"
STUCK_SECONDS = 600
TELL_SECONDS = 4
Watch = Callable[[], None]


def everything(athlete: Athlete, paths: list[Path], *, watch: Watch) -> bool:
    """Import what was given, or the demo season; False means that a file was not read."""
    step("Files")
    source, _ = Source.objects.get_or_create(athlete=athlete, name=GIVEN if paths else SEASON)
    if paths:
        candidates: Iterable[Candidate] = recordings.given(paths)
    else:
        people.give_season(athlete)
        say("The recordings of a demo athlete, made here (--help tells how to give your own).")
        candidates = recordings.season(athlete, source)
    known: list[int] = []
    runs = [*unfinished(source), *hand_in(source, new(athlete, candidates, known))]
    for run in runs:
        wait(run, watch)
    read = ImportFile.objects.filter(run__in=runs)
    before = ImportFile.objects.filter(Q(pk__in=known) if paths else Q(run__source=source))
    report.files(read, before.exclude(run__in=runs), every=bool(paths))
    unread = read.filter(outcome=ImportFile.Outcome.WAITING).count()
    if unread:
        say(f"Not read: {unread} files; see var/log/worker.log.")
    return not unread


def new(athlete: Athlete, candidates: Iterable[Candidate], known: list[int]) -> Iterator[Candidate]:
    """Pass on what was never handed in; the rows of what was, and of an archive's members, go to `known`."""
    for candidate in candidates:
        rows = recordings.earlier(athlete, candidate.sha256())
        known += rows
        if not rows:
            yield candidate


def hand_in(source: Source, candidates: Iterable[Candidate]) -> Iterator[ImportRun]:
    """Hand in as many at a time as one import may hold."""
    for group in batched(candidates, settings.UPLOAD_FILES):
        files = [upload(candidate) for candidate in group]
        try:
            yield imports.receive(source, files, by=source.athlete.user)
        except imports.REFUSALS as refusal:
            raise StepFailed(f"The import was refused: {refusal}") from refusal
        finally:
            for file in files:
                file.close()


def upload(candidate: Candidate) -> "UploadedFile[Any]":
    if candidate.path is None:
        data = candidate.made or b""
        return UploadedFile(file=BytesIO(data), name=candidate.name, size=len(data))
    return UploadedFile(file=candidate.path.open("rb"), name=candidate.name, size=candidate.path.stat().st_size)


def unfinished(source: Source) -> list[ImportRun]:
    """Return the imports that an earlier run left before they were read; a stopped one is asked for again."""
    runs = list(ImportRun.objects.filter(source=source, files__outcome=ImportFile.Outcome.WAITING).distinct())
    for run in runs:
        if imports.progress(run).can_retry:
            imports.retry(run, by=source.athlete.user)
    return runs


def wait(run: ImportRun, watch: Watch) -> None:
    shown, moved = -1, time.monotonic()
    while True:
        watch()
        progress = imports.progress(run)
        since = time.monotonic() - moved
        if progress.done != shown and (since > TELL_SECONDS or progress.poll_ms is None or shown < 0):
            shown, moved = progress.done, time.monotonic()
            say(f"  {progress.done} of {progress.total} files read.")
        if progress.poll_ms is None:
            if progress.rate_sentence:
                say(f"  {progress.rate_sentence}")
            return
        if since > STUCK_SECONDS:
            raise StepFailed(f"The import does not move. It says: {progress.rate_sentence} See var/log/worker.log.")
        time.sleep(1)

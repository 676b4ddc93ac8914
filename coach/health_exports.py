"""Reads Apple Health exports in parts: each is saved together with the place where a later attempt goes on."""

from collections.abc import Iterable, Mapping
from itertools import batched
from typing import Any

from coach import health_sessions, originals, settling, wellness, wellness_rows
from coach.formats import apple
from coach.models import ImportFile
from jobs import api

NOTE = "Reading your Apple Health export: {percent} %"
NOTHING = "The export holds nothing that Coach keeps: no nights, weights, heart rates or workouts."
AT_ONCE = 50  # routes
Outcome = ImportFile.Outcome


def read(run: api.Run, item: api.Item, file: ImportFile) -> bool:
    """Read on where the last attempt ended, and end the item; return False when the file is no export after all.

    Raises Unreadable and archive.Refused before anything is kept.
    """
    with originals.reader(file.sha256) as data, apple.opened(data) as export:
        if export is None:
            return False
        if "offset" not in file.state and _is_twin(run, item, file):
            return True
        if not file.state.get("is_read"):
            _read_xml(run, file, export)
        _keep_other_routes(run, file, export)
    with run.save():
        item.ok()
        _end(file, Outcome.IMPORTED, _sentence(file))
    return True


def _is_twin(run: api.Run, item: api.Item, file: ImportFile) -> bool:
    """End an export that is there already; return whether it is."""
    with run.save():
        settling.lock(file.run.source.athlete)  # or what is there already may be undone at this moment
        other = _twin(file)
        if other:
            item.ok()
            health_sessions.store_again(run, file, other)
            _end(file, Outcome.DUPLICATE, "The same export is already there.")
    return other is not None


def _twin(file: ImportFile) -> ImportFile | None:
    """Return the same export, wholly read, of another import."""
    other = wellness.known(file)
    return other if other is not None and other.outcome == Outcome.IMPORTED else None


def _read_xml(run: api.Run, file: ImportFile, export: apple.Export) -> None:
    _show(run, file.state.get("offset", 0), export.size)
    for step in apple.steps(export.chunks(), state=file.state):
        run.check()
        _show(run, step.done_bytes, export.size)
        if step.batch is not None:
            _save(run, file, export, step.batch)


def _show(run: api.Run, done_bytes: int, size: int) -> None:
    """Show how far it is; a size that the archive made up must not show more than all."""
    done_bytes = min(done_bytes, max(size - 1, 0))
    run.progress(done_bytes, size, NOTE.format(percent=100 * done_bytes // max(size, 1)))


def _save(run: api.Run, file: ImportFile, export: apple.Export, batch: apple.Batch) -> None:
    sessions = health_sessions.prepare(file, export, batch.workouts)
    state = dict(file.state) | dict(batch.state)
    with run.save():
        sifted = wellness.add(file, batch.contents)
        health_sessions.store(run, file, sessions)
        _count(state, implausible=batch.implausible + sifted.implausible, undated=batch.undated + sifted.undated)
        _count(state, workouts=len(batch.workouts))
        state["routes"] = [*state.get("routes", ()), *(route for one in sessions for route in one.routes)]
        if batch.is_last:
            state |= {"is_read": True, "notes": list(batch.notes), "sleep": []}
        _remember(file, state)


def _keep_other_routes(run: api.Run, file: ImportFile, export: apple.Export) -> None:
    """Keep the routes that no workout names: each is a recording by itself."""
    named = set(file.state.get("routes", ()))
    for names in batched((name for name in export.routes if name not in named), AT_ONCE):
        run.check()
        sessions = health_sessions.alone(file, export, names)
        state = {**file.state, "routes": [*file.state.get("routes", ()), *names]}
        with run.save():
            health_sessions.store(run, file, sessions)
            _remember(file, state)


def _count(state: dict[str, Any], **more: int) -> None:
    for name, number in more.items():
        state[name] = state.get(name, 0) + number


def _remember(file: ImportFile, state: Mapping[str, Any]) -> None:
    ImportFile.objects.filter(pk=file.pk).update(state=state)
    file.state = dict(state)


def _end(file: ImportFile, outcome: str, sentence: str) -> None:
    ImportFile.objects.filter(pk=file.pk).update(outcome=outcome, sentence=sentence[:1000])


def _sentence(file: ImportFile) -> str:
    state = file.state
    stored = wellness_rows.sentence(file, implausible=state.get("implausible", 0), undated=state.get("undated", 0))
    counted = _counted({"workout": state.get("workouts", 0), "route": len(state.get("routes", ()))})
    several = state.get("workouts", 0) + len(state.get("routes", ())) > 1
    listed = f"{counted},{' each' if several else ''} listed here." if counted else ""
    return " ".join(part for part in (stored, listed, *state.get("notes", ())) if part) or NOTHING


def _counted(numbers: Mapping[str, int]) -> str:
    return wellness_rows.listed([f"{count} {word}{'s' * (count > 1)}" for word, count in _some(numbers.items())])


def _some(numbers: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return [(word, count) for word, count in numbers if count]

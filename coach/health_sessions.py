"""Workouts of an Apple Health export, and their routes, as files of the import that are read like any other."""

from collections.abc import Iterable
from dataclasses import dataclass

from coach import originals, places
from coach.formats import apple, row
from coach.formats.apple.package import file_name
from coach.imports import clean_name, settle
from coach.models import ImportFile, Ruling
from jobs import api


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The files of one session, not yet saved, and the routes of the export that are in them."""

    files: tuple[ImportFile, ...]  # the route first, then the workout's own row
    routes: tuple[str, ...]


def prepare(file: ImportFile, export: apple.Export, workouts: Iterable[apple.Workout]) -> list[Session]:
    """Keep the bytes of the workouts and of their routes."""
    return [_session(file, export, workout) for workout in workouts]


def alone(file: ImportFile, export: apple.Export, names: Iterable[str]) -> list[Session]:
    """Keep the bytes of routes that belong to no workout."""
    found = ((name, export.route(name)) for name in names)
    return [
        Session(files=(_kept(file, f"workout-routes/{name}", data),), routes=(name,))
        for name, data in found
        if data is not None
    ]


def store(run: api.Run, file: ImportFile, sessions: Iterable[Session]) -> None:
    """Add the files to the import, and say that those of one session belong together, unless that was decided."""
    every = list(sessions)
    created = ImportFile.objects.bulk_create([kept for session in every for kept in session.files])
    settle(created)
    run.add_items([str(kept.pk) for kept in created])
    pairs = [sorted(f"{kept.sha256}:0" for kept in one.files) for one in every if len(one.files) == 2]
    athlete = file.run.source.athlete
    rulings = [Ruling(athlete=athlete, one=one, other=other, same=True) for one, other in pairs]
    Ruling.objects.bulk_create(rulings, ignore_conflicts=True)


def store_again(run: api.Run, file: ImportFile, other: ImportFile) -> None:
    """Add the workouts and routes of the same export to this import too, so that undoing the other loses none."""
    members = [
        ImportFile(
            run=file.run,
            parent=file,
            name=clean_name(f"{file.name}/{member.name.removeprefix(f'{other.name}/')}"),
            size=member.size,
            sha256=member.sha256,
        )
        for member in other.members.all()
    ]
    run.add_items([str(member.pk) for member in ImportFile.objects.bulk_create(members)])


def _session(file: ImportFile, export: apple.Export, workout: apple.Workout) -> Session:
    found = [(path, data) for path in workout.routes if (data := export.route(path)) is not None]
    began = places.local(workout.row.started_at, places.fixed(workout.row.utc_offset_min or 0))
    own = _kept(file, f"workout of {began:%Y-%m-%d %H:%M}, {workout.row.sport}", row.document(workout.row))
    if not found:
        return Session(files=(own,), routes=())
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    route = _kept(file, f"{found[0][0].strip('/')}{more}", apple.joined([data for _, data in found]))
    return Session(files=(route, own), routes=tuple(file_name(path) for path, _ in found))


def _kept(file: ImportFile, name: str, data: bytes) -> ImportFile:
    sha256, size = originals.keep([data])
    return ImportFile(run=file.run, parent=file, name=clean_name(f"{file.name}/{name}"), size=size, sha256=sha256)

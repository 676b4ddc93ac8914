"""The watched folder of each athlete: what is put there is imported once it has stopped growing."""

import logging
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import batched
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from coach import imports, originals, walking
from coach.models import Athlete, ImportFile, ImportRun, Source, Watched
from coach.walking import Found, Unread
from jobs import api

KIND = "watch-folder"
SOURCE = "Watched folder"
UNREADABLE = "folder.unreadable"
FULL = "folder.disk_full"
SHOWN = 20
BATCH = 2000
LONGEST = 500
logger = logging.getLogger("coach.folders")


class Refused(Exception):
    """The folder was not made; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the settings page says of an athlete's folder."""

    path: str
    is_there: bool
    can_make: bool
    trouble: str
    taken: int
    unread: list[Watched]


# On the settings page


def standing(athlete: Athlete) -> Standing | None:
    """Return how the athlete's folder stands; None where no folder is watched."""
    if settings.WATCH is None:
        return None
    path, root_is_there = folder_of(athlete), settings.WATCH.is_dir()
    trouble = ""
    if not root_is_there:
        trouble = "The folder that is watched is not there. Tell the person who runs this site."
    elif path is None:
        trouble = "Your user name cannot be the name of a folder, so none is watched for you."
    is_there = path is not None and path.is_dir()
    rows = Watched.objects.filter(athlete=athlete)
    return Standing(
        path=str(path or ""),
        is_there=is_there,
        can_make=not trouble and not is_there,
        trouble=trouble,
        taken=rows.filter(taken_at__isnull=False).count(),
        unread=list(rows.exclude(trouble="").order_by("name")[:SHOWN]),
    )


def make(athlete: Athlete) -> None:
    path = folder_of(athlete)
    if path is None:
        raise Refused("Your user name cannot be the name of a folder.")
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise Refused("Coach may not make folders there. Ask the person who runs this site to make yours.") from error


def folder_of(athlete: Athlete) -> Path | None:
    """Return where an athlete's files are looked for; None for a name that would lead elsewhere."""
    name = athlete.user.get_username()
    if settings.WATCH is None or "/" in name or "\0" in name or name.startswith("."):
        return None
    return settings.WATCH / name


def is_taken(name: str) -> bool:
    """Return whether files of somebody lie under this name already; true also where nobody can look.

    Who comes in chooses a name, and with it whose folder is read: that must not be one that is there.
    """
    if settings.WATCH is None:
        return False
    try:
        return any(entry.name.casefold() == name.casefold() for entry in settings.WATCH.iterdir())
    except OSError:
        return True


# In the job


def scan(run: api.Run) -> dict[str, int | str]:
    """Look into every athlete's folder once, and take in what has not changed since the last look.

    Each athlete in turn gets one import at a time, so that a folder of ten thousand files holds up nobody.
    """
    root = settings.WATCH
    if root is None or not root.is_dir():
        return {"sentence": f"The watched folder {root} is not there."}
    waiting = deque((athlete, ready(run, athlete, folder)) for athlete, folder in watched(root))
    taken = 0
    while waiting:
        athlete, batches = waiting.popleft()
        batch = next(batches, None)
        if batch:
            taken += take_in(run, athlete, batch)
            waiting.append((athlete, batches))
    return {"taken": taken}


def ready(run: api.Run, athlete: Athlete, folder: Path) -> Iterator[tuple[Found, ...]]:
    yield from batched(look(run, athlete, folder), settings.UPLOAD_FILES)


def watched(root: Path) -> list[tuple[Athlete, Path]]:
    """Return the athletes who have a folder, and the folder."""
    names = [entry.name for entry in root.iterdir() if entry.is_dir() and not entry.is_symlink()]
    people = Athlete.objects.filter(user__username__in=names, user__is_active=True).select_related("user")
    found = [(athlete, folder_of(athlete)) for athlete in people.order_by("pk")]
    return [(athlete, folder) for athlete, folder in found if folder]


def look(run: api.Run, athlete: Athlete, folder: Path) -> list[Found]:
    """Compare the folder with what was seen the last time; return the files that are ready to be taken in."""
    run.check()
    known = {row.name: row for row in Watched.objects.filter(athlete=athlete)}
    calm: list[Found] = []
    new: list[Watched] = []
    changed: list[Watched] = []
    unread: list[Unread] = []
    here: set[str] = set()
    for found in walking.walk(folder):
        key = key_of(found.name)
        here.add(key)
        if isinstance(found, Unread):
            unread.append(found)
            continue
        row = known.get(key)
        if row is None:
            new.append(Watched(athlete=athlete, name=key, size=found.size, changed_ns=found.changed_ns))
        elif (row.size, row.changed_ns) != (found.size, found.changed_ns):
            row.size, row.changed_ns, row.taken_at = found.size, found.changed_ns, None
            changed.append(row)
        elif row.taken_at is None:
            calm.append(found)
    gone = [] if unread else [row.pk for name, row in known.items() if name not in here]
    if new or changed or gone:
        with run.save():
            Watched.objects.bulk_create(new, batch_size=BATCH, ignore_conflicts=True)
            Watched.objects.bulk_update(changed, ["size", "changed_ns", "taken_at"], batch_size=BATCH)
            Watched.objects.filter(pk__in=gone).delete()
    tell(run, athlete, unread, known=known)
    return calm


def take_in(run: api.Run, athlete: Athlete, batch: Iterable[Found]) -> int:
    """Import these files, but none whose bytes came from this folder before under whatever name."""
    kept: dict[str, ImportFile] = {}  # by name
    unread: list[Unread] = []
    for found in batch:
        run.check()
        try:
            kept[found.name] = imports.keep(found.arrival())
        except originals.NoRoom:
            logger.warning("%s athlete=%s", FULL, athlete.pk)
            break  # the rest is looked at again in a minute
        except OSError as error:
            if str(error) != walking.CHANGED:
                unread.append(Unread(name=found.name, why=walking.why(error)))
    fresh = new_ones(athlete, kept.values())
    with run.save():
        if fresh:
            source, _ = Source.objects.get_or_create(athlete=athlete, name=SOURCE)
            imports.begin(source, fresh, by=None, way=ImportRun.Way.FOLDER)
        names = [key_of(name) for name in kept]
        Watched.objects.filter(athlete=athlete, name__in=names).update(taken_at=timezone.now(), trouble="")
    known = {row.name: row for row in Watched.objects.filter(athlete=athlete).exclude(trouble="")}
    tell(run, athlete, unread, known=known)
    return len(fresh)


def new_ones(athlete: Athlete, files: Iterable[ImportFile]) -> list[ImportFile]:
    by_bytes = {file.sha256 or file.name: file for file in files}
    before = ImportFile.objects.filter(
        run__way=ImportRun.Way.FOLDER, run__source__athlete=athlete, sha256__in=list(by_bytes)
    ).values_list("sha256", flat=True)
    earlier = set(before)
    return [file for key, file in by_bytes.items() if key not in earlier]


def tell(run: api.Run, athlete: Athlete, unread: list[Unread], *, known: dict[str, Watched]) -> None:
    """Say once in the log, and from then on on the settings page, what cannot be read."""
    rows = []
    for one in unread:
        row = known.get(key_of(one.name))
        if row is None or row.trouble != one.why[:200]:
            logger.warning("%s athlete=%s name=%r why=%s", UNREADABLE, athlete.pk, one.name, one.why)
            name = key_of(one.name)
            rows.append(Watched(athlete=athlete, name=name, size=0, changed_ns=0, trouble=one.why[:200]))
    if rows:
        with run.save():
            Watched.objects.bulk_create(
                rows, update_conflicts=True, unique_fields=["athlete", "name"], update_fields=["trouble"]
            )


def key_of(name: str) -> str:
    """Return a name that fits its column; the end tells long ones apart."""
    return name[-LONGEST:]

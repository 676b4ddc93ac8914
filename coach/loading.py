"""Brings recordings back from where they are stored; what an older version stored is read again from the original."""

from datetime import datetime

from coach import naming, originals, stored
from coach.formats import Recording, Unreadable, header, read
from coach.models import Activity, Provenance
from coach.models.activity import ProvenanceQuerySet


def rows(which: ProvenanceQuerySet) -> ProvenanceQuerySet:
    """Return the rows with what `load` needs, in order of precedence."""
    return which.select_related("streams", "file", "activity").leading_first()


def load(origin: Provenance) -> Recording:
    """Return the recording as its file says it, and store it anew where an older version knew less of it."""
    if header.is_current(origin.header):
        return stored.as_stored(origin)
    recording = read_again(origin) or _as_known(origin)
    stored.keep(origin, recording)
    return recording


def claimed(origin: Provenance) -> datetime | None:
    """Return when the recording itself says that it began."""
    said = origin.header.get("started_at")
    return datetime.fromisoformat(said) if said else origin.started_at


def read_again(origin: Provenance) -> Recording | None:
    """Return the recording as its original and the table beside it say it; None where the original is gone."""
    try:
        with originals.reader(origin.sha256) as data:
            found = read(data.read(), name=origin.file.name)
        return naming.named(found, origin.file)[origin.session]
    except (FileNotFoundError, Unreadable, IndexError):
        return None


def _as_known(origin: Provenance) -> Recording:
    if origin.header:
        return stored.as_stored(origin)
    arrays = stored.unpacked(bytes(origin.streams.packed)) if hasattr(origin, "streams") else {}
    return header.restored(_header_of(origin, origin.activity), arrays)


def _header_of(origin: Provenance, activity: Activity | None) -> header.Plain:
    """Return the header that the columns amount to: before there were headers, each recording was an activity."""
    said = {"format": origin.format, "device": origin.device, "sport": "generic", "elapsed_s": origin.timer_s or 0.0}
    said |= {"timer_s": origin.timer_s or 0.0, "distance_m": origin.distance_m}
    if origin.started_at:
        said["started_at"] = origin.started_at.isoformat()
    if activity:
        names = ("sport", "sub_sport", "name", "indoor", "virtual", "elapsed_s", "ascent_m", "descent_m", "energy_kcal")
        said |= {name: getattr(activity, name) for name in names}
        said |= {"laps": activity.laps, "pauses": activity.pauses, "notes": activity.flags}
        said["started_at"] = activity.started_at.isoformat()
    return said

"""A recording as a file: its format, its name, its bytes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from coach.demo import fit, gpx, tcx
from coach.demo.outing import noun
from coach.formats.recording import Recording

_ENCODERS: dict[str, Callable[[Recording], bytes]] = {"fit": fit.encode, "gpx": gpx.encode, "tcx": tcx.encode}


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoFile:
    name: str
    data: bytes


def written(recording: Recording, *, local: datetime) -> DemoFile:
    """Return the recording in its format, named by the local time it began."""
    name = f"{local:%Y-%m-%d-%H%M}-{noun(recording.sport)}.{recording.format}"
    return DemoFile(name=name, data=_ENCODERS[recording.format](recording))

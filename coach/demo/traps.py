"""What a real folder of recordings holds besides: copies under other names, and files without a recording."""

import zlib
from datetime import UTC, date, datetime

from coach.demo import fit
from coach.demo.body import WEIGHT_KG
from coach.demo.files import DemoFile

_COPIED_MONTHS = (1, 4, 7, 10)
SATURDAY = 5


def copies(file: DemoFile, *, day: date) -> tuple[DemoFile, ...]:
    """Return the same bytes as a second device names them: so it is on the first Saturday of each quarter."""
    if day.month not in _COPIED_MONTHS or day.weekday() != SATURDAY or day.day > 7:
        return ()
    ending = file.name.rpartition(".")[2]
    return (DemoFile(name=f"activity_{zlib.crc32(file.data):010d}.{ending}", data=file.data),)


def refused() -> tuple[DemoFile, ...]:
    """Return two files that no import can read: one is empty, one holds a watch's settings."""
    settings = fit.settings_file(weight_kg=WEIGHT_KG, resting_bpm=50.0, created_at=datetime(2024, 1, 1, tzinfo=UTC))
    return DemoFile(name="interrupted-recording.fit", data=b""), DemoFile(name="Settings.fit", data=settings)

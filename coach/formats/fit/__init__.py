"""FIT: what Garmin, Wahoo, Coros, Suunto, Zwift and most others record."""

from coach.formats.fit import days, frames, refusal, sessions
from coach.formats.recording import Recording, Unreadable
from coach.formats.registry import reader


def is_fit(data: bytes) -> bool:
    return data[8:12] == b".FIT"


@reader("fit", claims=is_fit, days=days.days)
def read(data: bytes) -> tuple[Recording, ...]:
    """Return one recording a session, over all FIT files that the bytes chain."""
    parts = frames.parts(data)
    found: list[Recording] = []
    doubts: list[Unreadable] = []
    for part in parts:
        if refusal.is_planned(part):
            continue
        try:
            found.extend(sessions.recordings(part))
        except Unreadable as doubt:
            doubts.append(doubt)
    if found:
        return tuple(found)
    raise doubts[0] if doubts else refusal.refused(parts)

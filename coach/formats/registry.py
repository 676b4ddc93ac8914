"""The formats Coach reads: a reader registers itself with the test that recognises its bytes."""

from collections.abc import Callable
from dataclasses import dataclass

from coach.formats.recording import Recording
from coach.formats.wellness import Contents

Claims = Callable[[bytes], bool]
Read = Callable[[bytes], tuple[Recording, ...]]
Days = Callable[[bytes], Contents]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    name: str
    claims: Claims
    read: Read  # raises Unreadable when there is no recording
    days: Days | None = None  # what such a file says about days and nights, where it may say something


FORMATS: dict[str, Format] = {}


def reader(name: str, *, claims: Claims, days: Days | None = None) -> Callable[[Read], Read]:
    """Register the decorated function as the reader of every file whose bytes `claims` recognises."""

    def register(read: Read) -> Read:
        if name in FORMATS:
            raise ValueError(f"The format {name!r} has a reader already.")
        FORMATS[name] = Format(name=name, claims=claims, read=read, days=days)
        return read

    return register

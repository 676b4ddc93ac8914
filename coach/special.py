"""Special archives: exports of whole accounts, each read in a way of its own, known by what its directory holds."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from coach.models import ImportFile
from jobs import api

Holds = Callable[[Collection[str]], bool]
Read = Callable[[api.Run, api.Item, ImportFile], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """`holds` is asked for the names of the archive's files; `read` ends both the item and the file in its saves."""

    name: str
    holds: Holds
    read: Read


SPECIALS: dict[str, Special] = {}


def register(name: str, *, holds: Holds) -> Callable[[Read], Read]:
    """Register the decorated function as the reader of every archive that `holds`; the first that holds reads it."""

    def registered(read: Read) -> Read:
        SPECIALS[name] = Special(name=name, holds=holds, read=read)
        return read

    return registered


def of(names: Collection[str]) -> Special | None:
    return next((special for special in SPECIALS.values() if special.holds(names)), None)

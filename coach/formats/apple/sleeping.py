"""Pieces of sleep on their way to nights: those of the last day wait, because the sleep may go on in the next part."""

from collections.abc import Sequence

from coach.formats import nights
from coach.formats.nights import Piece
from coach.formats.wellness import Night

WAIT_S = 24 * 3600
MOST = 20_000  # waiting pieces; an export that has more of one day is no person's

type Held = list[list[str | float]]


class Sleeping:
    def __init__(self, held: Sequence[Sequence[str | float]] = ()) -> None:
        self._pieces: dict[str, list[Piece]] = {}
        self.count = 0
        for provider, start_s, end_s, stage, zone in held:
            piece = Piece(start_s=float(start_s), end_s=float(end_s), stage=str(stage), zone=str(zone))
            self.add(str(provider), piece)

    def add(self, provider: str, piece: Piece) -> None:
        self._pieces.setdefault(provider, []).append(piece)
        self.count += 1

    def ready(self, *, everything: bool) -> tuple[Night, ...]:
        """Return the nights of what need not wait, and keep the rest."""
        found: list[Night] = []
        everything = everything or self.count > MOST
        for provider, pieces in self._pieces.items():
            newest_s = max(piece.start_s for piece in pieces)
            groups = nights.apart(sorted(pieces, key=lambda piece: piece.start_s))
            done = [group for group in groups if everything or max(p.end_s for p in group) <= newest_s - WAIT_S]
            self._pieces[provider] = [piece for group in groups[len(done) :] for piece in group]
            found += nights.nights(provider, [piece for group in done for piece in group])
        self._pieces = {provider: pieces for provider, pieces in self._pieces.items() if pieces}
        self.count = sum(map(len, self._pieces.values()))
        return tuple(found)

    def held(self) -> Held:
        """Return what waits, as plain values."""
        return [
            [provider, piece.start_s, piece.end_s, piece.stage, piece.zone]
            for provider, pieces in self._pieces.items()
            for piece in pieces
        ]

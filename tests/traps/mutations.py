"""Damages bytes as disks, cables and ill will do."""

import random
from collections.abc import Sequence


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Return the bytes cut, flipped, overwritten, doubled or moved, a few times over."""
    whole = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(whole) + 1)
        size = dice.randint(1, 40)
        match dice.randrange(7):
            case 0:
                del whole[at : at + size]
            case 1:
                whole[at:at] = dice.randbytes(size)
            case 2:
                whole[at : at + size] = dice.choice((b"\xff", b"\x00", b"\x7f")) * size
            case 3:
                whole[at:at] = whole[max(0, at - size) : at]
            case 4 if at < len(whole):
                whole[at] ^= 1 << dice.randrange(8)
            case 5:
                lie(whole, dice, at=at)
            case _:
                del whole[max(1, len(whole) - size * 10) :]
    return bytes(whole)


def lie(whole: bytearray, dice: random.Random, *, at: int) -> None:
    """Write a number where a length may stand: none, all, or a little more than there is."""
    claimed = dice.choice((0, 1, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, len(whole) + 1))
    at = dice.choice((at, 4, 22, max(0, len(whole) - 12)))
    whole[at : at + 4] = claimed.to_bytes(4, "little")


def spliced(parts: Sequence[bytes], dice: random.Random) -> bytes:
    """Return the beginning of one file with the end of another."""
    first, second = dice.choice(parts), dice.choice(parts)
    return first[: dice.randrange(len(first) + 1)] + second[dice.randrange(len(second) + 1) :]

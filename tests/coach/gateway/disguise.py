"""Numbers and words in dresses in which a reader still knows them."""

from collections.abc import Callable
from random import Random

Lie = Callable[[Random], str]

NUMBERS = [
    "zero",
    "two",
    "three",
    "four",
    "seven",
    "eight",
    "nine",
    "eleven",
    "twelve",
    "thirteen",
    "nineteen",
    "twenty",
    "thirty",
    "ninety",
    "hundred",
    "thousand",
]
DIGITS = (
    "0123456789",
    "٠١٢٣٤٥٦٧٨٩",
    "０１２３４５６７８９",
    "०१२३४५६७८९",
    "₀₁₂₃₄₅₆₇₈₉",
    "⁰¹²³⁴⁵⁶⁷⁸⁹",
    "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
    "⓪①②③④⑤⑥⑦⑧⑨",
)
ODD = ["½", "⅓", "¼", "Ⅳ", "ⅷ", "⑫", "㊿", "三", "Ⅹ", "％"]
TRUE = {"63", "70", "7", "14", "480", "80", "20", "570", "0", "5", "42", "3", "26", "2026"}
INVISIBLE = "\u200b\u200d\u2060\u00ad\u202e\u2066\ufeff\u034f"
ALIKE = str.maketrans("aeopcxyi", "аеорсхуі")


def digits(chance: Random) -> str:
    while True:
        number = str(chance.randint(1, 9999))
        if number not in TRUE:
            return number.translate(str.maketrans("0123456789", chance.choice(DIGITS)))


def hidden(word: str, chance: Random) -> str:
    """Dress a word so that it reads the same and is another string."""
    place = chance.randrange(1, len(word))
    match chance.randrange(6):
        case 0:
            return word[:place] + chance.choice(INVISIBLE) + word[place:]
        case 1:
            return word.translate(ALIKE)
        case 2:
            return " ".join(word)
        case 3:
            return "".join(chr(ord(letter) + 0xFEE0) for letter in word)
        case 4:
            return word[:place] + "\u0336" + word[place:]
        case _:
            return word[:place] + "-" + word[place:]

"""Text that others wrote, made fit for a line."""


def line(text: str, *, longest: int) -> str:
    """Return the text without what cannot be printed, in one line, cut to a length."""
    spaced = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(spaced.split())[:longest]

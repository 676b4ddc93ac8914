"""Counts what calls cost: by what the upstream says, or by an estimate that is rather too high than too low."""

import re
from typing import Protocol

from coach.gateway.completion import Completion
from coach.gateway.request import Messages
from jobs.api import Snooze

# A word is a token for every six letters begun, every digit one, marks in a row one for three begun, a Chinese letter
# one and a fifth, anything else two. The vendors' rules of thumb (four letters, or three quarters of a word, are a
# token) give a sixth less for what is sent here.
PIECE = re.compile(r"[A-Za-z]{1,6}|\d|[!-/:-@\[-`{-~]{1,3}|[^\x00-\x7f]")
WIDE = re.compile(r"[^\x00-\x7f]")
HAN = re.compile(r"[\u3400-\u9fff]")
MOST_TOKENS = 10**7  # of one call: an upstream may say anything


class Meter(Protocol):
    def reserve(self) -> bool:
        """Count one call; False when none may be made."""

    def give_back(self) -> None:
        """Take back the last one."""

    def used(self, tokens: int) -> None: ...

    def closed(self) -> Snooze:
        """Return what the job raises when no call may be made."""


class Free:
    """Counts nothing and refuses nothing."""

    def reserve(self) -> bool:
        return True

    def give_back(self) -> None:
        return None

    def used(self, tokens: int) -> None:
        return None

    def closed(self) -> Snooze:
        return Snooze("No call may be made.")


def estimate(text: str) -> int:
    """Return how many tokens a text has at most, for the vocabularies that models have today."""
    han = len(HAN.findall(text))
    return len(PIECE.findall(text)) + han // 5 + len(WIDE.findall(text)) - han


def prompt_tokens(asked: Messages, completion: Completion | None = None) -> int:
    counted = completion.usage.get("prompt_tokens") if completion else 0
    return min(counted or sum(estimate(each["content"]) for each in asked), MOST_TOKENS)


def tokens_of(asked: Messages, completion: Completion | None = None) -> int:
    """Return the tokens of a call: what the upstream counted, and where it did not, the estimate."""
    said = completion.usage if completion else {}
    given = prompt_tokens(asked, completion)
    taken = 0
    if completion:
        taken = said.get("completion_tokens") or estimate(completion.text) + estimate(completion.thoughts)
    return min(given + taken, MOST_TOKENS)

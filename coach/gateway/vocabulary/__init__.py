"""The words of each language that the grounding rules look for."""

from coach.gateway.vocabulary.chinese import CHINESE
from coach.gateway.vocabulary.english import ENGLISH
from coach.gateway.vocabulary.kinds import Vocabulary

__all__ = ["Vocabulary", "of"]


def of(language: str) -> Vocabulary:
    return CHINESE if language == "zh-hans" else ENGLISH

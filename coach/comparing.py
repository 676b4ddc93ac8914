"""What came of an evaluation: figures for each side, and texts side by side for somebody who cannot see whose."""

import hashlib
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from coach import evaluating, prose
from coach.gateway import grounding, vocabulary
from coach.gateway.rules.passage import grams
from coach.models import Evaluation, EvaluationCase, EvaluationText, EvaluationVerdict, Opinion

LEFT, RIGHT, NEITHER = "left", "right", "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One side of an evaluation, counted."""

    name: str
    texts: int  # that were tried
    sound: int  # of those, that the model wrote itself
    repaired: int
    fell_back: int
    failed: int
    findings: int
    dropped: int
    rules: tuple[tuple[str, int], ...]  # rule, how often it was broken
    repetition_pct: float | None  # of its five-grams that stand in another of its texts, too
    length: float | None  # characters as shown, the median
    seconds: float | None  # that the answers to one question took, the median
    slowest_s: float | None
    answers: int
    tokens: int
    preferred: int
    helped: int  # athletes who said so of texts that this model and prompt wrote for them
    not_right: int


def columns(evaluation: Evaluation) -> list[Column]:
    """Count each side."""
    texts = list(EvaluationText.objects.filter(case__evaluation=evaluation).select_related("case"))
    verdicts = Counter(EvaluationVerdict.objects.filter(case__evaluation=evaluation).values_list("better", flat=True))
    return [
        column(side, [text for text in texts if text.side == number], preferred=verdicts[number])
        for number, side in enumerate(evaluating.sides_of(evaluation))
    ]


def column(side: evaluating.Side, texts: Sequence[EvaluationText], *, preferred: int) -> Column:
    sound = [text for text in texts if evaluating.is_sound(text)]
    answered = [text for text in texts if text.checked]
    rules: Counter[str] = Counter()
    for text in answered:
        rules.update(text.checked.get("rules", {}))
    seconds = [text.checked.get("seconds", 0.0) for text in answered]
    thumbs = evaluating.opinions_of(side)
    return Column(
        name=str(side),
        texts=len(texts),
        sound=len(sound),
        repaired=sum(bool(text.checked.get("repaired")) for text in sound),
        fell_back=len(answered) - len(sound),
        failed=sum(bool(text.error) for text in texts),
        findings=summed(answered, "findings"),
        dropped=summed(answered, "dropped"),
        rules=tuple(sorted(rules.items(), key=lambda pair: (-pair[1], pair[0]))),
        repetition_pct=repetition_pct(sound),
        length=statistics.median(map(length, sound)) if sound else None,
        seconds=statistics.median(seconds) if seconds else None,
        slowest_s=max(seconds, default=None),
        answers=summed(answered, "answers"),
        tokens=summed(answered, "tokens"),
        preferred=preferred,
        helped=thumbs[True],
        not_right=thumbs[False],
    )


def summed(texts: Sequence[EvaluationText], name: str) -> int:
    return sum(int(text.checked.get(name, 0)) for text in texts)


def repetition_pct(texts: Sequence[EvaluationText]) -> float | None:
    """Return which part of the five-grams of a text stands in another one as well, on average; None for one text."""
    own = [
        {gram for said in grounding.texts(text.text) for gram in grams(said, vocabulary.of(text.case.language))}
        for text in texts
    ]
    often = Counter(gram for each in own for gram in each)
    shares = [sum(often[gram] > 1 for gram in each) / len(each) for each in own if each]
    return 100 * statistics.mean(shares) if len(shares) > 1 else None


def length(text: EvaluationText) -> int:
    return sum(len(prose.plain(said, text.case.facts["facts"])) for said in grounding.texts(text.text))


# Judging blindly


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts about one case; which is whose is known to the server alone."""

    case: EvaluationCase
    left: tuple[str, ...]
    right: tuple[str, ...]
    done: int
    total: int


def next_pair(evaluation: Evaluation, *, judge: str) -> Pair | None:
    """Return the next case that this judge has not seen, of those about which both sides wrote."""
    pairs = [case for case in in_order(evaluation) if len(both(case)) == 2]
    seen = EvaluationVerdict.objects.filter(case__evaluation=evaluation, judge=judge)
    judged = set(seen.values_list("case", flat=True))
    left = [case for case in pairs if case.pk not in judged]
    if not left:
        return None
    case = min(left, key=lambda each: drawn(each, judge, "order"))
    texts = both(case)
    one, other = (texts[1], texts[0]) if is_turned(case, judge) else texts
    return Pair(case=case, left=words(one), right=words(other), done=len(pairs) - len(left), total=len(pairs))


def judge(case: EvaluationCase, *, judge: str, choice: str) -> None:
    """Note which one was preferred. Raises ValueError for any other choice, and where there are not two texts."""
    if choice not in (LEFT, RIGHT, NEITHER) or len(both(case)) < 2:
        raise ValueError(choice)
    better = None if choice == NEITHER else int((choice == RIGHT) != is_turned(case, judge))
    EvaluationVerdict.objects.update_or_create(case=case, judge=judge, defaults={"better": better})


def in_order(evaluation: Evaluation) -> list[EvaluationCase]:
    return list(evaluation.cases.order_by("position").select_related("insight__opinion").prefetch_related("texts"))


def both(case: EvaluationCase) -> list[EvaluationText]:
    return sorted((text for text in case.texts.all() if evaluating.is_sound(text)), key=lambda text: text.side)


def is_turned(case: EvaluationCase, judge: str) -> bool:
    """Say whether the second side stands on the left: drawn for each case and judge, and always the same."""
    return drawn(case, judge, "sides")[0] % 2 == 1


def drawn(case: EvaluationCase, judge: str, what: str) -> bytes:
    return hashlib.sha256(f"{settings.SECRET_KEY}/{what}/{case.pk}/{judge}".encode()).digest()


def words(text: EvaluationText) -> tuple[str, ...]:
    """Return headline, summary, findings and suggestions as they are read."""
    return tuple(prose.plain(said, text.case.facts["facts"]) for said in grounding.texts(text.text) if said)


# For other programs


def rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return a row for each text."""
    sides = evaluating.sides_of(evaluation)
    found = EvaluationText.objects.filter(case__evaluation=evaluation).select_related("case__insight__opinion")
    verdicts: dict[int, list[int | None]] = {}
    for case, better in EvaluationVerdict.objects.filter(case__evaluation=evaluation).values_list("case", "better"):
        verdicts.setdefault(case, []).append(better)
    return [row(text, sides[text.side], verdicts.get(text.case_id, [])) for text in found.order_by("case", "side")]


def opinion_of(case: EvaluationCase) -> Opinion | None:
    """Return what the athlete thought of the stored text of the case."""
    return getattr(case.insight, "opinion", None) if case.insight else None


def row(text: EvaluationText, side: evaluating.Side, verdicts: Sequence[int | None]) -> dict[str, Any]:
    checked, opinion = text.checked, opinion_of(text.case)
    return {
        "case": text.case.position,
        "scope": text.case.facts["scope"],
        "language": text.case.language,
        "side": text.side + 1,
        "model": side.model,
        "prompt": side.prompt,
        "writer": text.writer,
        "error": text.error,
        "answers": checked.get("answers", 0),
        "repaired": bool(checked.get("repaired")),
        "findings": checked.get("findings", 0),
        "dropped": checked.get("dropped", 0),
        "rules": checked.get("rules", {}),
        "tokens": checked.get("tokens", 0),
        "seconds": checked.get("seconds", 0),
        "length": length(text) if text.text else 0,
        "preferred": sum(better == text.side for better in verdicts),
        "judged": len(verdicts),
        "athlete": str(opinion or ""),
        "note": opinion.note if opinion else "",
        "text": "\n".join(words(text)),
    }

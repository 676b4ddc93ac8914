"""Believes nothing of an insight that its facts do not say: what fails is dropped, or the whole is refused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coach.gateway import literals, schema, vocabulary
from coach.gateway.rules import Violation, directions, violations
from coach.gateway.rules.markup import cleaned, harmless
from coach.gateway.rules.passage import TOKEN, Ground, Passage
from coach.gateway.rules.trends import is_record, trends
from coach.gateway.schema import BadShape, Draft, Finding, Suggestion
from coach.scopes.facts import Fact, Facts

RECENT = 3  # insights of the same scope that a new one must not repeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is left of an insight. Unless `ok`, its headline, its summary or all its findings failed."""

    text: dict[str, Any]
    dropped: list[dict[str, str]]  # findings and suggestions that are gone, each with the first thing wrong
    violations: list[dict[str, str]]
    ok: bool
    findings: int = 0  # how many the answer had


def check(text: Any, facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = ()) -> Checked:
    """Check an insight against its facts; `recent` are the texts of the scope's last insights, newest first."""
    try:
        draft = schema.draft(text)
    except BadShape as error:
        wrong = Violation(check="schema", where="answer", text=str(error))
        return Checked(text={}, dropped=[], violations=[wrong.as_dict()], ok=False)
    return Check(draft, ground(facts, language=language, recent=recent)).result()


def check_note(text: Any, facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = ()) -> Checked:
    """Check one sentence as a finding is checked; `recent` are the sentences before it."""
    try:
        note = schema.note(text)
    except BadShape as error:
        wrong = Violation(check="schema", where="answer", text=str(error))
        return Checked(text={}, dropped=[], violations=[wrong.as_dict()], ok=False)
    check = Check(Draft(headline="", summary="", findings=(note,)), ground(facts, language=language, recent=recent))
    kept = check.finding(note, where="text", room=True, longest=schema.NOTE)
    return Checked(
        text={"text": kept.text, "facts": list(kept.facts)} if kept else {},
        dropped=check.dropped,
        violations=[each.as_dict() for each in check.violations],
        ok=kept is not None,
        findings=1,
    )


def ground(facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]]) -> Ground:
    unknown = {fact.key for fact in facts.facts if fact.value is None}
    return Ground(
        facts={fact.key: fact for fact in facts.facts if fact.value is not None and not fact.passing},
        missing=frozenset({*facts.missing, *unknown}),
        recent=tuple(said for each in recent[:RECENT] for said in texts(each)),
        vocabulary=vocabulary.of(language),
        language=language,
        scope=facts.scope,
        notes=facts.notes,
    )


def texts(insight: Mapping[str, Any]) -> Iterable[str]:
    """Go through everything that an insight says."""
    yield from (str(insight.get(name, "")) for name in ("headline", "summary", "text"))
    for name in ("findings", "suggestions"):
        yield from (str(each.get("text", "")) for each in insight.get(name, ()) if isinstance(each, Mapping))


class Check:
    """One insight on its way through the rules."""

    def __init__(self, draft: Draft, ground: Ground) -> None:
        self.draft = draft
        self.ground = ground
        self.missing = frozenset(draft.missing) & ground.missing
        self.violations = [Violation(check="schema", where=place, text="unreadable") for place in draft.odd]
        self.dropped: list[dict[str, str]] = []

    def result(self) -> Checked:
        findings = [
            kept
            for place, each in enumerate(self.draft.findings)
            if (kept := self.finding(each, where=f"findings[{place}]", room=place < schema.FINDINGS))
        ]
        # The frame of the text may rest on what the findings that are left rest on, the headline on the summary.
        cited = self.cited(key for each in findings for key in each.facts)
        summary = self.frame("summary", cited, longest=schema.SUMMARY)
        shown = self.cited(TOKEN.findall(summary or ""))
        headline = self.frame("headline", (*shown, *cited), longest=schema.HEADLINE)
        suggestions = [
            advice
            for place, idea in enumerate(self.draft.suggestions)
            if (advice := self.suggestion(idea, where=f"suggestions[{place}]", room=place < schema.SUGGESTIONS))
        ]
        if not findings:
            self.violations.append(Violation(check="schema", where="findings", text="none is left"))
        self.claims_of_missing()
        return Checked(
            text={
                "headline": headline or "",
                "summary": summary or "",
                "findings": [as_dict(each) for each in findings],
                "suggestions": [as_dict(each) for each in suggestions],
                "confidence": self.draft.confidence,
                "confidence_reasons": self.reasons(),
                "missing": sorted(self.missing),
            },
            dropped=self.dropped,
            violations=[each.as_dict() for each in self.violations],
            ok=bool(headline and summary and findings),
            findings=len(self.draft.findings),
        )

    def finding(self, finding: Finding, *, where: str, room: bool, longest: int = schema.FINDING) -> Finding | None:
        cited = self.cited(finding.facts)
        passage = self.passage(where, finding.text, cited, longest=longest, needs_token=True)
        direction = directions.shown(finding.direction, cited)
        wrong = self.wrong(passage, room=room)
        if direction is None:
            wrong.append(Violation(check="direction", where=where, text=f"direction {finding.direction}"))
        if self.refused(wrong, passage):
            return None
        keys = tuple(fact.key for fact in cited)
        return replace(finding, text=harmless(passage.text), facts=keys, direction=direction or "flat")

    def suggestion(self, suggestion: Suggestion, *, where: str, room: bool) -> Suggestion | None:
        cited = self.cited((*suggestion.facts, *TOKEN.findall(suggestion.text)))
        passage = self.passage(where, suggestion.text, cited, longest=schema.SUGGESTION)
        shown = self.cited(passage.keys)
        passage = replace(passage, report=any(trends(fact) or is_record(fact) for fact in shown))
        if self.refused(self.wrong(passage, room=room), passage):
            return None
        keys = tuple(fact.key for fact in cited)
        when = self.passage(f"{where}.when", suggestion.when, (), longest=schema.WHEN, report=False)
        said = "" if violations(when, replace(self.ground, recent=())) else harmless(when.text)
        return replace(suggestion, text=harmless(passage.text), facts=keys, when=said)

    def frame(self, where: str, cited: tuple[Fact, ...], *, longest: int) -> str | None:
        """Check the headline or the summary, which may also show facts that no finding is about."""
        raw = getattr(self.draft, where)
        own = self.cited(TOKEN.findall(raw))
        passage = self.passage(where, raw, tuple(dict.fromkeys((*own, *cited))), longest=longest)
        wrong = violations(passage, self.ground)
        self.violations += wrong
        return None if wrong else harmless(passage.text)

    def reasons(self) -> list[str]:
        """Return the reasons for the confidence that are clean; codes such as load_mostly_hr are words, too."""
        kept = []
        for place, each in enumerate(self.draft.confidence_reasons[: schema.REASONS]):
            words = each.replace("_", " ")
            passage = self.passage(f"confidence_reasons[{place}]", words, (), longest=schema.REASON, report=False)
            if not violations(passage, replace(self.ground, recent=())):
                kept.append(harmless(cleaned(each)))
        return kept

    def claims_of_missing(self) -> None:
        for key in self.draft.missing:
            if key not in self.ground.missing:
                self.violations.append(Violation(check="missing", where="missing", text=key))

    def cited(self, keys: Iterable[str]) -> tuple[Fact, ...]:
        return tuple(self.ground.facts[key] for key in dict.fromkeys(keys) if key in self.ground.facts)

    def passage(self, where: str, raw: str, cited: tuple[Fact, ...], **limits: Any) -> Passage:
        """Clean a text, turn numbers that are facts into tokens, and write tokens in one way."""
        text = TOKEN.sub(r"{{\1}}", literals.tokenized(cleaned(raw), cited))
        return Passage(where=where, text=text, cited=cited, claimed_missing=self.missing, **limits)

    def wrong(self, passage: Passage, *, room: bool) -> list[Violation]:
        found = violations(passage, self.ground)
        return found if room else [Violation(check="length", where=passage.where, text="one too many"), *found]

    def refused(self, wrong: list[Violation], passage: Passage) -> bool:
        if wrong:
            self.violations += wrong
            self.dropped.append({**wrong[0].as_dict(), "said": harmless(passage.text)[:300]})
        return bool(wrong)


def as_dict(part: Finding | Suggestion) -> dict[str, Any]:
    fields: dict[str, Any] = {"text": part.text, "facts": list(part.facts)}
    if isinstance(part, Finding):
        return {**fields, "direction": part.direction, "weight": part.weight}
    return {**fields, "when": part.when}

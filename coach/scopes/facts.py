"""Facts: what a screen shows, what an insight may cite, and what its fingerprint is made of."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

FACTS_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value. `display` is the only rounded form; chart, table, prose and fingerprint all use it."""

    key: str
    label: str
    value: float | str | None  # None: not known; SI units (s, m, W, bpm), unrounded
    unit: str  # unit of value, "" for points and words
    display: str  # "1:02:10", "12.4 km", "64"; "–" when value is None
    meaning: str
    convention: str = ""  # formula in words
    source: str = ""  # author, year
    good: str = ""  # "up", "down" or ""
    history: tuple[float | None, ...] = ()  # for a sparkline, oldest first
    passing: bool = False  # another one every day by itself: shown, but no text is made of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    scope: str
    subject: str
    title: str
    facts: tuple[Fact, ...] = ()
    insufficient: str = ""  # a sentence: what is missing and what to upload; no gateway call is made then
    as_of: date | None = None
    missing: tuple[str, ...] = ()  # keys that could not be computed
    charts: Mapping[str, Any] = field(default_factory=dict)  # plain data for the chart tags; not in the fingerprint
    tables: Mapping[str, Any] = field(default_factory=dict)
    notes: str = ""  # what the athlete wrote about it
    guessed: int = 0  # loads of late that are estimates for want of a threshold; not in the fingerprint

    def __getitem__(self, key: str) -> Fact:
        for fact in self.facts:
            if fact.key == key:
                return fact
        raise KeyError(key)

    def get(self, key: str) -> Fact | None:
        return next((fact for fact in self.facts if fact.key == key), None)

    def fingerprint(self, *, writer: str, language: str, units: str) -> str:
        """Return the SHA-256 of what an insight would be derived from: displays, never row counts or times.

        A goal is in it by its facts, so that it asks for another text where a text can speak of it and nowhere else.
        """
        canon = {
            "version": FACTS_VERSION,
            "scope": self.scope,
            "subject": self.subject,
            "facts": {fact.key: fact.display for fact in self.facts if not fact.passing},
            "insufficient": self.insufficient,
            "writer": writer,
            "language": language,
            "units": units,
            "notes": self.notes,
        }
        raw = json.dumps(canon, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(raw.encode()).hexdigest()

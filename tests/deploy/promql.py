"""As much of PromQL as the alerts use: a comparison of a sum or a series with a number, joined by `and`."""

import re
from collections import defaultdict

type Labels = frozenset[tuple[str, str]]
type Vector = dict[Labels, float]

CLAUSE = re.compile(r"(.+) (==|>) ([\d.]+)")
SUM = re.compile(r"sum(?: by \((\w+)\) )?\s*\((.+)\)")
SERIES = re.compile(r"(\w+)(?:\{(\w+)=\"(\w+)\"\})?")
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? ([\d.e+-]+)$", re.MULTILINE)


def samples(text: str) -> dict[str, Vector]:
    """Read what /metrics says."""
    found: dict[str, Vector] = defaultdict(dict)
    for name, labels, value in SAMPLE.findall(text):
        found[name][frozenset(re.findall(r'(\w+)="(.*?)"', labels))] = float(value)
    return found


def fires(expression: str, told: dict[str, Vector]) -> Vector:
    """Return the series for which the expression holds."""
    first, *more = re.split(r" and ", expression)
    left = _held(first, told)
    for clause in more:
        on = re.match(r"on \((\w+)\) ", clause)
        there = {_kept(labels, on) for labels in _held(clause[on.end() :] if on else clause, told)}
        left = {labels: value for labels, value in left.items() if _kept(labels, on) in there}
    return left


def _kept(labels: Labels, on: re.Match[str] | None) -> Labels:
    return labels if on is None else frozenset(pair for pair in labels if pair[0] == on[1])


def _held(clause: str, told: dict[str, Vector]) -> Vector:
    parts = CLAUSE.fullmatch(clause.strip())
    assert parts, clause
    bound = float(parts[3])
    return {
        labels: value
        for labels, value in _vector(parts[1], told).items()
        if (value == bound if parts[2] == "==" else value > bound)
    }


def _vector(text: str, told: dict[str, Vector]) -> Vector:
    if summed := SUM.fullmatch(text):
        total: Vector = defaultdict(float)
        for labels, value in _vector(summed[2], told).items():
            total[frozenset(pair for pair in labels if pair[0] == summed[1])] += value
        return total
    if " + " in text:
        left, right = (_vector(part, told) for part in text.split(" + "))
        return {labels: left[labels] + right[labels] for labels in left.keys() & right.keys()}
    series = SERIES.fullmatch(text)
    assert series, text
    wanted = {(series[2], series[3])} if series[2] else set()
    return {labels: value for labels, value in told.get(series[1], {}).items() if wanted <= labels}

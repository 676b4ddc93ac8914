"""The self-audit as lines of text, for the command."""

from collections.abc import Iterator, Sequence

from jobs.transitions.invariants import RULES, Violation

SHOWN = 10


def told(found: Sequence[Violation]) -> Iterator[str]:
    """Yield a line a broken rule, with what breaks it."""
    for violation in found:
        things = ", ".join(violation.things[:SHOWN])
        more = f" and {len(violation.things) - SHOWN} more" if len(violation.things) > SHOWN else ""
        yield f"{violation.rule.name}: {violation.rule.sentence}"
        yield f"    {things}{more}"
    if not found:
        yield f"All {len(RULES)} rules hold."

"""Words of direction must fit the sign, the history or the flag of a cited fact."""

from collections.abc import Iterator

from coach.gateway.rules.passage import Ground, Passage, clauses
from coach.gateway.rules.trends import is_pace, is_record, trends
from coach.scopes.facts import Fact

OPPOSITE = {"up": "down", "down": "up"}
WANTS = ("up", "down", "better", "worse", "faster", "slower", "unchanged", "record")


def unsupported(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find words of direction that no cited fact carries. Instructions are free: "go faster" reports nothing."""
    words = ground.vocabulary
    for clause, keys in clauses(passage, words):
        plain = words.harmless.sub(" ", clause)
        own = tuple(ground.facts[key] for key in keys if key in ground.facts)
        for want in WANTS:
            for match in getattr(words, want).finditer(plain):
                if not passage.report and not words.told.search(match[0]):
                    continue
                negated = bool(words.negation.search(plain[: match.start()]))
                if not carried(match[0], want, own=own, cited=passage.cited, negated=negated):
                    yield match[0]


def carried(word: str, want: str, *, own: tuple[Fact, ...], cited: tuple[Fact, ...], negated: bool) -> bool:
    """Say whether a fact of the clause fits, or where those say nothing of direction, any cited one."""
    if any(isinstance(fact.value, str) and word in (fact.value, fact.display.lower()) for fact in (*own, *cited)):
        return True
    telling = tuple(fact for fact in own if tells(fact, want)) or tuple(fact for fact in cited if tells(fact, want))
    if negated:
        return any(not fits(fact, want) for fact in telling)
    return any(fits(fact, want) for fact in telling)


def tells(fact: Fact, want: str) -> bool:
    """Say whether the fact has anything to say about such a word."""
    if want == "record":
        return is_record(fact)
    if want in ("better", "worse"):
        return bool(fact.good and trends(fact))
    return bool(trends(fact))


def fits(fact: Fact, want: str) -> bool:
    going = trends(fact)
    match want:
        case "up" | "down":
            return want in going
        case "better":
            return fact.good in going
        case "worse":
            return OPPOSITE.get(fact.good) in going
        case "faster":
            return ("down" if is_pace(fact) else "up") in going
        case "slower":
            return ("up" if is_pace(fact) else "down") in going
        case "unchanged":
            return "flat" in going
        case _:
            return is_record(fact)


def shown(direction: str, cited: tuple[Fact, ...]) -> str | None:
    """Return the direction that a finding may show; None when its facts say the contrary of what it claims."""
    going = frozenset(each for fact in cited for each in trends(fact))
    if direction in going or direction == "flat":
        return direction
    return None if going & {"up", "down"} else "flat"

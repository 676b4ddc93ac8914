"""How well a model keeps to its facts: counted up with each insight that it was asked for."""

from collections.abc import Mapping

from django.db.models import F
from django.utils import timezone

from coach.gateway import Tally
from coach.models import WriterScore


def of(tally: Tally) -> dict[str, object]:
    """Return what an insight keeps of the checks it went through; nothing where no model was asked."""
    if not tally.answers:
        return {}
    return {
        "answers": tally.answers,
        "repaired": tally.repaired,
        "findings": tally.findings,
        "dropped": tally.dropped,
        "rules": dict(sorted(tally.rules.items())),
        "tokens": tally.tokens,
        "seconds": round(tally.seconds, 3),
    }


def count(asked: str, tally: Tally, *, written: bool) -> None:
    """Count an insight for the model that was asked: with its row, in the same transaction."""
    if not tally.answers:
        return
    model, version = parts(asked)
    row, _ = WriterScore.objects.get_or_create(model=model, prompt_version=version)
    # The row is held from here to the end of the save, so that two workers cannot lose each other's counts.
    row = WriterScore.objects.select_for_update().get(pk=row.pk)
    WriterScore.objects.filter(pk=row.pk).update(
        written=F("written") + int(written),
        repaired=F("repaired") + int(written and tally.repaired),
        fell_back=F("fell_back") + int(not written),
        findings=F("findings") + tally.findings,
        dropped=F("dropped") + tally.dropped,
        rules=added(row.rules, tally.rules),
        last_at=timezone.now(),
    )


def parts(asked: str) -> tuple[str, int]:
    """Return the model and the version of the instructions from model/NAME/VERSION."""
    name, _, version = asked.removeprefix("model/").rpartition("/")
    return name[:80] or "default", int(version)


def added(rules: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {name: rules.get(name, 0) + more.get(name, 0) for name in sorted({*rules, *more})}

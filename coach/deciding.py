"""What the athlete decides by hand about recordings: one session or two, and when it was. It holds for good."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone

from coach import dates, settling
from coach.models import Activity, Correction, Doubt, Provenance, Ruling
from coach.models.activity import ProvenanceQuerySet
from jobs import api

EDIT = "recordings"
api.hold_kind(EDIT, label="An edit of your activities")
SAME, DIFFERENT = "same", "different"
GONE = "It is not there any more. Look at the list of activities again."


class Refused(Exception):
    """Nothing was changed; the message says why and what to do."""


def split(origin: Provenance) -> int:
    """Make the recording an activity of its own; return its number.

    Raises LaneBusy, and Refused when it is one already.
    """
    with _held(_of_activity(origin.activity_id)) as rows:
        others = [row for row in rows if row.pk != origin.pk]
        if len(others) == len(rows) or not others:
            raise Refused("It is an activity of its own already.")
        _rule([origin], others, same=False)
        settling.settle(origin.athlete, [row.pk for row in rows])
        return _activity_of(origin)


def join(activity: Activity, other: Activity) -> int:
    """Make two activities one; return its number. Raises LaneBusy, and Refused when one of them is gone."""
    with _held(_of_activity(activity.pk) | _of_activity(other.pk)) as rows:
        sides = [[row for row in rows if row.activity_id == pk] for pk in (activity.pk, other.pk)]
        if activity.pk == other.pk or not all(sides):
            raise Refused(GONE)
        _rule(*sides, same=True)
        settling.settle(activity.athlete, [row.pk for row in rows])
        return _activity_of(sides[0][0])


def answer(doubt: Doubt, *, same: bool) -> None:
    """Say whether the recording is of the session it resembles; raises LaneBusy, and Refused when nobody asks now."""
    origin = doubt.provenance
    with _held(_of_activity(doubt.candidate_id) | Provenance.objects.filter(pk=origin.pk)) as rows:
        _close(doubt, SAME if same else DIFFERENT)
        candidates = [row for row in rows if row.pk != origin.pk]
        _rule([origin], candidates, same=same)
        settling.settle(doubt.athlete, [row.pk for row in rows])


def date(doubt: Doubt, began: datetime) -> None:
    """Say when the recording began; raises LaneBusy, and Refused for a time that cannot be."""
    if dates.is_impossible(began):
        raise Refused("No recording of yours can have begun then. Give the day and time at which you set out.")
    origin = doubt.provenance
    with _held(Provenance.objects.filter(pk=origin.pk)):
        _close(doubt, f"{began:%Y-%m-%dT%H:%M:%SZ}")
        put_right = {"value": began.isoformat()}
        Correction.objects.update_or_create(
            athlete=origin.athlete, key=origin.key, field=dates.FIELD, defaults=put_right
        )
        Provenance.objects.filter(pk=origin.pk).update(started_at=began)
        settling.settle(origin.athlete, [origin.pk])


@contextmanager
def _held(which: ProvenanceQuerySet) -> Iterator[list[Provenance]]:
    """Hold the lines of every source concerned, and give the recordings as they are then."""
    rows = which.select_related("file__run__source", "athlete")
    found = list(rows)
    if not found:
        raise Refused(GONE)
    with api.hold([row.file.run.source.lane for row in found], EDIT):
        settling.lock(found[0].athlete)
        yield list(rows.all())


def _activity_of(origin: Provenance) -> int:
    return int(Provenance.objects.values_list("activity", flat=True).get(pk=origin.pk) or 0)


def _of_activity(pk: int | None) -> ProvenanceQuerySet:
    return Provenance.objects.filter(activity=pk, activity__isnull=False)


def _close(doubt: Doubt, said: str) -> None:
    if not Doubt.objects.open().filter(pk=doubt.pk).update(answer=said, answered_at=timezone.now()):
        raise Refused("This question is settled already.")


def _rule(ones: Iterable[Provenance], others: Collection[Provenance], *, same: bool) -> None:
    """Write down what holds between each of the ones and each of the others; the latest word on a pair counts."""
    for one in ones:
        pairs = [sorted((one.key, other.key)) for other in others]
        rows = [Ruling(athlete=one.athlete, one=a, other=b, same=same) for a, b in pairs]
        for row in rows:
            Ruling.objects.filter(athlete=row.athlete, one=row.one, other=row.other).delete()
        Ruling.objects.bulk_create(rows)

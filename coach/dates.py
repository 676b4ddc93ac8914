"""Starts that cannot be: they are asked about and never charted, and the answer holds whenever the same bytes come."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from coach.formats import moments
from coach.models import Athlete, Correction, Doubt, Provenance

FIELD = "started_at"
UNSET_FOR = timedelta(hours=1)
CLOCKS_BEGIN = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2010, 1, 1, tzinfo=UTC))  # of devices without a fix yet
TO_COME = timedelta(days=1)


def is_impossible(started_at: datetime) -> bool:
    """Say whether a device's clock was plainly not set: long past, just begun, or still to come."""
    just_begun = any(begin <= started_at < begin + UNSET_FOR for begin in CLOCKS_BEGIN)
    return just_begun or started_at < moments.EARLIEST or started_at > timezone.now() + TO_COME


def ask(origin: Provenance, claimed: datetime) -> None:
    """Ask when a recording was that stands aside."""
    why = ", which is still to come" if claimed > timezone.now() else ": the clock of the device was not set"
    Doubt.objects.create(
        athlete_id=origin.athlete_id,
        kind=Doubt.Kind.DATE,
        provenance=origin,
        sentence=f"It says that it began on {claimed:%-d %B %Y}{why}. When did it begin?",
    )


def corrections(athlete: Athlete, sha256: str) -> dict[int, datetime]:
    """Return when the sessions of a file began, where the athlete said so."""
    rows = Correction.objects.filter(athlete=athlete, key__startswith=f"{sha256}:", field=FIELD)
    return {int(row.key.partition(":")[2]): datetime.fromisoformat(row.value) for row in rows}

"""What the queue says, on the clock of whoever reads it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from coach import queue_words
from jobs.api import Ticket

TODAY = timezone.now().replace(hour=12, minute=30, second=0, microsecond=0)


def waiting(at: datetime, sentence: str, *, reason: str = "run_at") -> Ticket:
    return Ticket(
        id=1, kind="annotate", owner="athlete:1", subject="1", status="scheduled",
        reason=reason, sentence=sentence, retry_at=at, run_at=at,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("run_at", "It is set for {:%H:%M:%S} UTC."),
        ("run_at", "The last attempt failed; the next one is at {:%H:%M:%S} UTC."),
        ("closed", "The service is not answering; next try {:%H:%M} UTC."),
    ],
)
def test_a_time_is_told_on_the_readers_clock(reason: str, sentence: str) -> None:
    ticket = waiting(TODAY, sentence.format(TODAY), reason=reason)
    with timezone.override(UTC):
        assert queue_words.sentence(ticket).endswith(" 12:30.")
    with timezone.override(ZoneInfo("Asia/Kathmandu")):
        assert queue_words.sentence(ticket).endswith(" 18:15.")


def test_a_time_of_another_day_names_the_day() -> None:
    later = datetime(2031, 12, 31, 23, 0, tzinfo=UTC)
    with timezone.override(ZoneInfo("Europe/Berlin")):
        said = queue_words.sentence(waiting(later, "It is set for 23:00:00 UTC."))
    assert said == "It is set for 1 Jan, 00:00."

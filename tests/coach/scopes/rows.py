"""Athletes and activities for tests of what the screens say about them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np
from django.contrib.auth import get_user_model

from coach.models import Activity, Athlete, ImportFile, ImportRun, Measure, Night, Provenance, Source, Streams
from coach.streams import pack

TODAY = date(2026, 11, 26)  # a Thursday of week 48
MORNING = datetime.combine(TODAY, time(6, 40), tzinfo=UTC)


def athlete(name: str = "ana", **changes: Any) -> Athlete:
    user = get_user_model().objects.create_user(name)
    made = Athlete.objects.create(user=user, **changes)
    Source.objects.create(athlete=made, name="Watch")
    return made


def activity(owner: Athlete, day: date = TODAY, **changes: Any) -> Activity:
    """Make an hour of steady running at 60 points, or whatever the changes say."""
    fields: dict[str, Any] = {
        "athlete": owner,
        "source": owner.sources.get(),
        "started_at": datetime.combine(day, time(5), tzinfo=UTC),
        "time_zone": "UTC",
        "local_date": day,
        "sport": "running",
        "timer_s": 3600.0,
        "moving_s": 3590.0,
        "elapsed_s": 3610.0,
        "distance_m": 11_000.0,
        "load": 60.0,
        "load_from": "pace",
    }
    return Activity.objects.create(**(fields | changes))


def training(owner: Athlete, *, days: int, until: date = TODAY, load: float = 60.0, every: int = 1) -> None:
    """Make a session on every so many days, the last one `until`."""
    for number in range(0, days, every):
        activity(owner, until - timedelta(days=number), load=load)


def with_streams(row: Activity, streams: Mapping[str, np.ndarray]) -> Activity:
    run = ImportRun.objects.create(source=row.athlete.sources.get())
    file = ImportFile.objects.create(run=run, name="ride.fit", size=1, sha256=f"{row.pk:064}")
    origin = Provenance.objects.create(
        activity=row, athlete=row.athlete, file=file, sha256=file.sha256, session=0, format="fit"
    )
    Streams.objects.create(provenance=origin, samples=streams["time_s"].size, packed=pack(streams))
    return row


def _moment(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), tzinfo=UTC)


def a_file(owner: Athlete) -> ImportFile:
    run = ImportRun.objects.create(source=owner.sources.get())
    return ImportFile.objects.create(run=run, name="days.json", size=1)


def nights(owner: Athlete, asleep_min: Iterable[float | None], *, provider: str = "Ring", **more: Any) -> None:
    """Make a night for each value, the last one of last night; None is a night that is not there."""
    values, file = list(asleep_min), a_file(owner)
    for back, minutes in enumerate(reversed(values)):
        day = TODAY - timedelta(days=back)
        if minutes is not None:
            began = _moment(day - timedelta(days=1), 22) + timedelta(minutes=10 * (back % 4))
            fields = {"start_at": began, "time_zone": "UTC", "asleep_min": minutes} | more
            Night.objects.create(athlete=owner, file=file, provider=provider, wake_date=day, **fields)


def measures(owner: Athlete, metric: str, values: Iterable[float | None], *, provider: str = "Ring") -> None:
    """Make a value a day, the last one of today; None is a day without."""
    listed, file = list(values), a_file(owner)
    Measure.objects.bulk_create(
        Measure(
            athlete=owner, file=file, provider=provider, metric=metric, at=_moment(day, 5), local_date=day, value=value
        )
        for back, value in enumerate(reversed(listed))
        if value is not None
        for day in (TODAY - timedelta(days=back),)
    )

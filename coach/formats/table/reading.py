"""Reads the rows of a table by what its columns are, and counts what could not be read."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from coach.formats.table import dates, numbers
from coach.formats.table.dates import When
from coach.formats.table.mapping import BED, DATE, METRICS, SLEEP, TIME, WAKE, WEIGHT, Mapping
from coach.formats.table.sheets import Sheet
from coach.formats.wellness import Contents, Measure, Night

NOON = time(12)
SPOKEN = {
    DATE: "no date that can be read",
    TIME: "a time that cannot be read",
    SLEEP: "a sleep duration that cannot be read",
    BED: "a bed time that cannot be read",
    WAKE: "a wake time that cannot be read",
    WEIGHT: "a weight that is no number",
    "resting_heart_rate": "a resting heart rate that is no number",
    "hrv_rmssd": "an HRV that is no number",
    "body_fat": "a body fat value that is no number",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    contents: Contents
    rows: int
    undated: int
    sentences: tuple[str, ...]  # what could not be read


@dataclass(slots=True)
class _Troubles:
    """How many rows have a trouble, and which was the first."""

    counts: dict[str, int] = field(default_factory=dict)
    firsts: dict[str, int] = field(default_factory=dict)

    def note(self, role: str, row: int) -> None:
        self.counts[role] = self.counts.get(role, 0) + 1
        self.firsts.setdefault(role, row)

    def sentences(self, rows: int) -> tuple[str, ...]:
        return tuple(
            f"{count:,} of {rows:,} rows {'has' if count == 1 else 'have'} {SPOKEN[role]}"
            f"{'; it is' if count == 1 else '; the first is'} row {self.firsts[role]}."
            for role, count in self.counts.items()
        )


def read(sheet: Sheet, mapping: Mapping, *, zone: tzinfo) -> Read:
    """Return the days and nights of a table; times without a zone are of `zone`."""
    troubles = _Troubles()
    measures: list[Measure] = []
    nights: dict[date, Night] = {}
    for number, row in zip(sheet.numbers, sheet.rows, strict=True):
        said = {role: row[place] for place, role in enumerate(mapping.columns) if role and place < len(row)}
        when = _when(said, mapping)
        if when is None:
            troubles.note(DATE, number)
            continue
        when = _timed(when, said, troubles, number)
        at = _at(when, zone)
        for role, metric in METRICS.items():
            if not said.get(role):
                continue
            text = said[role]
            value = numbers.weight_kg(text, mapping.weight_unit) if role == WEIGHT else numbers.number(text)
            if value is None:
                troubles.note(role, number)
            else:
                measures.append(
                    Measure(provider=mapping.provider, metric=metric, at=at, local_date=when.day, value=value)
                )
        night = _night(said, when, mapping, zone, troubles, number)
        if night is not None:
            nights[night.wake_date] = night
    return Read(
        contents=Contents(measures=tuple(measures), nights=tuple(nights.values())),
        rows=len(sheet.rows),
        undated=troubles.counts.get(DATE, 0),
        sentences=troubles.sentences(len(sheet.rows)),
    )


def _when(said: dict[str, str], mapping: Mapping) -> When | None:
    """Return the row's day; without a column of dates that of the wake or bed time."""
    for role in (DATE, WAKE, BED):
        if role in said:
            found = dates.when(said[role], order=mapping.date_order)
            if found is not None:
                return found if role == DATE else When(day=found.day)
    return None


def _timed(when: When, said: dict[str, str], troubles: _Troubles, number: int) -> When:
    text = said.get(TIME, "")
    if not text:
        return when
    found = dates.time_of(text)
    if found is None:
        troubles.note(TIME, number)
        return when
    return When(day=when.day, clock=found, zone=when.zone)


def _at(when: When, zone: tzinfo) -> datetime:
    """Return the moment; a day without a time is dated at noon in UTC, which is that day nearly everywhere."""
    if when.clock is None:
        return datetime.combine(when.day, NOON, UTC)
    return datetime.combine(when.day, when.clock, when.zone or zone).astimezone(UTC)


# Sleep


def _night(
    said: dict[str, str], when: When, mapping: Mapping, zone: tzinfo, troubles: _Troubles, number: int
) -> Night | None:
    asleep = numbers.minutes(said[SLEEP]) if said.get(SLEEP) else None
    if said.get(SLEEP) and asleep is None:
        troubles.note(SLEEP, number)
    bed, wake = (_clock(said.get(role, ""), mapping, zone) for role in (BED, WAKE))
    for role, found in ((BED, bed), (WAKE, wake)):
        if said.get(role) and found is None:
            troubles.note(role, number)
    start, end = _span(bed, wake, when.day, zone, evening=mapping.night_date == "evening")
    if asleep is None and (start is None or end is None):
        return None
    in_bed = (end - start) / timedelta(minutes=1) if start and end else None
    days = timedelta(days=1 if mapping.night_date == "evening" and end is None else 0)
    return Night(
        provider=mapping.provider,
        wake_date=end.astimezone(zone).date() if end else when.day + days,
        start_at=start and start.astimezone(UTC),
        end_at=end and end.astimezone(UTC),
        time_zone=getattr(zone, "key", ""),
        asleep_min=asleep,
        in_bed_min=in_bed,
    )


def _clock(text: str, mapping: Mapping, zone: tzinfo) -> datetime | time | None:
    """Return a moment when the cell has a date, a time of day when it has none."""
    found = dates.when(text, order=mapping.date_order) if text else None
    if found is not None and found.clock is not None:
        return datetime.combine(found.day, found.clock, found.zone or zone)
    return dates.time_of(text) if text else None


def _span(
    bed: datetime | time | None, wake: datetime | time | None, day: date, zone: tzinfo, *, evening: bool
) -> tuple[datetime | None, datetime | None]:
    """Return when the night began and ended; of a time of day the row's date says which it was."""
    if isinstance(bed, datetime) and isinstance(wake, time):
        wake = _first_after(bed, wake, zone)
    elif isinstance(bed, time) and isinstance(wake, datetime):
        bed = _last_before(wake, bed, zone)
    elif isinstance(bed, time) and isinstance(wake, time):
        if evening:
            # Whoever goes to bed after midnight still calls it the day before.
            late = timedelta(days=1 if bed < NOON else 0)
            bed = datetime.combine(day + late, bed, zone)
            wake = _first_after(bed, wake, zone)
        else:
            wake = datetime.combine(day, wake, zone)
            bed = _last_before(wake, bed, zone)
    start = bed if isinstance(bed, datetime) else None
    end = wake if isinstance(wake, datetime) else None
    if start and end and not timedelta() < end.astimezone(UTC) - start.astimezone(UTC) <= timedelta(days=1):
        return None, None
    return start and start.astimezone(UTC), end and end.astimezone(UTC)


def _first_after(begin: datetime, at: time, zone: tzinfo) -> datetime:
    local = begin.astimezone(zone)
    found = datetime.combine(local.date(), at, zone)
    return found if found > local else datetime.combine(local.date() + timedelta(days=1), at, zone)


def _last_before(end: datetime, at: time, zone: tzinfo) -> datetime:
    local = end.astimezone(zone)
    found = datetime.combine(local.date(), at, zone)
    return found if found < local else datetime.combine(local.date() - timedelta(days=1), at, zone)

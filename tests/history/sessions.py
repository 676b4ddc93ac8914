"""Sessions of years with every column filled plausibly, their recordings, files, imports and best efforts."""

import math
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np

from coach import stored
from coach.formats import Recording
from coach.metrics.kind import KINDS
from coach.metrics.sketch import sketch
from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best, ImportFile, ImportRun, Provenance, Sketch, Source, Streams
from coach.streams import pack
from tests import factories

SPORTS = (("cycling", 28.0), ("running", 11.0), ("running", 12.0), ("cycling", 31.0), ("swimming", 2.8))
BESTS = {"power": (5, 60, 300, 1200, 3600), "time": (1000, 5000, 10_000, 21_097)}
RECORDED = 10  # one in so many sessions has samples; of the newest, all
NEWEST = 12
IMPORTS_A_YEAR = 30
SOURCES = ("Watch", "Bike computer", "Phone")
DOUBTS = ["The device lost heart rate for 3 min; the gap is shown.", "Two power spikes were left out."]


def make(athlete: Athlete, *, days: int, sessions_a_year: int) -> list[Activity]:
    """Make and return the sessions, the oldest first; the last one is of today."""
    chance = random.Random(7)
    count = round(days / 365 * sessions_a_year)
    today = athlete.today()
    sources = [factories.source(athlete, name) for name in SOURCES]
    dates = [today - timedelta(days=round((count - 1 - number) * days / count)) for number in range(count)]
    rows = [
        session(athlete, day, chance, number=number, source=sources[number % 3]) for number, day in enumerate(dates)
    ]
    made = Activity.objects.bulk_create(rows, batch_size=1000)
    with_recordings(athlete, made, files_of(sources, made, every=round(sessions_a_year / IMPORTS_A_YEAR)))
    Best.objects.bulk_create([best for row in made for best in bests(row, chance)], batch_size=5000)
    return made


def session(athlete: Athlete, day: date, chance: random.Random, *, number: int, source: Source) -> Activity:
    sport, kmh = SPORTS[(number + number // len(SPORTS)) % len(SPORTS)]  # what there is must not hang on today's date
    timer_s = chance.choice([1800, 2700, 3600, 4500, 7200, 10_800]) + chance.randrange(600)
    share = 0.62 + chance.random() * 0.35  # of threshold
    wave = 1 + 0.25 * math.sin(day.toordinal() / 58)
    watts = round(250 * share, 1) if sport == "cycling" else None
    return Activity(
        athlete=athlete,
        source=source,
        started_at=datetime.combine(day, time(5, chance.randrange(60)), tzinfo=UTC),
        time_zone=athlete.time_zone,
        local_date=day,
        sport=sport,
        name=chance.choice(["", "", "Around the lake", "Morning before work"]),
        indoor=sport == "cycling" and chance.random() < 0.2,
        timer_s=timer_s,
        moving_s=timer_s - chance.randrange(120),
        elapsed_s=timer_s + chance.randrange(400),
        distance_m=round(kmh / 3.6 * timer_s * (0.7 + share * 0.4)),
        ascent_m=None if sport == "swimming" else chance.randrange(40, 900),
        energy_kcal=round(timer_s * 0.17),
        heart_rate_avg_bpm=round(168 * (0.55 + share * 0.45), 1),
        heart_rate_max_bpm=round(168 * (0.7 + share * 0.4), 1),
        cadence_avg_rpm=84.0,
        power_avg_w=watts,
        normalized_power_w=watts and watts * 1.06,
        intensity_factor=watts and share,
        variability_index=watts and 1.06,
        graded_speed_mps=kmh / 3.6 if sport == "running" else None,
        efficiency_factor=1.2 + chance.random() * 0.4,
        decoupling_pct=chance.random() * 8,
        trimp=timer_s / 60 * share,
        load=round(timer_s / 36 * share**2 * wave, 2),
        load_from={"cycling": "power", "running": "pace"}.get(sport, "heart_rate"),
        zone_seconds=zones(timer_s, chance),
        flags=DOUBTS if chance.random() < 0.1 else [],
        laps=laps(timer_s, kmh),
        pauses=[{"start_s": 900.0, "duration_s": 60.0}],
        session_type=chance.choice(KINDS),
        stated_type=chance.choice(["", "", "", "tempo"]),
        effort=chance.choice([None, 3, 6, 8]),
        note=chance.choice(["", "", "Legs felt heavy until the first climb, then better."]),
        is_race=chance.random() < 0.02,
        is_ignored=chance.random() < 0.01,
    )


def zones(timer_s: float, chance: random.Random) -> dict[str, list[float]]:
    parts = [chance.random() / (place + 1) for place in range(7)]
    return {
        "heart_rate": [round(timer_s * part / sum(parts)) for part in parts],
        "heart_rate_bounds_bpm": [143.0, 151.0, 160.0, 168.0, 173.0, 178.0],
    }


def laps(timer_s: float, kmh: float) -> list[dict[str, Any]]:
    each = 300.0
    return [
        {"start_s": start * each, "elapsed_s": each, "timer_s": each, "distance_m": kmh / 3.6 * each, "trigger": "time"}
        for start in range(int(timer_s / each))
    ]


def files_of(sources: Sequence[Source], made: Sequence[Activity], *, every: int) -> list[ImportFile]:
    """Make a file for each session, in imports of so many, and in each import files with every other outcome."""
    runs = ImportRun.objects.bulk_create(
        ImportRun(source=sources[start // every % len(sources)]) for start in range(0, len(made), every)
    )
    files = ImportFile.objects.bulk_create(
        (
            ImportFile(
                run=runs[number // every], name=f"{row.local_date}-{row.sport}.fit", size=184_000 + number,
                sha256=f"{row.athlete_id:032x}{number:032x}", outcome="imported",
            )
            for number, row in enumerate(made)
        ),
        batch_size=1000,
    )  # fmt: skip
    ImportFile.objects.bulk_create(
        ImportFile(run=run, name=f"{outcome}.fit", size=900, sha256=f"{run.pk:054x}{outcome}"[:64], outcome=outcome,
                   sentence="It holds no session: the watch wrote it when it was set up.")
        for run in runs
        for outcome in ("duplicate", "ignored", "refused")
    )  # fmt: skip
    return files


def with_recordings(athlete: Athlete, made: Sequence[Activity], files: Sequence[ImportFile]) -> None:
    rows = Provenance.objects.bulk_create(
        (
            Provenance(
                activity=row, athlete=athlete, file=file, sha256=file.sha256, session=0, format="fit",
                device="Edge 540", started_at=row.started_at, timer_s=row.timer_s, distance_m=row.distance_m,
                header=header(row),
            )
            for row, file in zip(made, files, strict=True)
        ),
        batch_size=1000,
    )  # fmt: skip
    packed = pack(samples())
    chosen = [row for number, row in enumerate(rows) if number % RECORDED == 0 or number >= len(rows) - NEWEST]
    Streams.objects.bulk_create(
        (Streams(provenance=row, samples=3600, packed=packed) for row in chosen), batch_size=500
    )
    drawn = {name: sketch(samples(), pauses=(), sport=sport(name), indoors=False).drawn for name, _ in SPORTS}
    Sketch.objects.bulk_create(
        (Sketch(activity=row.activity, drawn=drawn[row.activity.sport]) for row in chosen), batch_size=500
    )
    join(chosen[-NEWEST:])


def header(row: Activity) -> Mapping[str, Any]:
    said = {"sport": row.sport, "started_at": row.started_at, "elapsed_s": row.elapsed_s, "timer_s": row.timer_s}
    return stored.header_of(Recording(format="fit", **said))


def join(leading: Sequence[Provenance]) -> None:
    """Give sessions a second recording, as of a phone beside the watch, and say what each gave."""
    for row in leading:
        row.gave = ["time", "heart_rate_bpm", "power_w", "latitude_deg", "longitude_deg"]
    Provenance.objects.bulk_update(leading, ["gave"])
    beside = Provenance.objects.bulk_create(
        Provenance(
            activity=row.activity, athlete=row.athlete, file=row.file, sha256=row.sha256, session=1, format="gpx",
            precedence=3, started_at=row.started_at, timer_s=row.timer_s, header=row.header, gave=["altitude_m"],
        )
        for row in leading
    )  # fmt: skip
    Streams.objects.bulk_create(Streams(provenance=row, samples=3600, packed=pack(samples())) for row in beside)


def samples() -> dict[str, np.ndarray]:
    """Return an hour a second long, with hills, a heart and a way that is no straight line."""
    at = np.arange(3600.0)
    chance = np.random.default_rng(7)
    return {
        "time_s": at,
        "heart_rate_bpm": np.round(140 + 12 * np.sin(at / 300) + chance.normal(0, 2, at.size)),
        "power_w": np.round(np.clip(190 + 60 * np.sin(at / 240) + chance.normal(0, 25, at.size), 0, None)),
        "cadence_rpm": np.round(86 + chance.normal(0, 3, at.size)),
        "speed_mps": np.round(8 + np.sin(at / 200) + chance.normal(0, 0.2, at.size), 2),
        "altitude_m": np.round(220 + 60 * np.sin(at / 500), 1),
        "latitude_deg": np.round(52.4 + 0.03 * np.sin(at / 570), 6),
        "longitude_deg": np.round(13.2 + 0.05 * np.cos(at / 430), 6),
        "distance_m": np.round(np.cumsum(np.full(at.size, 8.0)), 1),
    }


def bests(row: Activity, chance: random.Random) -> list[Best]:
    family = {"cycling": "cycling", "running": "running"}.get(row.sport)
    if family is None:
        return []
    measure = "power" if family == "cycling" else "time"
    better = chance.random() * 0.2
    return [
        Best(
            activity=row, athlete_id=row.athlete_id, family=family, measure=measure, span=span,
            value=250 * (5000 / span) ** 0.15 * (0.8 + better) if measure == "power" else span * (0.34 - better / 5),
            local_date=row.local_date, doubt="virtual" if chance.random() < 0.03 else "",
        )
        for span in BESTS[measure]
    ]  # fmt: skip

"""A generated Apple Health export of any size: years of days with values that vary, and what is in it exactly."""

import zipfile
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from random import Random

from tests.traps import apple_xml as made

VARIANTS = 40
HEARTS, ENERGIES, WALKS = 600, 1000, 100  # records a day
DAY = date(2016, 1, 2)
MARK = "2000-01-02"  # stands for the day in a text that is made once
EVENING = "2000-01-01"
ZONE = timezone(timedelta(hours=1))
LEVEL = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    days: int
    xml_bytes: int
    steps: int  # of all days
    hearts: int


def write(path: Path, *, xml_bytes: int) -> Bulk:
    """Write an export.zip with at least so many bytes of XML."""
    chance = Random(7)
    variants = [_day(chance) for _ in range(VARIANTS)]
    days = written = steps = 0
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive,
        archive.open("apple_health_export/export.xml", "w", force_zip64=True) as xml,
    ):
        written += xml.write(made.xml(end=""))
        while written < xml_bytes:
            text, walked = variants[days % VARIANTS]
            day = DAY + timedelta(days=days)
            dated = text.replace(MARK, f"{day}").replace(EVENING, f"{day - timedelta(days=1)}")
            written += xml.write(dated.encode())
            steps += walked
            days += 1
        written += xml.write(b"</HealthData>\n")
    return Bulk(days=days, xml_bytes=written, steps=steps, hearts=HEARTS)


def _day(chance: Random) -> tuple[str, int]:
    """Return the records of a day, and its steps."""
    midnight = datetime(2000, 1, 2, tzinfo=ZONE)
    walks = [chance.randint(1, 400) for _ in range(WALKS)]
    seconds = sorted(chance.sample(range(86_400), HEARTS + ENERGIES + WALKS))
    records = [made.weight(midnight + timedelta(hours=7), f"{chance.uniform(60, 90):.2f}", source="Scale")]
    start = midnight - timedelta(hours=1)
    for stage in ("AsleepCore", "AsleepDeep", "AsleepREM", "Awake", "AsleepCore"):
        records.append(made.slept(start, 90, stage))
        start += timedelta(minutes=90)
    kinds = ["HeartRate"] * HEARTS + ["ActiveEnergyBurned"] * ENERGIES + ["StepCount"] * WALKS
    chance.shuffle(kinds)
    left = list(walks)
    for second, kind in zip(seconds, kinds, strict=True):
        at = midnight + timedelta(seconds=second)
        if kind == "HeartRate":
            records.append(made.heart(at, chance.randint(45, 180)))
        elif kind == "StepCount":
            records.append(made.quantity(kind, at, left.pop(), "count"))
        else:
            records.append(made.quantity(kind, at, f"{chance.uniform(0, 3):.4f}", "kcal"))
    return "".join(records), sum(walks)

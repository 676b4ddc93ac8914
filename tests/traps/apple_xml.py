"""Apple Health exports, made record by record: as phones write them, and with every trap they set."""

import io
import zipfile
from datetime import datetime, timedelta
from xml.sax.saxutils import quoteattr

DTD = """<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
"""
# As iOS 16 writes it: an attribute list inside of another, and a comment that never ends.
BROKEN_DTD = DTD.replace("]>", "<!ATTLIST HealthData\n  <!ATTLIST Me\n  locale CDATA #REQUIRED\n>\n<!-- \n]>")
DEVICE = "<<HKDevice: 0x1>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,2>"
WATCH, PHONE = "Apple Watch", "Ana's iPhone"
QUANTITY, STAGE = "HKQuantityTypeIdentifier", "HKCategoryValueSleepAnalysis"


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S %z")


def record(kind: str, at: datetime, value: object, unit: str, *, source: str = WATCH, until: datetime | None = None,
           inside: str = "") -> str:  # fmt: skip
    said = (
        f'type="{kind}" sourceName={quoteattr(source)} sourceVersion="11.1" device={quoteattr(DEVICE)} unit="{unit}"'
        f' creationDate="{stamp(at)}" startDate="{stamp(at)}" endDate="{stamp(until or at)}" value="{value}"'
    )
    return f" <Record {said}>{inside}</Record>\n" if inside else f" <Record {said}/>\n"


def quantity(kind: str, at: datetime, value: object, unit: str, **more: object) -> str:
    return record(f"{QUANTITY}{kind}", at, value, unit, **more)  # type: ignore[arg-type]


def heart(at: datetime, value: object, **more: object) -> str:
    return quantity("HeartRate", at, value, "count/min", **more)


def weight(at: datetime, value: object, unit: str = "kg", **more: object) -> str:
    return quantity("BodyMass", at, value, unit, **more)


def metadata(key: str, value: str) -> str:
    return f'<MetadataEntry key="{key}" value="{value}"/>'


def slept(start: datetime, minutes: float, stage: str, *, source: str = WATCH, zone: str = "") -> str:
    inside = metadata("HKTimeZone", zone) if zone else ""
    end = start + timedelta(minutes=minutes)
    kind = "HKCategoryTypeIdentifierSleepAnalysis"
    return record(kind, start, f"{STAGE}{stage}", "", source=source, until=end, inside=inside)


def workout(kind: str, start: datetime, minutes: float, *inside: str, elapsed: float | None = None) -> str:
    end = start + timedelta(minutes=elapsed or minutes)
    return (
        f' <Workout workoutActivityType="HKWorkoutActivityType{kind}" duration="{minutes}" durationUnit="min"'
        f' sourceName="{WATCH}" startDate="{stamp(start)}" endDate="{stamp(end)}">{"".join(inside)}</Workout>\n'
    )


def statistic(kind: str, unit: str, **values: object) -> str:
    said = " ".join(f'{name}="{value}"' for name, value in values.items())
    return f'<WorkoutStatistics type="{QUANTITY}{kind}" {said} unit="{unit}"/>'


def route(*names: str) -> str:
    files = "".join(f'<FileReference path="/workout-routes/{name}"/>' for name in names)
    return f"<WorkoutRoute>{files}</WorkoutRoute>"


def xml(*records: str, dtd: str = DTD, end: str = "</HealthData>\n") -> bytes:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n{dtd}<HealthData locale="de_DE">\n <Me/>\n'
    return (head + "".join(records) + end).encode()


def gpx(start: datetime, *, seconds: int = 600, latitude: float = 52.5) -> bytes:
    """Return a route as Health writes it: a second a point, due north, times in UTC, no sport."""
    utc = start - (start.utcoffset() or timedelta())
    points = "".join(
        f'<trkpt lon="13.4" lat="{latitude + second * 0.00003:.6f}"><ele>40</ele>'
        f"<time>{(utc + timedelta(seconds=second)):%Y-%m-%dT%H:%M:%SZ}</time></trkpt>"
        for second in range(seconds)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="Apple Health Export"'
        f' xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Route</name><trkseg>{points}</trkseg></trk></gpx>'
    ).encode()


def export(document: bytes, *, name: str = "apple_health_export/export.xml", **routes: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, document)
        archive.writestr("apple_health_export/export_cda.xml", "<?xml version='1.0'?><ClinicalDocument/><b/>")
        for route_name, data in routes.items():
            archive.writestr(f"apple_health_export/workout-routes/{route_name}.gpx", data)
    return packed.getvalue()

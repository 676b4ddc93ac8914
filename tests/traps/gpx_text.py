"""Writes GPX documents for tests of the reader."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
START = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
STEP_DEG = 3 / 111_195  # three metres northward


def point(index: int, *, time: str | None = "", lat: float | None = None, more: str = "") -> str:
    """Return a point a second and three metres after the last; time None leaves it out."""
    at = (START + timedelta(seconds=index)).strftime("%Y-%m-%dT%H:%M:%SZ") if time == "" else time
    written = "" if at is None else f"<time>{at}</time>"
    latitude = 52.5 + index * STEP_DEG if lat is None else lat
    return f'<trkpt lat="{latitude:.7f}" lon="13.4000000"><ele>34.0</ele>{written}{more}</trkpt>'


def points(indices: Iterable[int]) -> str:
    return "".join(point(index) for index in indices)


def extension(prefix: str, *, heart_rate: int) -> str:
    return (
        f"<extensions><{prefix}:TrackPointExtension><{prefix}:hr>{heart_rate}</{prefix}:hr>"
        f"<{prefix}:cad>84</{prefix}:cad><{prefix}:atemp>19</{prefix}:atemp>"
        f"</{prefix}:TrackPointExtension></extensions>"
    )


def track(*segments: str, name: str = "Morning run", sport: str = "running") -> str:
    inner = "".join(f"<trkseg>{segment}</trkseg>" for segment in segments)
    return f"<trk><name>{name}</name><type>{sport}</type>{inner}</trk>"


def document(*parts: str, head: str = HEAD, namespaces: Sequence[str] = ()) -> bytes:
    declared = " ".join(['xmlns="http://www.topografix.com/GPX/1/1"', *namespaces])
    return f'{head}<gpx version="1.1" creator="Tester 1" {declared}>{"".join(parts)}</gpx>'.encode()

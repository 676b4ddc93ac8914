"""Writes TCX documents for tests of the reader."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
NAMESPACE = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"


def when(second: float) -> str:
    return (START + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")


def point(second: float, *, metres: float | None = None, more: str = "", place: bool = True) -> str:
    metres = second * 3.0 if metres is None else metres
    position = f"<Position><LatitudeDegrees>{52.5 + metres / 111_195:.7f}</LatitudeDegrees>"
    position += "<LongitudeDegrees>13.4</LongitudeDegrees></Position>"
    return (
        f"<Trackpoint><Time>{when(second)}</Time>{position if place else ''}"
        f"<AltitudeMeters>34.2</AltitudeMeters><DistanceMeters>{metres}</DistanceMeters>"
        f"<HeartRateBpm><Value>140</Value></HeartRateBpm>{more}</Trackpoint>"
    )


def lap(start: float, *tracks: str, seconds: float, metres: float, more: str = "") -> str:
    inner = "".join(f"<Track>{track}</Track>" for track in tracks)
    return (
        f'<Lap StartTime="{when(start)}"><TotalTimeSeconds>{seconds}</TotalTimeSeconds>'
        f"<DistanceMeters>{metres}</DistanceMeters><Calories>20</Calories>{more}{inner}</Lap>"
    )


def activity(*laps: str, start: float = 0, sport: str = "Running", device: str = "Tester 1") -> str:
    creator = f"<Creator><Name>{device}</Name></Creator>" if device else ""
    return f'<Activity Sport="{sport}"><Id>{when(start)}</Id>{"".join(laps)}{creator}</Activity>'


def document(*activities: str, head: str = '<?xml version="1.0"?>', inside: str = "Activities") -> bytes:
    body = f"<{inside}>{''.join(activities)}</{inside}>"
    return f'{head}<TrainingCenterDatabase xmlns="{NAMESPACE}">{body}</TrainingCenterDatabase>'.encode()

"""Writes a recording as TCX 2 with Garmin's extensions for speed, power and running cadence."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import pairwise

import numpy as np

from coach.demo.stretches import Stretch, stretch
from coach.demo.xml_text import elements, joined, stamp, text, times
from coach.formats.recording import Lap, Recording

SPORTS = {"running": "Running", "cycling": "Biking"}  # the schema knows these two and Other

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" '
    'xmlns:x="http://www.garmin.com/xmlschemas/ActivityExtension/v2" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
    '<Activities><Activity Sport="{sport}"><Id>{time}</Id>\n'
)
_TAIL = (
    "<Notes>{name}</Notes>"
    '<Creator xsi:type="Device_t"><Name>{device}</Name><UnitId>0</UnitId><ProductID>1</ProductID>'
    "<Version><VersionMajor>4</VersionMajor><VersionMinor>2</VersionMinor></Version></Creator>\n"
    "</Activity></Activities></TrainingCenterDatabase>\n"
)


def encode(recording: Recording) -> bytes:
    """Return the recording as TCX: its laps, and inside a lap a new track after each pause."""
    points = _points(recording)
    laps = "".join(_lap(recording, lap=lap, points=points) for lap in recording.laps)
    head = _HEAD.format(sport=SPORTS.get(recording.sport, "Other"), time=stamp(recording.started_at))
    tail = _TAIL.format(name=text(recording.name), device=text(recording.device))
    return (head + laps + tail).encode()


def _lap(recording: Recording, *, lap: Lap, points: Sequence[str]) -> str:
    end_s = lap.start_s + lap.elapsed_s
    part = stretch(recording, from_s=lap.start_s, to_s=end_s)
    started = stamp(recording.started_at + timedelta(seconds=lap.start_s))
    share = lap.timer_s / recording.timer_s
    return (
        f'<Lap StartTime="{started}"><TotalTimeSeconds>{lap.timer_s:.1f}</TotalTimeSeconds>'
        f"<DistanceMeters>{part.distance_m:.2f}</DistanceMeters>"
        f"<Calories>{share * (recording.energy_kcal or 0.0):.0f}</Calories>"
        f"{_heart_rate(part.summary)}<Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>\n"
        f"{_tracks(recording, lap=lap, points=points)}{_lap_extension(part)}</Lap>\n"
    )


def _heart_rate(summary: Mapping[str, float]) -> str:
    return "".join(
        f"<{tag}><Value>{summary[name]:.0f}</Value></{tag}>"
        for name, tag in (
            ("avg_heart_rate_bpm", "AverageHeartRateBpm"),
            ("max_heart_rate_bpm", "MaximumHeartRateBpm"),
        )
        if name in summary
    )


def _tracks(recording: Recording, *, lap: Lap, points: Sequence[str]) -> str:
    """Return the lap's samples, a track between pauses; a sample on the edge belongs to the lap that ends."""
    time_s = recording.streams["time_s"]
    end_s = lap.start_s + lap.elapsed_s
    restarts = [pause.start_s + pause.duration_s for pause in recording.pauses]
    cuts = [lap.start_s, *(at for at in restarts if lap.start_s < at < end_s)]
    first, *later = np.searchsorted(time_s, cuts, side="left").tolist()
    if lap.start_s > 0:
        first += 1
    edges = [first, *later, int(np.searchsorted(time_s, end_s, side="right"))]
    return "".join(
        "<Track>\n" + "\n".join(points[begin:end]) + "\n</Track>\n" for begin, end in pairwise(edges) if end > begin
    )


def _lap_extension(part: Stretch) -> str:
    if "avg_power_w" not in part.summary:
        return ""
    watts = f"<x:AvgWatts>{part.summary['avg_power_w']:.0f}</x:AvgWatts>"
    watts += f"<x:MaxWatts>{part.summary['max_power_w']:.0f}</x:MaxWatts>"
    return f"<Extensions><x:LX>{watts}</x:LX></Extensions>"


def _points(recording: Recording) -> list[str]:
    streams = recording.streams
    stamps = [f"<Trackpoint><Time>{time}</Time>" for time in times(recording.started_at, streams["time_s"])]
    columns = [stamps, *_position(recording)]
    columns.append(elements("<DistanceMeters>", streams["distance_m"], "</DistanceMeters>", digits=2))
    if "heart_rate_bpm" in streams:
        heart = elements("<HeartRateBpm><Value>", streams["heart_rate_bpm"], "</Value></HeartRateBpm>", digits=0)
        columns.append(heart)
    if recording.sport == "cycling" and "cadence_rpm" in streams:
        columns.append(elements("<Cadence>", streams["cadence_rpm"], "</Cadence>", digits=0))
    return joined(*columns, _point_extensions(recording), ["</Trackpoint>"] * len(stamps))


def _position(recording: Recording) -> list[list[str]]:
    streams = recording.streams
    if "latitude_deg" not in streams:
        return []
    return [
        elements("<Position><LatitudeDegrees>", streams["latitude_deg"], "</LatitudeDegrees>", digits=6),
        elements("<LongitudeDegrees>", streams["longitude_deg"], "</LongitudeDegrees></Position>", digits=6),
        elements("<AltitudeMeters>", streams["altitude_m"], "</AltitudeMeters>", digits=1),
    ]


def _point_extensions(recording: Recording) -> list[str]:
    streams = recording.streams
    count = len(streams["time_s"])
    inside = [elements("<x:Speed>", streams["speed_mps"], "</x:Speed>", digits=2)]
    if recording.sport == "running" and "cadence_rpm" in streams:
        inside.append(elements("<x:RunCadence>", streams["cadence_rpm"], "</x:RunCadence>", digits=0))
    if "power_w" in streams:
        inside.append(elements("<x:Watts>", streams["power_w"], "</x:Watts>", digits=0))
    return joined(["<Extensions><x:TPX>"] * count, *inside, ["</x:TPX></Extensions>"] * count)

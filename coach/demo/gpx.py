"""Writes a recording as GPX 1.1 with Garmin's extensions for everything but the position."""

import numpy as np

from coach.demo.xml_text import elements, joined, stamp, text, times
from coach.formats.recording import Recording

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gpx version="1.1" creator="{device}" xmlns="http://www.topografix.com/GPX/1/1" '
    'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" '
    'xmlns:pwr="http://www.garmin.com/xmlschemas/PowerExtension/v1">\n'
    "<metadata><time>{time}</time></metadata>\n"
    "<trk><name>{name}</name><type>{sport}</type>\n"
)

# The schema fixes this order inside TrackPointExtension.
_EXTENDED = (
    ("heart_rate_bpm", "hr", 0),
    ("cadence_rpm", "cad", 0),
    ("speed_mps", "speed", 2),
)


def encode(recording: Recording) -> bytes:
    """Return the recording as GPX: one track, a new segment after each pause. It must have positions."""
    head = _HEAD.format(
        device=text(recording.device),
        time=stamp(recording.started_at),
        name=text(recording.name),
        sport=recording.sport,
    )
    points = _points(recording)
    segments = np.split(np.arange(len(points)), _restarts(recording))
    body = "".join(_segment([points[index] for index in segment]) for segment in segments)
    return (head + body + "</trk>\n</gpx>\n").encode()


def _segment(points: list[str]) -> str:
    return "<trkseg>\n" + "\n".join(points) + "\n</trkseg>\n"


def _restarts(recording: Recording) -> list[int]:
    """Return the index of the first sample after each pause."""
    ends = [pause.start_s + pause.duration_s for pause in recording.pauses]
    return [int(index) for index in np.searchsorted(recording.streams["time_s"], ends)]


def _points(recording: Recording) -> list[str]:
    streams = recording.streams
    stamps = [f"<time>{time}</time>" for time in times(recording.started_at, streams["time_s"])]
    return joined(
        elements('<trkpt lat="', streams["latitude_deg"], '"', digits=6),
        elements(' lon="', streams["longitude_deg"], '">', digits=6),
        elements("<ele>", streams["altitude_m"], "</ele>", digits=1),
        stamps,
        _extensions(recording),
        ["</trkpt>"] * len(stamps),
    )


def _extensions(recording: Recording) -> list[str]:
    streams = recording.streams
    count = len(streams["time_s"])
    extended = [
        elements(f"<gpxtpx:{tag}>", streams[name], f"</gpxtpx:{tag}>", digits=digits)
        for name, tag, digits in _EXTENDED
        if name in streams
    ]
    power = []
    if "power_w" in streams:
        power.append(elements("<pwr:PowerInWatts>", streams["power_w"], "</pwr:PowerInWatts>", digits=0))
    return joined(
        ["<extensions>"] * count,
        *power,
        ["<gpxtpx:TrackPointExtension>"] * count,
        *extended,
        ["</gpxtpx:TrackPointExtension></extensions>"] * count,
    )

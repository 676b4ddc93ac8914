"""The route of a workout that was recorded in several pieces, as one GPX document."""

import re
from collections.abc import Sequence

TRACK = re.compile(rb"<trk[\s>].*?</trk>", re.S)
TIME = re.compile(rb"<trkpt\b.*?<time>\s*([^<]*?)\s*</time>", re.S)
HEAD = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n'
    b'<gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">\n'
)


def joined(routes: Sequence[bytes]) -> bytes:
    """Return the only route as it is; of several one document with their tracks, by when they began."""
    if len(routes) == 1:
        return routes[0]
    tracks = sorted((track for route in routes for track in TRACK.findall(route)), key=_began)
    return HEAD + b"\n".join(tracks) + b"\n</gpx>\n"


def _began(track: bytes) -> bytes:
    first = TIME.search(track)
    return first[1] if first else b""

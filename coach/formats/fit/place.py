"""What was done and where: sport, indoors or not, made-up world or not, and the device's idea of local time."""

from collections.abc import Mapping

import numpy as np

from coach.formats import moments, sports
from coach.formats.fit import device
from coach.formats.fit.frames import Part
from coach.formats.fit.legs import Leg, moment
from coach.formats.recording import Array

DATED_FROM = 0x10000000  # smaller times count from when the device was switched on
MOVED_DEG = 0.01  # about a kilometre: who moves that far indoors is in a made-up world


def sport(part: Part, leg: Leg) -> tuple[str, str]:
    """Return sport and sub sport in FIT's words, from the summary or else the last that was announced."""
    laps = [lap for lap in part.all("lap") if leg.holds(lap.get("start_time"))]
    for message in (leg.session, *reversed(part.all("sport")), *reversed(laps)):
        main, sub = message.get("sport"), message.get("sub_sport")
        if isinstance(main, str):
            return main[:32], sub[:32] if isinstance(sub, str) and sub != "generic" else ""
    return sports.GENERIC


def is_virtual(part: Part, sub_sport: str, streams: Mapping[str, Array]) -> bool:
    if sub_sport == "virtual_activity" or device.is_virtual_maker(part):
        return True
    if sub_sport not in sports.INDOOR or "latitude_deg" not in streams:
        return False
    corners = (streams["latitude_deg"], streams["longitude_deg"])
    return any(float(np.nanmax(column) - np.nanmin(column)) > MOVED_DEG for column in corners)


def is_indoor(sport: str, sub_sport: str, streams: Mapping[str, Array]) -> bool:
    """Say whether it was indoors: the device says so, or a ride was recorded without a single position."""
    rode_nowhere = sport == "cycling" and bool(streams) and "latitude_deg" not in streams
    return sub_sport in sports.INDOOR or rode_nowhere


def utc_offset_min(part: Part) -> int | None:
    activity = part.first("activity")
    local_s, at_s = moment(activity, "local_timestamp"), moment(activity, "timestamp")
    if local_s is None or at_s is None:
        return None
    if at_s < DATED_FROM:
        return 0  # the start was taken from the local time, so the clock on the wall reads as UTC
    return moments.plausible_offset_min(local_s - at_s)


def clock_shift_s(part: Part, at_s: float) -> float:
    """Return what to add to a device's seconds that count from its switching on; 0 for a dated device."""
    activity = part.first("activity")
    local_s, end_s = moment(activity, "local_timestamp"), moment(activity, "timestamp")
    if at_s >= DATED_FROM or local_s is None or end_s is None or end_s >= DATED_FROM:
        return 0.0
    return local_s - end_s

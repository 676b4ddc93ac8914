"""Makes of a recording what the metrics read: plausible streams, the grid, and remarks on what that took."""

from collections.abc import Mapping
from dataclasses import dataclass

from coach.formats.recording import Array, Recording
from coach.metrics.clean import plausible
from coach.metrics.grid import HOLD_SECONDS, Grid, hold_for, resample
from coach.metrics.motion import with_distance
from coach.metrics.power import with_coasting

# What the metrics read second by second; the other streams are kept, but nothing is computed from them.
READ = ("time_s", "altitude_m", "distance_m", "heart_rate_bpm", "cadence_rpm", "power_w")
MASKED_WORDS = {
    "power_w": "power",
    "heart_rate_bpm": "heart rate",
    "speed_mps": "speed",
    "altitude_m": "altitude",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    streams: Mapping[str, Array]
    grid: Grid
    remarks: tuple[str, ...]


def prepare(recording: Recording) -> Prepared:
    """Leave out what is implausible, make a distance from positions where there is none, and put all on the grid."""
    kept, masked = plausible(recording.streams)
    streams = with_distance(kept)
    held_s = hold_for(streams["time_s"]) if "time_s" in streams else HOLD_SECONDS
    read = {name: streams[name] for name in READ if name in streams}
    grid = resample(read, pauses=recording.pauses, hold_s=held_s)
    if grid.has("power_w"):
        grid = Grid(time_s=grid.time_s, streams={**grid.streams, "power_w": with_coasting(grid["power_w"])})
    remarks = (*mask_sentences(masked), *held_sentences(held_s))
    return Prepared(streams=streams, grid=grid, remarks=remarks)


def mask_sentences(masked: Mapping[str, int]) -> list[str]:
    return [
        f"{count} implausible {'value' if count == 1 else 'values'} of {MASKED_WORDS[name]} left out."
        for name, count in masked.items()
        if name in MASKED_WORDS
    ]


def held_sentences(held_s: float) -> list[str]:
    if held_s <= HOLD_SECONDS:
        return []
    return [f"This recording has few points, so values are held for up to {held_s:.0f} s between them."]

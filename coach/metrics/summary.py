"""Judges a session of which only a summary is known: no samples, but averages of whoever had them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from coach.formats.recording import Recording
from coach.metrics.effort import Effort
from coach.metrics.heart import trimp
from coach.metrics.load import Evidence, Load

LARGEST_NORMALIZED_W = 700.0
FROM_MEAN = (
    "Only the average heart rate of this session is known, so its load is taken from that; hard intervals in it"
    " count for too little."
)
FROM_WEIGHTED = (
    "The power of this session is the average that its provider had weighted; there are no samples to check."
)


def is_all(recording: Recording) -> bool:
    return not recording.streams


def effort(recording: Recording, *, done: Effort) -> Effort:
    """Take the weighted power that the summary states, unless the session is judged by its speed."""
    if done.graded_speed_mps is not None:
        return done
    told = recording.device_summary.get("normalized_power_w")
    return replace(done, normalized_power_w=told) if told and told <= LARGEST_NORMALIZED_W else done


def evidence(known: Evidence, *, heart_rate_avg_bpm: float | None) -> Evidence:
    """Let the average heart rate stand for every second: the only TRIMP from a mean, and it is said."""
    if known.heart is None or heart_rate_avg_bpm is None or known.timer_s <= 0:
        return replace(known, heart_rate_s=known.timer_s if heart_rate_avg_bpm else 0.0)
    minute = np.full(60, heart_rate_avg_bpm)
    impulse = trimp(minute, rest_bpm=known.heart.rest_bpm, max_bpm=known.heart.max_bpm, sex=known.sex)
    whole = None if impulse is None else impulse * known.timer_s / 60
    return replace(known, heart_rate_s=known.timer_s, trimp=whole)


def remarks(scored: Load) -> tuple[str, ...]:
    said: Mapping[str, str] = {"heart_rate": FROM_MEAN, "power": FROM_WEIGHTED}
    return (said[scored.way],) if scored.way in said else ()

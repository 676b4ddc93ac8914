"""The FIT messages that sum up a lap and the session."""

from coach.demo.fit_framing import Column, Rows, rows
from coach.demo.fit_messages import EVENT_TYPES, EVENTS, MESSAGES, SPORTS, SUB_SPORTS
from coach.demo.stretches import Stretch, stretch
from coach.formats.recording import Lap, Recording

METRIC = 0
MANUAL, SESSION_END = 0, 7


def lap_row(recording: Recording, *, lap: Lap, number: int, start: float) -> Rows:
    part = stretch(recording, from_s=lap.start_s, to_s=lap.start_s + lap.elapsed_s)
    columns = _span("lap", part, number=number, start=start)
    columns |= {
        "timer_s": lap.timer_s,
        "sport": SPORTS[recording.sport],
        "lap_trigger": SESSION_END if number == len(recording.laps) - 1 else MANUAL,
    }
    return rows("lap", columns=columns)


def session_row(recording: Recording, *, start: float) -> Rows:
    whole = stretch(recording, from_s=0.0, to_s=recording.elapsed_s)
    columns = _span("session", whole, number=0, start=start) | {
        "timer_s": recording.timer_s,
        "sport": SPORTS[recording.sport],
        "sub_sport": SUB_SPORTS[recording.sub_sport],
        "first_lap_index": 0,
        "num_laps": len(recording.laps),
        "trigger": 0,
    }
    stated = {
        "energy_kcal": recording.energy_kcal,
        "ascent_m": recording.ascent_m,
        "descent_m": recording.descent_m,
    }
    columns |= {name: value for name, value in stated.items() if value is not None}
    columns |= recording.device_summary
    if recording.pool_length_m is not None and recording.distance_m is not None:
        columns |= {
            "pool_length_m": recording.pool_length_m,
            "pool_length_unit": METRIC,
            "num_active_lengths": round(recording.distance_m / recording.pool_length_m),
        }
    return rows("session", columns=columns)


def _span(message: str, part: Stretch, *, number: int, start: float) -> dict[str, Column]:
    """Return the columns that laps and sessions share; what was not measured is left out."""
    columns: dict[str, Column] = {
        "timestamp": start + part.from_s + part.elapsed_s,
        "message_index": number,
        "event": EVENTS[message],
        "event_type": EVENT_TYPES["stop"],
        "start_time": start + part.from_s,
        "elapsed_s": part.elapsed_s,
        "distance_m": part.distance_m,
    }
    known = MESSAGES[message].fields
    return columns | {name: value for name, value in part.summary.items() if name in known}

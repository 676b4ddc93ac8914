"""Says what a FIT file is that holds no recording."""

from collections.abc import Mapping

from coach.formats.fit.frames import Part
from coach.formats.recording import NoTraining, Unreadable

NEXT = "Upload the files of your activities; on the device they are in the folder Activity."
KINDS: Mapping[str, str] = {
    "settings": "the settings of a device",
    "device": "the description of a device",
    "sport": "the settings of a sport",
    "workout": "a planned workout",
    "course": "a course to follow",
    "schedules": "a schedule",
    "weight": "weigh-ins",
    "totals": "the totals of a device",
    "goals": "goals",
    "blood_pressure": "blood pressure readings",
    "monitoring_a": "the steps and heart rate of a day",
    "monitoring_b": "the steps and heart rate of a day",
    "monitoring_daily": "the steps and heart rate of a day",
    "activity_summary": "the summary of activities",
    "segment": "a segment",
    "segment_list": "a list of segments",
}
MESSAGES: Mapping[str, str] = {
    "weight_scale": "weigh-ins",
    "monitoring": "the steps and heart rate of a day",
    "sleep_level": "a night's sleep",
    "hrv_status_summary": "a night's heart rate variability",
    "workout_step": "a planned workout",
    "course": "a course to follow",
}
DAMAGED = "The FIT file is damaged before its first sample. Copy it from the device again and upload that."
NOTHING = "The FIT file holds no samples: the recording was stopped before it began."


def is_planned(part: Part) -> bool:
    """Say whether the times in it are a plan, not what happened."""
    return part.first("file_id").get("type") in ("course", "segment", "workout")


def refused(parts: list[Part]) -> Unreadable:
    for part in parts:
        kind = KINDS.get(str(part.first("file_id").get("type")))
        kind = kind or next((words for name, words in MESSAGES.items() if part.counts[name]), None)
        if kind is not None:
            return NoTraining(f"The file holds {kind}, not a recording. {NEXT}")
    return Unreadable(DAMAGED if any(part.broken for part in parts) or not parts else NOTHING)

"""Gives a recording what only its row in activities.csv says: its title, and a sport the device did not know."""

from dataclasses import replace

from coach.formats.recording import Recording
from coach.formats.sports import GENERIC

E_BIKE = "e_biking"


def named(recording: Recording, *, row: Recording) -> Recording:
    """Return the recording with the athlete's own words; whatever was measured stays."""
    recording = replace(recording, name=row.name or recording.name)
    if recording.sport == GENERIC[0] or (row.sport == E_BIKE and recording.sport == "cycling"):
        recording = replace(recording, sport=row.sport, sub_sport=row.sub_sport or recording.sub_sport)
    if row.virtual and recording.sport == row.sport:
        return replace(recording, sub_sport=row.sub_sport, virtual=True, indoor=True)
    return recording

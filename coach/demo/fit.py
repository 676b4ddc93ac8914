"""Writes a recording as a FIT activity file."""

from collections.abc import Iterator
from datetime import datetime

import numpy as np

from coach.demo.fit_framing import FitFile, Rows, rows
from coach.demo.fit_messages import EVENT_TYPES, EVENTS, FILE_TYPES, MESSAGES
from coach.demo.fit_spans import lap_row, session_row
from coach.formats.recording import Recording

EPOCH_UNIX_S = 631_065_600  # FIT counts seconds from 1989-12-31T00:00:00Z
DEVELOPMENT = 255  # the manufacturer number for devices that belong to nobody
BAROMETER = 4
LOCAL_SOURCE = 5
SERIAL_NUMBER = 20_240_101


def encode(recording: Recording) -> bytes:
    """Return the recording as FIT: records with timer events and laps between, then session and activity."""
    file = FitFile()
    start = fit_seconds(recording.started_at)
    _write_head(file, recording, start=start)
    _write_course(file, recording, start=start)
    _write_tail(file, recording, start=start)
    return file.finish()


def settings_file(*, weight_kg: float, resting_bpm: float, created_at: datetime) -> bytes:
    """Return a device's settings: a sound FIT file without any recording."""
    file = FitFile()
    _put_file_id(file, type_="settings", device="Demo watch", created=fit_seconds(created_at))
    file.put("user_profile", weight_kg=weight_kg, resting_bpm=resting_bpm)
    return file.finish()


def fit_seconds(moment: datetime) -> float:
    return moment.timestamp() - EPOCH_UNIX_S


def _put_file_id(file: FitFile, *, type_: str, device: str, created: float) -> None:
    file.put(
        "file_id",
        type=FILE_TYPES[type_],
        manufacturer=DEVELOPMENT,
        product=1,
        serial_number=SERIAL_NUMBER,
        time_created=created,
        product_name=device,
    )


def _write_head(file: FitFile, recording: Recording, *, start: float) -> None:
    _put_file_id(file, type_="activity", device=recording.device, created=start)
    file.put(
        "device_info",
        timestamp=start,
        device_index=0,
        manufacturer=DEVELOPMENT,
        serial_number=SERIAL_NUMBER,
        product=1,
        software_version=4.2,
        source_type=LOCAL_SOURCE,
        product_name=recording.device,
    )
    if recording.barometric:
        file.put("device_info", timestamp=start, device_index=1, device_type=BAROMETER, source_type=LOCAL_SOURCE)
    file.put("event", **_timer(start, kind="start"))


def _timer(at: float, *, kind: str) -> dict[str, float]:
    return {"timestamp": at, "event": EVENTS["timer"], "event_type": EVENT_TYPES[kind]}


def _write_course(file: FitFile, recording: Recording, *, start: float) -> None:
    time_s = recording.streams["time_s"]
    known = MESSAGES["record"].fields
    samples = {name: values for name, values in recording.streams.items() if name in known}
    records = rows("record", columns={"timestamp": start + time_s} | samples)
    written = 0
    for index, _at, message, row in sorted(_between(recording, start=start), key=lambda entry: entry[:2]):
        if index > written:
            file.write("record", records[written:index])
            written = index
        file.write(message, row)


def _between(recording: Recording, *, start: float) -> Iterator[tuple[int, float, str, Rows]]:
    """Yield what goes before the record of that index, and when: timer stops and starts, laps as they end."""
    time_s = recording.streams["time_s"]
    for pause in recording.pauses:
        end_s = pause.start_s + pause.duration_s
        index = int(np.searchsorted(time_s, end_s))
        for at_s, kind in ((pause.start_s, "stop_all"), (end_s, "start")):
            yield index, at_s, "event", rows("event", columns=_timer(start + at_s, kind=kind))
    for number, lap in enumerate(recording.laps):
        end_s = lap.start_s + lap.elapsed_s
        index = int(np.searchsorted(time_s, end_s, side="right"))
        yield index, end_s, "lap", lap_row(recording, lap=lap, number=number, start=start)


def _write_tail(file: FitFile, recording: Recording, *, start: float) -> None:
    end = start + recording.elapsed_s
    file.put("event", **_timer(end, kind="stop_all"))
    file.write("session", session_row(recording, start=start))
    file.put(
        "activity",
        timestamp=end,
        timer_s=recording.timer_s,
        num_sessions=1,
        type=0,
        event=EVENTS["activity"],
        event_type=EVENT_TYPES["stop"],
        local_timestamp=end + 60 * (recording.utc_offset_min or 0),
    )

"""Builds the recordings of one FIT file."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

import numpy as np

from coach.formats import clock, moments, notes, pauses, samples
from coach.formats.fit import device, gather, happenings, legs, place, rows, timing, totals
from coach.formats.fit.frames import Part
from coach.formats.fit.legs import Leg, moment, number
from coach.formats.recording import Array, Lap, Pause, Recording

EPOCH = datetime(1989, 12, 31, tzinfo=UTC)


def recordings(part: Part) -> Iterator[Recording]:
    """Yield one recording a session; a part without samples and summary yields none."""
    raw_s, columns = part.samples.at_s(), rows.finished(part.samples.columns())
    for leg in legs.split(part, raw_s=raw_s):
        gathered = gather.gather(part, leg=leg, raw_s=raw_s, columns=columns)
        if gathered.start_s is not None and (len(gathered.raw_s) or timing.expected_s(leg.session)):
            yield _recording(part, leg, gathered, start_s=gathered.start_s)


def _recording(part: Part, leg: Leg, gathered: gather.Gathered, *, start_s: float) -> Recording:
    events = legs.timer_events(part, leg=leg)
    elapsed_s, ticks = clock.straighten(
        gathered.raw_s,
        start_s=start_s,
        expected_s=timing.expected_s(leg.session),
        excused=gather.excused(gathered.raw_s, events=events),
    )
    streams = samples.streams(elapsed_s, gathered.columns)
    gather.measure_ground(streams)
    times = timing.settled(leg.session, time_s=streams.get("time_s", np.empty(0)))
    stood = _pauses([(ticks.elapsed(at_s), runs) for at_s, runs in events], times, streams=streams)
    timer_s = times.elapsed_s - sum(pause.duration_s for pause in stood)
    sport, sub_sport = place.sport(part, leg)
    return Recording(
        format="fit",
        sport=sport,
        sub_sport=sub_sport,
        device=device.name(part),
        started_at=_dated(part, start_s),
        elapsed_s=times.elapsed_s,
        timer_s=max(timer_s, 0.0) if times.timer_s is None else times.timer_s,
        distance_m=totals.distance_m(leg.session, streams=streams),
        ascent_m=number(leg.session, "total_ascent"),
        descent_m=number(leg.session, "total_descent"),
        energy_kcal=totals.energy_kcal(leg.session),
        utc_offset_min=place.utc_offset_min(part),
        indoor=place.is_indoor(sport, sub_sport, streams),
        virtual=place.is_virtual(part, sub_sport, streams),
        barometric=device.is_barometric(part),
        pool_length_m=gathered.pool_length_m,
        streams=streams,
        laps=_laps(part, leg, ticks, elapsed_s=times.elapsed_s),
        pauses=stood,
        events=happenings.events(part, leg, ticks),
        series=happenings.series(part, leg, ticks),
        device_summary=totals.summary(leg.session, streams=streams),
        notes=_notes(part, leg, note=times.note, jumped_s=ticks.jumped_s, start_s=start_s, stood=stood),
    )


def _pauses(
    events: list[tuple[float, bool]], times: timing.Timing, *, streams: Mapping[str, Array]
) -> tuple[Pause, ...]:
    stood = pauses.from_events(events, elapsed_s=times.elapsed_s)
    if stood or times.timer_s is None or "time_s" not in streams:
        return stood
    return pauses.from_gaps(streams["time_s"], missing_s=times.elapsed_s - times.timer_s)


def _laps(part: Part, leg: Leg, ticks: clock.Clock, *, elapsed_s: float) -> tuple[Lap, ...]:
    found = []
    for lap in part.all("lap"):
        at_s, timer_s = moment(lap, "start_time"), number(lap, "total_timer_time")
        lasted_s = number(lap, "total_elapsed_time") or timer_s
        if at_s is None or lasted_s is None or not leg.holds(at_s):
            continue
        start_s = max(ticks.elapsed(at_s), 0.0)
        if start_s < elapsed_s:
            lasted_s = min(lasted_s, elapsed_s - start_s)
            timer_s = min(timer_s or lasted_s, lasted_s)
            length_m = number(lap, "total_distance")
            trigger = lap.get("lap_trigger")
            found.append(
                Lap(
                    start_s=start_s,
                    elapsed_s=lasted_s,
                    timer_s=timer_s,
                    distance_m=length_m,
                    trigger=trigger if isinstance(trigger, str) else "",
                )
            )
    return tuple(sorted(found, key=lambda lap: lap.start_s))


def _dated(part: Part, start_s: float) -> datetime:
    return moments.checked(EPOCH + timedelta(seconds=start_s + place.clock_shift_s(part, start_s)))


def _notes(
    part: Part, leg: Leg, *, note: str, jumped_s: float, start_s: float, stood: tuple[Pause, ...]
) -> tuple[str, ...]:
    longest_s = max((pause.duration_s for pause in stood), default=0.0)
    said = {
        notes.broken(len(part.samples)): part.broken,
        notes.NO_SUMMARY: not leg.session,
        notes.CHECKSUM: part.checksum_wrong,
        notes.clock_set(jumped_s): jumped_s != 0,
        notes.CLOCK_UNSET: bool(place.clock_shift_s(part, start_s)),
        note: bool(note),
        notes.long_pause(longest_s): longest_s >= notes.LONG_PAUSE_S,
        notes.undated(part.undated): part.undated > 0 and not part.all("length"),
    }
    return tuple(sentence for sentence, holds in said.items() if holds)

"""Recordings become activities: whatever comes, goes or is ruled, the sessions are what the recordings add up to."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from coach import bests, loading, measuring, neighbours, places, said, sketches, stored, telling
from coach.metrics.grouping import Aside, Grouped, group
from coach.models import Activity, Athlete, Doubt, Insight, Provenance
from coach.neighbours import Neighbour


def lock(athlete: Athlete) -> None:
    """Have others who change this athlete's activities wait until the transaction is over."""
    Athlete.objects.select_for_update(no_key=True, of=("self",)).get(pk=athlete.pk)


def settle(
    athlete: Athlete,
    seeds: Collection[int],
    *,
    fresh: Mapping[int, measuring.Measured] | None = None,
    stale: Collection[int] = (),
    arriving: int = 0,
    told: Mapping[int, telling.Told] | None = None,
) -> None:
    """Sort the seeds and all that may be one with them into activities; under the lock of the athlete.

    `fresh` are the measures of recordings as they are alone. `stale` are activities of which a recording went or
    began at another time. What is told of files is told anew, but of the one that is arriving; `told` is what was
    told before anything changed, by default what is true now.
    """
    ruled = neighbours.rulings(athlete)
    pool = neighbours.around(athlete, seeds, ruled=ruled)
    told = telling.tell({row.file for row in pool} - {arriving}) if told is None else told
    grouped = group([row.seen for row in pool], ruled)
    kept = _write(athlete, pool, grouped, fresh=fresh or {}, stale=set(stale))
    gone = ({row.activity for row in pool if row.activity} | set(stale)) - kept
    _set_aside(athlete, pool, grouped)
    _drop(athlete, gone)
    _ask(athlete, pool, grouped.aside)
    telling.tell_again(told)


def _write(
    athlete: Athlete,
    pool: Iterable[Neighbour],
    grouped: Grouped,
    *,
    fresh: Mapping[int, measuring.Measured],
    stale: set[int],
) -> set[int]:
    """Write the activity of each session that is not as it was; return the activities that there are now."""
    rows = {row.seen.key: row for row in pool}
    was: dict[int, set[int]] = {}
    for row in rows.values():
        if row.activity:
            was.setdefault(row.activity, set()).add(row.pk)
    kept: set[int] = set()
    for keys in grouped.sessions:
        members = [rows[key] for key in keys]
        pks = {row.pk for row in members}
        known = next((row.activity for row in members if row.activity and row.activity not in kept), None)
        if known is None or was[known] != pks or known in stale:
            alone = fresh.get(members[0].pk) if len(members) == 1 else None
            known = _compose(athlete, known, pks, alone)
        kept.add(known)
    return kept


def _compose(athlete: Athlete, known: int | None, pks: Collection[int], alone: measuring.Measured | None) -> int:
    """Compose an activity of its recordings, in place of what it was; a new one where there was none."""
    rows = loading.rows(Provenance.objects.filter(pk__in=pks)).select_related("file__run", "streams", "activity")
    origins = list(rows.defer("header", "streams__packed") if alone else rows)
    spoken = said.of(origins)
    if alone is None or spoken.is_measured_with:
        whole = measuring.whole(origins)
        measuring.keep_given(origins, whole)
        recording = spoken.corrected(whole.recording)
        alone = measuring.measure(recording, athlete, effort=spoken.words["effort"])
    lead = next((origin for origin in origins if stored.has_samples(origin)), origins[0])
    values = {**alone.fields, **spoken.words, "source_id": lead.file.run.source_id}
    was = known
    if known is None:
        known = Activity.objects.create(athlete=athlete, **values).pk
    else:
        Activity.objects.filter(pk=known).update(**values)
    peaks, day = alone.metrics.bests, alone.local_date
    bests.keep(athlete, known, peaks, sport_name=values["sport"], day=day, is_new=was is None)
    sketches.keep(known, alone.metrics.sketch, is_new=was is None)
    Provenance.objects.filter(pk__in=pks).update(activity=known)
    return known


def compose_again(athlete: Athlete, activity: Activity) -> None:
    """Measure an activity anew, as after the athlete put something of it right; under the lock of the athlete."""
    pks = list(Provenance.objects.filter(activity=activity).values_list("pk", flat=True))
    if pks:
        _compose(athlete, activity.pk, pks, None)


def _set_aside(athlete: Athlete, pool: Iterable[Neighbour], grouped: Grouped) -> None:
    placed = {key for keys in grouped.sessions for key in keys}
    waiting = [row.pk for row in pool if row.seen.key not in placed and row.activity]
    if waiting:
        Provenance.objects.filter(pk__in=waiting).update(activity=None)


def _drop(athlete: Athlete, gone: Collection[int]) -> None:
    """Delete activities that no recording is left of, and what was written about them."""
    if gone:
        Activity.objects.filter(athlete=athlete, pk__in=gone).delete()
        Insight.objects.filter(athlete=athlete, scope="activity", subject__in=map(str, gone)).delete()


def _ask(athlete: Athlete, pool: Sequence[Neighbour], aside: Iterable[Aside]) -> None:
    """Have exactly the questions that are open, and leave those that were asked as they are."""
    rows = {row.seen.key: row for row in pool}
    asked = {doubt.provenance_id: doubt for doubt in _open(pool)}
    for doubt in aside:
        about = rows[doubt.key].pk
        candidate = Provenance.objects.select_related("activity", "file").get(pk=rows[doubt.candidate].pk)
        sentence = question(candidate, doubt.why)
        known = asked.pop(about, None)
        if known is None or (known.candidate_id, known.sentence) != (candidate.activity_id, sentence):
            Doubt.objects.update_or_create(
                provenance_id=about,
                kind=Doubt.Kind.MATCH,
                defaults={
                    "athlete": athlete,
                    "candidate": candidate.activity,
                    "sentence": sentence,
                    "answer": "",
                    "answered_at": None,
                },
            )
    if asked:
        Doubt.objects.filter(pk__in=[doubt.pk for doubt in asked.values()]).delete()


def _open(pool: Iterable[Neighbour]) -> Iterable[Doubt]:
    return Doubt.objects.open().filter(kind=Doubt.Kind.MATCH, provenance__in=[row.pk for row in pool])


def question(candidate: Provenance, why: str) -> str:
    """Return what is asked of a recording that is nearly like the session of another."""
    activity = candidate.activity
    if activity is None:
        return f"Is it the same session as “{candidate.file.name[:100]}”? Coach is not sure: {why}."
    day = places.local(activity.started_at, activity.time_zone)
    return f"Is it the same session as that of {day:%-d %B %Y, %H:%M}? Coach is not sure: {why}."

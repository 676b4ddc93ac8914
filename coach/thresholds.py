"""An edit of a threshold or the profile measures the history again, in a job."""

import hashlib
from collections.abc import Sequence
from typing import Any

from coach import bests, loading, said, settling, sketches, training_days
from coach.measuring import derived, keep_given, whole
from coach.models import Activity, Athlete, Provenance, Threshold
from coach.scale import VERSION, Scale
from jobs import api

KIND = "recompute"
SUBJECT = "history"
UPGRADE = "upgrade"  # the kind that finds whose history an older version measured
SCORED_BY: dict[str, list[Threshold.Kind]] = {
    Activity.LoadFrom.POWER: [Threshold.Kind.FTP],
    Activity.LoadFrom.PACE: [Threshold.Kind.PACE],
    Activity.LoadFrom.HEART_RATE: [Threshold.Kind.LTHR, Threshold.Kind.HR_MAX, Threshold.Kind.HR_REST],
}


def changed(athlete: Athlete, *, priority: int = api.INTERACTIVE) -> api.Ticket:
    """Ask for the history to be measured by the thresholds, and by the rules of this version, as they are now."""
    # Before it is asked for: were it over by then, nothing would say so again.
    Athlete.objects.filter(pk=athlete.pk, to_measure=None).update(measured=0, to_measure=0)
    ticket = api.enqueue(
        KIND,
        athlete.owner,
        SUBJECT,
        fingerprint=fingerprint(athlete),
        priority=priority,
        args={"athlete": athlete.pk},
    )
    if ticket.is_finished:
        _tell(athlete, None, None)
    return ticket


def _tell(athlete: Athlete, measured: int | None, to_measure: int | None) -> None:
    """Keep for every page how far it is: it stands in the row that each of them reads anyway."""
    Athlete.objects.filter(pk=athlete.pk).update(measured=measured, to_measure=to_measure)


def after_migrate(*, plan: Sequence[tuple[Any, bool]] = (), **kwargs: Any) -> None:
    """Ask for a look at every history, once a version; not while migrations are taken back."""
    if not any(is_back for _, is_back in plan) and Athlete.objects.exists():
        api.enqueue(UPGRADE, "", "measures", fingerprint=f"version {VERSION}")


def upgrade(run: api.Run) -> dict[str, int]:
    """Have each history measured again that an older version measured; only this version knows the kind of the job."""
    asked = 0
    for athlete in Athlete.objects.order_by("pk").iterator():
        run.check()
        asked += changed(athlete, priority=api.PREFETCH).is_active
    return {"asked": asked}


def scoring(activity: Activity) -> list[Threshold]:
    """Return the thresholds that the load of a session is measured against."""
    kinds = SCORED_BY.get(activity.load_from, [])
    return list(Threshold.objects.filter(athlete=activity.athlete_id, kind__in=kinds).valid_on(activity.local_date))


def fingerprint(athlete: Athlete) -> str:
    held = [
        f"{threshold.kind} {threshold.value:g} {threshold.valid_from} {threshold.estimated}"
        for threshold in Threshold.objects.filter(athlete=athlete).order_by("kind", "valid_from")
    ]
    return hashlib.sha256("\n".join([str(VERSION), athlete.sex, str(athlete.birth_year), *held]).encode()).hexdigest()


def recompute(run: api.Run) -> None:
    """Measure again each activity whose thresholds have changed; resumes where it was."""
    athlete = Athlete.objects.get(pk=run.args["athlete"])
    with run.save(fingerprint=fingerprint(athlete)):
        pass
    days = Activity.objects.filter(athlete=athlete).newest_first().values_list("pk", "local_date", "measured_with")
    stale = [(pk, day) for pk, day, used in days if used != Scale.of(athlete, day).key]
    with run.save():
        _tell(athlete, 0, len(stale))
    for done, (pk, day) in enumerate(stale, start=1):
        run.check()
        _measure_again(run, pk, Scale.of(athlete, day), done=done, of=len(stale))
        run.progress(done, len(stale), "activities measured again")
    with run.save():
        training_days.mend(athlete)
        _tell(athlete, None, None)


def ended(ending: api.Ending) -> None:
    """Say no longer that history is being measured, however that ended."""
    owner = Athlete.objects.filter(pk=ending.owner.partition(":")[2]).first()
    if owner:
        _tell(owner, None, None)


def _measure_again(run: api.Run, pk: int, scale: Scale, *, done: int, of: int) -> None:
    origins = list(loading.rows(Provenance.objects.filter(activity=pk)))
    if not origins:
        return
    spoken, made = said.of(origins), whole(origins)
    metrics = scale.measure(spoken.corrected(made.recording), effort=spoken.words["effort"])
    with run.save():
        settling.lock(origins[0].athlete)
        _tell(origins[0].athlete, done, of)
        Activity.objects.filter(pk=pk).update(measured_with=scale.key, **derived(metrics))
        row = Activity.objects.select_related("athlete").filter(pk=pk).first()
        if row:
            keep_given(origins, made)
            day, name = row.local_date, row.sport
            bests.keep(row.athlete, pk, metrics.bests, sport_name=name, day=day, is_new=False)
            sketches.keep(pk, metrics.sketch, is_new=False)

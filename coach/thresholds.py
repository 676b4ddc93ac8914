"""An edit of a threshold or the profile measures the history again, in a job."""

import hashlib
from datetime import timedelta

from django.db.models import Q

from coach import bests, loading, said, settling, sketches, training_days
from coach.measuring import derived, keep_given, whole
from coach.metrics.load import NO_FTP, NO_HEART_RATE, NO_PACE
from coach.models import Activity, Athlete, Provenance, Threshold
from coach.scale import VERSION, Scale
from coach.scopes.load.terms import SHARE_DAYS
from jobs import api

KIND = "recompute"
SUBJECT = "history"
MISSING = Q(flags__contains=[NO_FTP]) | Q(flags__contains=[NO_PACE]) | Q(flags__contains=[NO_HEART_RATE])


def guessed(athlete: Athlete) -> int:
    """Return how many sessions of six weeks have an estimated load only because a threshold is missing."""
    today = athlete.today()
    lately = Activity.objects.filter(athlete=athlete).counted().between(today - timedelta(days=SHARE_DAYS - 1), today)
    return lately.filter(MISSING, load_from=Activity.LoadFrom.ESTIMATE).count()


def changed(athlete: Athlete, *, priority: int = api.INTERACTIVE) -> api.Ticket:
    """Ask for the history to be measured by the thresholds, and by the rules of this version, as they are now."""
    return api.enqueue(
        KIND,
        athlete.owner,
        SUBJECT,
        fingerprint=fingerprint(athlete),
        priority=priority,
        args={"athlete": athlete.pk},
    )


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
    for done, (pk, day) in enumerate(stale, start=1):
        run.check()
        _measure_again(run, pk, Scale.of(athlete, day))
        run.progress(done, len(stale), "activities measured again")
    with run.save():
        training_days.mend(athlete)


def _measure_again(run: api.Run, pk: int, scale: Scale) -> None:
    origins = list(loading.rows(Provenance.objects.filter(activity=pk)))
    if not origins:
        return
    spoken, made = said.of(origins), whole(origins)
    metrics = scale.measure(spoken.corrected(made.recording), effort=spoken.words["effort"])
    with run.save():
        settling.lock(origins[0].athlete)
        Activity.objects.filter(pk=pk).update(measured_with=scale.key, **derived(metrics))
        row = Activity.objects.select_related("athlete").filter(pk=pk).first()
        if row:
            keep_given(origins, made)
            day, name = row.local_date, row.sport
            bests.keep(row.athlete, pk, metrics.bests, sport_name=name, day=day, is_new=False)
            sketches.keep(pk, metrics.sketch, is_new=False)

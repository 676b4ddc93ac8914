"""An edit of a threshold or the profile measures the history again, in a job."""

import hashlib

from coach import loading
from coach.measuring import derived, whole
from coach.models import Activity, Athlete, Provenance, Threshold
from coach.scale import Scale
from jobs import api

KIND = "recompute"
SUBJECT = "history"


def changed(athlete: Athlete) -> api.Ticket:
    """Ask for the history to be measured by the thresholds as they are now."""
    return api.enqueue(
        KIND,
        athlete.owner,
        SUBJECT,
        fingerprint=fingerprint(athlete),
        priority=api.INTERACTIVE,
        args={"athlete": athlete.pk},
    )


def fingerprint(athlete: Athlete) -> str:
    held = [
        f"{threshold.kind} {threshold.value:g} {threshold.valid_from}"
        for threshold in Threshold.objects.filter(athlete=athlete).order_by("kind", "valid_from")
    ]
    return hashlib.sha256("\n".join([athlete.sex, str(athlete.birth_year), *held]).encode()).hexdigest()


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


def _measure_again(run: api.Run, pk: int, scale: Scale) -> None:
    origins = list(loading.rows(Provenance.objects.filter(activity=pk)))
    if not origins:
        return
    values = derived(scale.measure(whole(origins).recording))
    with run.save():
        Activity.objects.filter(pk=pk).update(measured_with=scale.key, **values)

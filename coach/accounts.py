"""The end of an account: nobody signs in any more, what runs is stopped, then every row and file goes."""

from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from coach import exports, originals
from coach.models import Athlete, Export, ImportFile, Invite, Upload
from jobs import api

KIND = "farewell"
AGAIN_S = 2.0
EVERY = 100  # files between two looks at whether to stop


class Refused(Exception):
    """The account stays; the message says why and what to do."""


def close(athlete: Athlete) -> None:
    """Sign the person out for good and have everything deleted; raises Refused for the last who runs this site."""
    user = athlete.user
    others = User.objects.filter(is_active=True, is_superuser=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise Refused("You are the only person who runs this site. Make somebody else a superuser first.")
    User.objects.filter(pk=user.pk).update(is_active=False)
    api.enqueue(
        KIND,
        "",
        str(athlete.pk),
        fingerprint="closed",
        priority=api.INTERACTIVE,
        args={"athlete": athlete.pk, "user": user.pk},
    )


def delete(run: api.Run) -> None:
    """Stop the athlete's jobs, wait until they have ended, then delete all rows and files; can be run again."""
    athlete = Athlete.objects.filter(pk=run.args["athlete"]).first()
    owner = f"athlete:{run.args['athlete']}"
    if api.stop_all(owner, by="closing the account"):
        raise api.Snooze(seconds=AGAIN_S)
    if athlete is not None:
        _delete_files(run, athlete)
    # By what is left on the disk, not by the rows: an attempt before this one may have ended between the two.
    for number, sha256 in enumerate(originals.unnamed(run.check), start=1):
        originals.forget(sha256)
        if number % EVERY == 0:
            run.check()
    with run.save():
        Invite.objects.filter(user=run.args["user"]).delete()  # it may hold the mail address
        User.objects.filter(pk=run.args["user"]).delete()
    api.forget(owner)


def _delete_files(run: api.Run, athlete: Athlete) -> None:
    for key in Upload.objects.filter(athlete=athlete).values_list("pk", flat=True):
        (Path(settings.DATA) / "uploads" / str(key)).unlink(missing_ok=True)
    for key in Export.objects.filter(athlete=athlete).values_list("pk", flat=True):
        exports.path_of(key).unlink(missing_ok=True)
    with run.save():
        ImportFile.objects.filter(run__source__athlete=athlete).delete()

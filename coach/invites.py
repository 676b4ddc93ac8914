"""How athletes come in: by a link that lets one person in, once, and not after its day."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from coach.models import Athlete, Invite

RANDOM_BYTES = 32
DAYS = 7
MOST_DAYS = 90
SIGN_UP_FOR = timedelta(days=1)  # a link by which somebody confirms a mail address
KEPT = timedelta(days=90)  # after its end


class Refused(Exception):
    """Nobody came in; the message says why."""


def make(*, label: str, by: User | None, until: datetime, email: str = "") -> str:
    """Make an invitation and return the secret of its link; this is the only time it is known."""
    Invite.objects.filter(expires_at__lt=timezone.now() - KEPT).delete()
    secret = secrets.token_urlsafe(RANDOM_BYTES)
    Invite.objects.create(digest=digest(secret), label=label, made_by=by, expires_at=until, email=email)
    return secret


def digest(secret: str) -> str:
    """Return what is kept. The secret is random and long, so that one round of SHA-256 tells nothing of it."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def find(secret: str) -> Invite | None:
    """Return the open invitation of a link; None for one that is used, over, taken back or made up."""
    return Invite.objects.open().filter(digest=digest(secret)).first()


@transaction.atomic
def accept(invite: Invite, user: User, athlete: Athlete) -> User:
    """Make the user, whose password is set, and the athlete; raises Refused when somebody was faster."""
    if not Invite.objects.open().filter(pk=invite.pk).update(used_at=timezone.now()):
        raise Refused(gettext("This link was used a moment ago. Ask for another one."))
    user.email = invite.email or user.email
    if user.email and User.objects.filter(email__iexact=user.email).exists():
        raise Refused(gettext("There is an account with this mail address already. Sign in with it."))
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as taken:
        raise Refused(gettext("Somebody has taken this user name a moment ago. Choose another one.")) from taken
    athlete.user = user
    athlete.save(force_insert=True)
    Invite.objects.filter(pk=invite.pk).update(user=user)
    return user

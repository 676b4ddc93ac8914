"""Letters by mail: a new password, and the link by which somebody who signs up confirms the address.

A job writes each one, whether or not there is an account: how long a page takes to answer tells nobody which
addresses are known here, and a mail server that is slow or away holds up nobody.
"""

import hashlib
import smtplib
import uuid

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from coach import invites
from jobs import api

KIND = "letter"
RESET, SIGN_UP = "reset", "sign_up"


def ask(about: str, email: str, *, site: str, language: str) -> None:
    """Have a letter sent. `site` is the address under which this site was opened, such as https://coach.example.org."""
    api.enqueue(
        KIND,
        "",
        f"{about} {hashlib.sha256(email.casefold().encode()).hexdigest()[:24]}",
        fingerprint=uuid.uuid4().hex,
        priority=api.INTERACTIVE,
        args={"about": about, "email": email, "site": site, "language": language},
    )


def send(run: api.Run) -> dict[str, int]:
    """Write and send what was asked for; returns how many letters that were."""
    if not settings.MAIL:
        raise api.Reject("No mail server is set up, so no letter can be sent.")
    email, site, language = (str(run.args[name]) for name in ("email", "site", "language"))
    known = list(User.objects.filter(email__iexact=email, is_active=True))
    with run.save():  # a worker that was given up on sends nothing more
        pass
    with translation.override(language):
        if known:
            for user in known:
                _send(user.email, "reset" if run.args["about"] == RESET else "known", _reset(user, site=site))
            return {"letters": len(known)}
        if run.args["about"] == SIGN_UP and settings.SIGN_UP:
            _send(email, "sign_up", {"link": _welcome(email, site=site)})
            return {"letters": 1}
    return {"letters": 0}


def _reset(user: User, *, site: str) -> dict[str, str]:
    return {"name": user.get_username(), "link": site + reset_path(user)}


def reset_path(user: User) -> str:
    """Return the address at which this user sets a new password, good for a day and for one new password."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(user)])


def _welcome(email: str, *, site: str) -> str:
    until = timezone.now() + invites.SIGN_UP_FOR
    secret = invites.make(label=email[:100], by=None, until=until, email=email)
    return site + reverse("welcome", args=[secret])


def _send(recipient: str, letter: str, context: dict[str, str]) -> None:
    """Send one letter; the first line of its template is the subject."""
    subject, _, body = render_to_string(f"mail/{letter}.txt", context).partition("\n")
    try:
        EmailMessage(subject.strip(), body.strip() + "\n", to=[recipient]).send()
    except (smtplib.SMTPException, OSError) as error:
        # What a server says of a letter repeats whom it was for; that is nobody's business in the queue.
        raise NotTaken(f"The mail server did not take the letter ({type(error).__name__}).") from None


class NotTaken(Exception):
    """The letter is tried again later."""

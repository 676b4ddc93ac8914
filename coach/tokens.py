"""Tokens with which a phone or a program hands files in for one athlete; only their hashes are kept."""

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from coach.imports import clean_name
from coach.models import Athlete, ImportRun, Source, Token

PREFIX = "coach_"  # so that people and secret scanners know what it is
RANDOM_BYTES = 32
MOST = 20  # an athlete
MOST_RUNS = 120  # a token and hour
HOUR = timedelta(hours=1)


class Refused(Exception):
    """No token was made; the message says why."""


def make(athlete: Athlete, name: str) -> str:
    """Make a token and return it; this is the only time it is known. Raises Refused."""
    name = clean_name(name)[:100]
    if athlete.tokens.count() >= MOST:
        raise Refused(f"You have {MOST} tokens. Revoke one that you no longer use.")
    secret = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    try:
        with transaction.atomic():
            Token.objects.create(athlete=athlete, name=name, digest=digest(secret))
    except IntegrityError as error:
        raise Refused(f"You have a token called {name} already. Give this one another name.") from error
    return secret


def digest(secret: str) -> str:
    """Return what is kept. The secret is random and long, so that one round of SHA-256 tells nothing of it."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def bearer(header: str) -> Token | None:
    """Return the token of an Authorization header; None for every header that is none, for whatever reason."""
    scheme, _, secret = header.partition(" ")
    wanted = digest(secret.strip())  # found by its hash: how long that takes says nothing of any secret
    token = Token.objects.select_related("athlete__user").filter(digest=wanted).first()
    if scheme.lower() != "bearer" or token is None or not hmac.compare_digest(token.digest, wanted):
        return None
    return token if token.athlete.user.is_active else None


def used(token: Token) -> None:
    Token.objects.filter(pk=token.pk).update(used_at=timezone.now())


def source_of(token: Token) -> Source:
    """Return the source that its files belong to; it is called like the token."""
    source, _ = Source.objects.get_or_create(athlete=token.athlete, name=token.name)
    return source


def is_spent(token: Token) -> bool:
    """Return whether this token has begun as many imports as it may within an hour."""
    lately = runs_of(token).filter(created_at__gt=timezone.now() - HOUR)
    return lately.count() >= MOST_RUNS


def runs_of(token: Token) -> QuerySet[ImportRun]:
    """Return the imports that came in by this token, and no others of its athlete."""
    return ImportRun.objects.filter(
        way=ImportRun.Way.TOKEN, source__athlete=token.athlete, source__name=token.name
    ).select_related("source__athlete")

"""How often somebody may try: passwords by django-axes, tokens and letters by the same table.

Failures count for a name at an address, and for an address over all names. No count is for a name alone, so that a
stranger who guesses at somebody's password locks out nobody but himself.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from math import ceil
from typing import Any, cast

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.http import HttpRequest
from django.utils import timezone

from coach import addresses

PER_ADDRESS = 50  # wrong passwords, over all names: a club behind one address makes a few, a list of names makes many
TOKENS = 20  # different wrong tokens of an address: a phone with an old one tries the same again and again
LETTERS = 2  # to one mail address
LETTERS_PER_ADDRESS = 10  # asked for from one network address
SPACE = " "  # no user name holds one, so these rows are never those of a name
TOKEN, LETTER, ASKED = f"token{SPACE}", f"letter{SPACE}", f"asked{SPACE}"


class Throttle(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts as django-axes does, and beside it over all names of an address; keeps nothing of what was sent."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        here = passwords(request.axes_ip_address).aggregate(n=Sum("failures_since_start"))["n"] or 0  # type: ignore[attr-defined]
        of_name = cast(int, super().get_failures(request, credentials))
        return max(of_name, here * settings.AXES_FAILURE_LIMIT // PER_ADDRESS)

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
    ) -> None:
        """A form may hold more secrets than the password that was wrong, such as the new one."""
        with transaction.atomic():
            super().user_login_failed(sender, credentials, request, **kwargs)
            sent = AccessAttempt.objects.exclude(get_data="", post_data="")
            sent.filter(ip_address=addresses.client(request) if request else None).update(get_data="", post_data="")


def passwords(address: str) -> QuerySet[AccessAttempt]:
    """Return the failures at an address that were passwords."""
    return recent(address).exclude(username__contains=SPACE)


def recent(address: str) -> QuerySet[AccessAttempt]:
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    return AccessAttempt.objects.filter(ip_address=address, attempt_time__gte=since)  # type: ignore[no-any-return]


def seconds_left(request: HttpRequest, name: str) -> int:
    """Return in how many seconds this name may be tried again from where the request comes from; at least one."""
    address = addresses.client(request)
    here = list(passwords(address).values_list("attempt_time", "failures_since_start", "username"))
    of_name = [(at, count) for at, count, tried in here if tried == name]
    ends = (
        _end(of_name, limit=settings.AXES_FAILURE_LIMIT),
        _end(((at, count) for at, count, _ in here), limit=PER_ADDRESS),
    )
    return max(1, *(ceil((end - timezone.now()).total_seconds()) for end in ends if end))


def _end(failures: Iterable[tuple[datetime, int]], *, limit: int) -> datetime | None:
    """Return when enough of the failures are too old to count; None when there are fewer than the limit."""
    rows = sorted(failures)
    left = sum(count for _, count in rows)
    end = None
    for at, count in rows:
        if left < limit:
            break
        left -= count
        end = at + settings.AXES_COOLOFF_TIME
    return end


# Tokens


def has_guessed_tokens(request: HttpRequest) -> bool:
    return recent(addresses.client(request)).filter(username__startswith=TOKEN).count() >= TOKENS


def wrong_token(request: HttpRequest, secret: str) -> None:
    """Count a token that is none; the same one again does not count again."""
    _count(request, TOKEN + _short(secret))


# Letters


def may_send(request: HttpRequest, recipient: str) -> bool:
    """Return whether one more letter may go to this mail address, and count it."""
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    key = LETTER + _short(recipient.casefold())
    rows = AccessAttempt.objects.filter(username=key, attempt_time__gte=since)
    if (rows.aggregate(n=Sum("failures_since_start"))["n"] or 0) >= LETTERS:
        return False
    _count(request, key)
    return True


def may_ask(request: HttpRequest) -> bool:
    """Return whether one more letter may be asked for from where the request comes from, and count it."""
    mine = recent(addresses.client(request)).filter(username=ASKED)
    if (mine.aggregate(n=Sum("failures_since_start"))["n"] or 0) >= LETTERS_PER_ADDRESS:
        return False
    _count(request, ASKED)
    return True


def _count(request: HttpRequest, key: str) -> None:
    now = timezone.now()
    AccessAttempt.objects.filter(attempt_time__lte=now - settings.AXES_COOLOFF_TIME).delete()
    row, is_new = AccessAttempt.objects.get_or_create(
        username=key,
        ip_address=addresses.client(request),
        user_agent="",
        defaults={"failures_since_start": 1, "path_info": request.path[:255], "get_data": "", "post_data": ""},
    )
    if not is_new:
        AccessAttempt.objects.filter(pk=row.pk).update(
            failures_since_start=F("failures_since_start") + 1, attempt_time=now
        )


def _short(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()[:24]

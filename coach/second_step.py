"""The second step at the sign-in of staff: a code from a phone, or one of the codes that were written down."""

import base64
import hashlib
import secrets
import time
from typing import Any

import django_otp
import segno
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

NAME = "app"
CODES = 10
PENDING = "second_step"  # in the session of somebody whose password was right
PENDING_S = 600


# Who needs it


def is_offered(user: User | AnonymousUser) -> bool:
    return settings.STAFF_TOTP != "off" and user.is_staff


def is_set_up(user: User | AnonymousUser) -> bool:
    return is_offered(user) and TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).exists()


def is_missing(request: HttpRequest) -> bool:
    """Return whether the console is closed to this session until a code is given, or until codes are set up."""
    if not is_offered(request.user) or getattr(request.user, "otp_device", None) is not None:
        return False
    if not hasattr(request, "second_step_is_missing"):  # asked several times a page
        request.second_step_is_missing = settings.STAFF_TOTP == "required" or is_set_up(request.user)  # type: ignore[attr-defined]
    return bool(request.second_step_is_missing)  # type: ignore[attr-defined]


# Between the password and the code


def begin(request: HttpRequest, user: User) -> None:
    """Remember that the password was right; a password that is changed meanwhile ends it."""
    request.session.cycle_key()
    request.session[PENDING] = {"user": user.pk, "at": time.time(), "hash": user.get_session_auth_hash()}


def pending(request: HttpRequest) -> User | None:
    kept = request.session.get(PENDING)
    if not kept or not 0 <= time.time() - kept["at"] < PENDING_S:
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not secrets.compare_digest(user.get_session_auth_hash(), kept["hash"]):
        return None
    return user


def end(request: HttpRequest) -> None:
    request.session.pop(PENDING, None)


def verify(user: User, code: str) -> Any | None:
    """Return the device that took the code, of the phone or of the list; None for a wrong one.

    Each device counts its failures and then waits twice as long each time before it looks at a code again.
    """
    typed = "".join(code.split()).replace("-", "").lower()
    if typed.isascii() and typed.isdigit():
        devices, given = TOTPDevice.objects.filter(user=user, confirmed=True), typed
    else:
        devices, given = StaticDevice.objects.filter(user=user, confirmed=True), _kept(typed)
    for device in devices:
        found = django_otp.verify_token(user, device.persistent_id, given)
        if found is not None:
            return found
    return None


# Setting it up


def proposed(user: User) -> TOTPDevice:
    """Return the device that is being set up; its secret stays the same until it is confirmed."""
    device, _ = TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": NAME})
    return device


def picture(device: TOTPDevice) -> SafeString:
    """Draw the device's secret as a QR code, in the page itself."""
    drawn = segno.make(device.config_url, error="m").svg_inline(scale=5, border=4, light="#fff", dark="#000")
    return mark_safe(drawn)  # noqa: S308  (segno draws paths; nothing of what it draws is text)


def secret_of(device: TOTPDevice) -> str:
    """Return the secret as apps take it typed, in groups of four."""
    key = base64.b32encode(device.bin_key).decode()
    return " ".join(key[at : at + 4] for at in range(0, len(key), 4))


@transaction.atomic
def confirm(user: User, code: str) -> TOTPDevice | None:
    """Take the proposed device into use if it makes this code; None when it does not."""
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None or not device.verify_token("".join(code.split())):
        return None
    TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    device.confirmed = True
    device.save()
    return device


@transaction.atomic
def new_codes(user: User) -> list[str]:
    """Make codes for the day the phone is gone; those made before end. Only their hashes are kept."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="codes")
    codes = [f"{_random()}-{_random()}" for _ in range(CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_kept(code.replace("-", ""))) for code in codes)
    return codes


def codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


@transaction.atomic
def remove(user: User) -> int:
    """Take everything away, so that the password alone is asked for; return how much there was."""
    devices = [*TOTPDevice.objects.filter(user=user), *StaticDevice.objects.filter(user=user)]
    for device in devices:
        device.delete()
    return len(devices)


def _random() -> str:
    """Return five letters and digits; the first is a letter, so that no code looks like one of a phone."""
    return secrets.choice("abcdefghjkmnpqrstvwxyz") + "".join(
        secrets.choice("abcdefghjkmnpqrstvwxyz23456789") for _ in range(4)
    )


def _kept(code: str) -> str:
    """Return what is kept of a code: as much of its hash as the table holds (80 bits)."""
    return base64.b32encode(hashlib.sha256(code.encode(errors="replace")).digest()[:10]).decode().lower()

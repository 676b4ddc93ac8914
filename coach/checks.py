"""What can be wrong with how Coach is set up."""

from typing import Any

from django.conf import settings
from django.core import checks

from coach import standing


@checks.register()
def watched_folder(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """The folder that is watched should be there; nothing makes it, for it may be a disk that is not mounted."""
    if settings.WATCH is None or settings.WATCH.is_dir():
        return []
    hint = "Make the folder, or mount its disk; files put there are imported as soon as it is back."
    return [checks.Warning(f"COACH_WATCH names {settings.WATCH}, which is no folder.", hint=hint, id="coach.W010")]


@checks.register(deploy=True)
def writable_folder(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """The user who checks is the one who serves: the run-book's `coach` sees to it."""
    if standing.is_writable():
        return []
    hint = "Give it to the user of the services: chown coach:coach, and ReadWritePaths of the units."
    return [checks.Warning(f"{settings.DATA} cannot be written to by this user.", hint=hint, id="coach.W013")]


@checks.register(checks.Tags.security, deploy=True)
def proxies(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """Behind a proxy that is not believed, everybody has the address of the proxy, and one limit on wrong passwords."""
    if settings.PROXIES or not settings.SECURE_PROXY_SSL_HEADER:
        return []
    hint = "Set COACH_PROXIES to how many proxies stand in front and write X-Forwarded-For, mostly 1."
    return [checks.Warning("Behind the proxy all sign-ins seem to come from one address.", hint=hint, id="coach.W011")]


@checks.register(checks.Tags.security, deploy=True)
def sign_up(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    if not settings.SIGN_UP or settings.MAIL:
        return []
    hint = "Set COACH_MAIL_HOST, or leave COACH_SIGN_UP off and invite people."
    return [checks.Warning("COACH_SIGN_UP is on, but no mail server is set up.", hint=hint, id="coach.W012")]

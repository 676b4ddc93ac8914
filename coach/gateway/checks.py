"""Says at start-up what is wrong with the settings of the writing service; importing it registers the check."""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

from django.core import checks

from coach.gateway.address import BadAddress, endpoint
from coach.gateway.conf import conf

BAD_URL = "coach.gateway.E001"
BAD_KEY = "coach.gateway.E002"
KEY_WITHOUT_URL = "coach.gateway.W001"
KEY_IN_CLEAR = "coach.gateway.W002"


@checks.register("gateway")
def gateway_settings(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    url, key = conf().url, conf().key
    if not url:
        return [no_url()] if key else []
    found: list[checks.CheckMessage] = []
    try:
        target = endpoint(url)
    except BadAddress as error:
        found.append(checks.Error(str(error), id=BAD_URL))
    else:
        if key and in_clear(target):
            hint = "Use https://, or an address in your own network."
            found.append(
                checks.Warning("The key of the writing service travels unencrypted.", hint=hint, id=KEY_IN_CLEAR)
            )
    if not sendable(key):
        hint = "Copy it again, without quotes and line breaks."
        found.append(checks.Error("COACH_GATEWAY_KEY holds a character that no key has.", hint=hint, id=BAD_KEY))
    return found


def no_url() -> checks.Warning:
    hint = "Set COACH_GATEWAY_URL as well, or take the key away: the built-in narrator needs none."
    return checks.Warning("COACH_GATEWAY_KEY is set, but no address to use it at.", hint=hint, id=KEY_WITHOUT_URL)


def in_clear(target: str) -> bool:
    """Say whether what is sent there passes other people's wires unencrypted."""
    parts = urlsplit(target)
    name = parts.hostname or ""
    if parts.scheme == "https" or "." not in name.strip("."):  # a single word is a neighbour, or localhost
        return False
    try:
        return ipaddress.ip_address(name).is_global
    except ValueError:
        return not name.endswith((".local", ".lan", ".internal", ".home.arpa"))


def sendable(key: str) -> bool:
    """Say whether a header can hold the key: a pasted curly quote or a line break cannot be sent."""
    return key.isascii() and key.isprintable()

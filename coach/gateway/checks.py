"""Says at start-up what is wrong with the settings of the writing service; importing it registers the check."""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

from django.core import checks

from coach.gateway.address import BadAddress, endpoint
from coach.gateway.conf import Conf, conf, upstreams

BAD_URL = "coach.gateway.E001"
BAD_KEY = "coach.gateway.E002"
BAD_HEADERS = "coach.gateway.E003"
BAD_PROXY = "coach.gateway.E004"
KEY_WITHOUT_URL = "coach.gateway.W001"
KEY_IN_CLEAR = "coach.gateway.W002"
SPARE_OF_NOTHING = "coach.gateway.W003"


@checks.register("gateway")
def gateway_settings(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    found = [each for upstream in upstreams() for each in settings_of(upstream)]
    if not conf().url:
        found += [spare_of_nothing(spare) for spare in upstreams() if spare.url]
    return found


def settings_of(upstream: Conf) -> list[checks.CheckMessage]:
    url, key, prefix = upstream.url, upstream.key, upstream.prefix
    if not url:
        return [no_url(prefix)] if key else []
    found: list[checks.CheckMessage] = []
    try:
        target = endpoint(url, allowed=upstream.allowed)
    except BadAddress as error:
        found.append(checks.Error(str(error).replace("COACH_GATEWAY", prefix), id=BAD_URL))
    else:
        if key and in_clear(target):
            hint = "Use https://, or an address in your own network."
            found.append(
                checks.Warning("The key of the writing service travels unencrypted.", hint=hint, id=KEY_IN_CLEAR)
            )
    if not sendable(key):
        hint = "Copy it again, without quotes and line breaks."
        found.append(checks.Error(f"{prefix}_KEY holds a character that no key has.", hint=hint, id=BAD_KEY))
    if not all(isinstance(value, str) and sendable(value) for value in upstream.headers.values()):
        hint = 'Give a JSON object of texts, such as {"api-key": "…"}, in plain letters.'
        found.append(checks.Error(f"{prefix}_HEADERS holds what no header can.", hint=hint, id=BAD_HEADERS))
    if upstream.proxy and not upstream.proxy.startswith(("http://", "https://")):
        hint = "Give http://host:port."
        found.append(checks.Error(f"{prefix}_PROXY is not the address of a proxy.", hint=hint, id=BAD_PROXY))
    return found


def no_url(prefix: str) -> checks.Warning:
    hint = f"Set {prefix}_URL as well, or take the key away: the built-in narrator needs none."
    return checks.Warning(f"{prefix}_KEY is set, but no address to use it at.", hint=hint, id=KEY_WITHOUT_URL)


def spare_of_nothing(spare: Conf) -> checks.Warning:
    hint = "Set COACH_GATEWAY_URL; a service that is alone is no spare."
    said = f"{spare.prefix}_URL is set, but there is no first service that it could stand in for."
    return checks.Warning(said, hint=hint, id=SPARE_OF_NOTHING)


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

"""Where a request comes from, as far as that can be known: a header is believed only where a proxy wrote it."""

from ipaddress import AddressValueError, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "0.0.0.0"  # noqa: S104  (not bound to: a connection by a socket file has no address)


def client(request: HttpRequest) -> str:
    """Return the client's address: the connection's own, or what the outermost of COACH_PROXIES wrote down.

    Each proxy adds on the right who connected to it, so what a client makes up stands further left and is never read.
    Of an IPv6 address the network (/64) is returned, for that is what one household has.
    """
    found = _plain(request.META.get("REMOTE_ADDR", "")) or NOWHERE
    if not settings.PROXIES:
        return found
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    told = _plain(hops[-settings.PROXIES]) if len(hops) >= settings.PROXIES else None
    return told or found


def _plain(text: str) -> str | None:
    try:
        address = ip_address(text)
    except (AddressValueError, ValueError):
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), 64), strict=False).network_address)

"""The address of the writing service: where calls may go, and where never."""

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

type Network = ipaddress.IPv4Network | ipaddress.IPv6Network
type Address = ipaddress.IPv4Address | ipaddress.IPv6Address

FORBIDDEN = tuple(
    ipaddress.ip_network(network)
    for network in ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32", "0.0.0.0/8", "::/128")
)
FORBIDDEN_NAMES = ("metadata", "instance-data")
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 behind NAT64
PORTS = {"http": 80, "https": 443}


class BadAddress(Exception):
    """The address cannot be used; the message is a sentence for the operator."""


def endpoint(url: str, *, allowed: Iterable[str] = ()) -> str:
    """Return the URL of chat completions below a base URL, or raise BadAddress.

    `allowed` are scheme://host:port, host:port, hosts, addresses or networks; without any, all but the forbidden.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise BadAddress("COACH_GATEWAY_URL is not a URL: give http://host:port/v1.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress("COACH_GATEWAY_URL must begin with http:// or https:// and name a host.")
    if parts.username is not None or parts.password is not None:
        raise BadAddress("COACH_GATEWAY_URL must hold no user name or password: put the key into COACH_GATEWAY_KEY.")
    if parts.fragment or parts.query:
        raise BadAddress("COACH_GATEWAY_URL must end with its path: leave out what follows ? or #.")
    if port == 0 or any(letter.isspace() or not letter.isprintable() for letter in url.strip()):
        raise BadAddress("COACH_GATEWAY_URL is not a URL: give http://host:port/v1.")
    if forbidden_name(parts.hostname):
        raise BadAddress("COACH_GATEWAY_URL names a link-local or metadata address, which Coach never calls.")
    if not is_allowed(parts, tuple(allowed)):
        raise BadAddress("COACH_GATEWAY_URL is not among the addresses that COACH_GATEWAY_ALLOWED names.")
    path = parts.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}/chat/completions"


def is_allowed(parts: SplitResult, allowed: tuple[str, ...]) -> bool:
    """Say whether one of the entries covers the host as it is written; a name is checked again when it is resolved."""
    host = (parts.hostname or "").lower().rstrip(".")
    port = parts.port or PORTS[parts.scheme]
    shown = f"[{host}]" if ":" in host else host
    written = {host, shown, f"{shown}:{port}", f"{parts.scheme}://{shown}:{port}"}
    written |= {f"{parts.scheme}://{shown}"} if port == PORTS[parts.scheme] else set()
    named = {entry.lower().rstrip("/.") for entry in allowed if network(entry) is None}
    if not allowed or written & named:
        return True
    try:
        return within(host, networks(allowed))
    except ValueError:
        return not named


def networks(allowed: Iterable[str]) -> tuple[Network, ...]:
    """Return the entries that are networks, such as 10.0.0.0/8: where names may lead."""
    return tuple(found for entry in allowed if (found := network(entry)))


def network(entry: str) -> Network | None:
    if "/" not in entry or "://" in entry:
        return None
    with suppress(ValueError):
        return ipaddress.ip_network(entry.strip(), strict=False)
    return None


def within(text: str, allowed: tuple[Network, ...]) -> bool:
    """Say whether an IP address lies in one of the networks; raise ValueError when it is none."""
    address = plain(text)
    return any(address in network for network in allowed if network.version == address.version)


def forbidden_name(host: str) -> bool:
    """Say whether a host, as somebody wrote it, is a metadata service or a link-local address."""
    name = host.lower().rstrip(".")
    if name in FORBIDDEN_NAMES or name.startswith("metadata."):
        return True
    try:
        return forbidden_ip(name.partition("%")[0])
    except ValueError:
        pass
    try:
        # The resolver also takes 2852039166 and 0xa9fea9fe for an address.
        return forbidden_ip(socket.inet_ntoa(socket.inet_aton(name)))
    except OSError:
        return False


def forbidden_ip(text: str) -> bool:
    """Say the same of an IP address; raise ValueError when it is none."""
    return within(text, FORBIDDEN)


def plain(text: str) -> Address:
    """Read an IP address; one of IPv4 in the clothes of IPv6 is what it stands for."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in TRANSLATED:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address

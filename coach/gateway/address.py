"""The address of the writing service: where calls may go, and where never."""

import ipaddress
import socket
from urllib.parse import urlsplit

FORBIDDEN = tuple(
    ipaddress.ip_network(network)
    for network in ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32", "0.0.0.0/8", "::/128")
)
FORBIDDEN_NAMES = ("metadata", "instance-data")
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 behind NAT64


class BadAddress(Exception):
    """The address cannot be used; the message is a sentence for the operator."""


def endpoint(url: str) -> str:
    """Return the URL of chat completions below a base URL, or raise BadAddress."""
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
    path = parts.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}/chat/completions"


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
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            address = address.ipv4_mapped
        elif address in TRANSLATED:
            address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return any(address in network for network in FORBIDDEN if network.version == address.version)

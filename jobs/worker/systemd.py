"""Tells systemd that the worker is ready, alive and stopping; says nothing where systemd did not start it."""

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send a state ("READY=1", "WATCHDOG=1", "STOPPING=1") to the socket that systemd named."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto(state.encode(), address)

"""Tells systemd that the worker is ready, alive and stopping; says nothing where systemd did not start it."""

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send a state ("READY=1", "WATCHDOG=1", "STOPPING=1") to the socket systemd named, unless it does not listen."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
    with suppress(OSError), socket.socket(socket.AF_UNIX, kind) as channel:
        channel.sendto(state.encode(), address)

"""Looks at this machine: the living server, free ports, the last words in a log."""

import os
import socket
from pathlib import Path

from deploy.embedded import SetupError, kept
from deploy.embedded.place import Place


def postmaster(where: Place) -> int | None:
    """Return the process id of this place's living server; a number of earlier times does not count."""
    try:
        pid = int((where.data / "postmaster.pid").read_text().split("\n")[0])
    except (OSError, ValueError):
        return None
    return pid if serves(pid, where.data) else None


def serves(pid: int, data: Path) -> bool:
    if not Path("/proc/self/cmdline").exists():  # no Linux: believe that the process is ours if it lives
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        return True
    try:
        return str(data).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def clear_stale_pid(where: Place) -> None:
    """Drop a number that a reboot gave to another program: PostgreSQL would take it for a server."""
    if postmaster(where) is None:
        (where.data / "postmaster.pid").unlink(missing_ok=True)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """Choose below the range from which the system takes ports for outgoing connections."""
    for _ in range(100):
        port = kept.random_port()
        if is_free(port):
            return port
    raise SetupError("No free port was found on 127.0.0.1 between 20000 and 32000.")


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["nothing."])[-1]


def end_of(log: Path) -> str:
    try:
        return last_line(log.read_text(errors="replace"))
    except OSError:
        return "nothing."

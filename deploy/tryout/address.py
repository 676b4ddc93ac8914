"""Where the site listens: a socket bound here and handed to gunicorn, so that nobody takes the port in between."""

import socket

from deploy.tryout import StepFailed

HOST = "127.0.0.1"
USUAL = range(8000, 8100)


def bind(port: int | None) -> socket.socket:
    """Bind the port that was asked for, or the first free one of the usual."""
    for candidate in [port] if port else USUAL:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, candidate))
        except OSError:
            listener.close()
        else:
            return listener
    raise StepFailed(f"Port {port or USUAL[0]} on {HOST} is taken: choose another with --port.")


def site(listener: socket.socket) -> str:
    return f"http://{HOST}:{listener.getsockname()[1]}"

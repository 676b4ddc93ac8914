"""A way to a web server that is cut once in the middle of what a browser sends, as a lost network does."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from urllib.parse import urlsplit


class CutWeb:
    """Forwards to the server; once so many bytes have been sent up, the connection that carries them is cut."""

    def __init__(self, url: str, *, after_bytes: int) -> None:
        there = urlsplit(url)
        self._target = (there.hostname or "", there.port or 0)
        self._left = after_bytes
        self.received_bytes = 0
        self.cut = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._sockets = [self._listener]
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> "CutWeb":
        self._start(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _end(*self._sockets)
        for thread in self._threads:
            thread.join(5)
        for each in self._sockets:
            each.close()

    def _start(self, work: object, *args: socket.socket) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                self._sockets += [client, server]
                self._start(self._up, client, server)
                self._start(self._down, server, client)

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                self.received_bytes += len(data)
                server.sendall(data)
                self._left -= len(data)
                if self._left <= 0 and not self.cut:
                    self.cut = True
                    break
        _end(server, client)

    def _down(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data)
        _end(server, client)


def _end(*sockets: socket.socket) -> None:
    for each in sockets:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)

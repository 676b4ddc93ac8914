"""A way to the database that can be cut at a chosen answer: what a lost network does, at will."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class CutProxy:
    """Forwards to PostgreSQL; once armed, cuts the next session that asks for `words` before its answer arrives."""

    def __init__(self, host: str, port: int, *, listen_on: str = "127.0.0.1") -> None:
        self._target = (host, port)
        self._words = b""
        self.cut = threading.Event()
        self._listener = socket.create_server((listen_on, 0))
        self.port = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = [self._listener]
        self._start(self._accept)

    def arm(self, words: bytes) -> None:
        self.cut.clear()
        self._words = words

    def close(self) -> None:
        _end(*self._sockets)
        for thread in self._threads:
            thread.join(5)
        for each in self._sockets:
            each.close()

    def _start(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                self._sockets += [client, server]
                doomed = threading.Event()
                self._start(self._questions, client, server, doomed)
                self._start(self._answers, server, client, doomed)

    def _questions(self, client: socket.socket, server: socket.socket, doomed: threading.Event) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if self._words and self._words in data:
                    self._words = b""
                    doomed.set()
                server.sendall(data)
        _end(server, client)

    def _answers(self, server: socket.socket, client: socket.socket, doomed: threading.Event) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if doomed.is_set():
                    self.cut.set()
                    break
                client.sendall(data)
        _end(server, client)


def _end(*sockets: socket.socket) -> None:
    for each in sockets:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)

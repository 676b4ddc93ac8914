"""Upstreams that are no web server of ours: each yields the settings that lead to it."""

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

import trustme

from coach.trial import TrialGateway

type World = Callable[[], AbstractContextManager[dict[str, Any]]]

AUTHORITY = trustme.CA()  # made anew for each run: no key is kept


@contextmanager
def talker(say: Callable[[socket.socket], None]) -> Iterator[str]:
    """Run a server that does one thing with each connection; yield its host and port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _address = listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                say(connection)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


@contextmanager
def nobody() -> Iterator[dict[str, Any]]:
    with TrialGateway() as gone:
        url = gone.url
    yield {"url": url}


@contextmanager
def unknown_name() -> Iterator[dict[str, Any]]:
    yield {"url": "http://nowhere.invalid:80/v1"}


@contextmanager
def settings_of(**fields: Any) -> Iterator[dict[str, Any]]:
    yield fields


@contextmanager
def full_house() -> Iterator[dict[str, Any]]:
    """A listener that accepts nobody and whose line is full: a connection is neither made nor refused."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _each in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield {"url": f"http://127.0.0.1:{listener.getsockname()[1]}/v1"}


@contextmanager
def says(data: bytes, *, scheme: str = "http", reads: int = 1, **fields: Any) -> Iterator[dict[str, Any]]:
    """Answer with these bytes, once something has come."""

    def say(connection: socket.socket) -> None:
        connection.recv(reads)
        connection.sendall(data)
        connection.settimeout(0.2)
        with suppress(OSError):
            while connection.recv(65536):
                pass

    with talker(say) as address:
        yield {"url": f"{scheme}://{address}/v1", **fields}


@contextmanager
def hangs_up_on_a_long_request() -> Iterator[dict[str, Any]]:
    def say(connection: socket.socket) -> None:
        connection.recv(10)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with talker(say) as address:
        yield {"url": f"http://{address}/v1"}


@contextmanager
def trickles(head: bytes) -> Iterator[dict[str, Any]]:
    """Send a byte now and then, and never an answer."""
    over = threading.Event()

    def say(connection: socket.socket) -> None:
        connection.sendall(head)
        while not over.wait(0.05):
            connection.sendall(b"x")

    with talker(say) as address:
        try:
            yield {"url": f"http://{address}/v1"}
        finally:
            over.set()


@contextmanager
def says_nothing(scheme: str) -> Iterator[dict[str, Any]]:
    """Take what comes and stay silent, as a plain server does that is greeted in TLS."""
    over = threading.Event()

    def say(connection: socket.socket) -> None:
        over.wait(5)

    with talker(say) as address:
        try:
            yield {"url": f"{scheme}://{address}/v1"}
        finally:
            over.set()


@contextmanager
def secure(*, name: str, scheme: str = "https") -> Iterator[dict[str, Any]]:
    """A TLS server whose certificate is for this name, from an authority that nobody knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert(name).configure_cert(context)

    def say(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            wrapped.recv(1)

    with talker(say) as address:
        yield {"url": f"{scheme}://localhost:{address.rpartition(':')[2]}/v1"}


@contextmanager
def behind_a_proxy(world: World, *, scheme: str = "http") -> Iterator[dict[str, Any]]:
    """Have the calls go by a proxy, which is that world."""
    with world() as fields:
        yield {"url": f"{scheme}://gateway.test:8080/v1", "proxy": fields["url"].removesuffix("/v1")}


REFUSING_PROXY = partial(behind_a_proxy, nobody)
NEEDS_PASSWORD = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
ASKING_PROXY = partial(behind_a_proxy, partial(says, NEEDS_PASSWORD, reads=65536), scheme="https")
ASKING_PLAIN_PROXY = partial(behind_a_proxy, partial(says, NEEDS_PASSWORD, reads=65536))
LOST = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
LOST_PROXY = partial(behind_a_proxy, partial(says, LOST, reads=65536), scheme="https")

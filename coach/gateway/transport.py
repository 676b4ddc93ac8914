"""An HTTP session for one call, whose socket another thread can shut."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from coach.gateway.address import BadAddress, Network, forbidden_ip, within

CONNECT_SECONDS = 10.0
# NAT and load balancers on the way forget a quiet connection; HTTP proxies do not care about these.
KEEPALIVE = [
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *(
        (socket.IPPROTO_TCP, getattr(socket, name), value)
        for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 60), ("TCP_KEEPCNT", 5))
        if hasattr(socket, name)
    ),
]


class Aborted(Exception):
    """The call was broken off by us before its connection stood."""


class Line:
    """The socket of the call in flight, as the thread that may have to shut it sees it."""

    def __init__(self, *, allowed: tuple[Network, ...] = ()) -> None:
        self._lock = threading.Lock()
        self.allowed = allowed  # where a name may lead; empty: anywhere that is not forbidden
        self._sock: socket.socket | None = None
        self.aborted = False
        self.ready: Callable[[], None] = lambda: None  # raises when nothing may be sent any more

    def took(self, sock: Any) -> None:
        """Remember a socket over which nothing has been sent yet."""
        try:
            self.ready()
        except BaseException:
            sock.close()
            raise
        with self._lock:
            self._sock = sock if isinstance(sock, socket.socket) else None
            if not self.aborted:
                return
        sock.close()
        raise Aborted

    def abort(self) -> None:
        """Shut the socket, so that the thread that waits on it wakes at once."""
        with self._lock:
            self.aborted = True
            sock = self._sock
        if sock is not None:
            with suppress(OSError):
                # Not SSLSocket.shutdown: it forgets the TLS state under the feet of the reading thread.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    @contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Abort when the time is over: a read timeout never ends a server that trickles."""
        timer = threading.Timer(seconds, self.abort)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def hurry(self, seconds: float) -> None:
        """Let the next reads wait no longer than this."""
        with self._lock, suppress(OSError):
            if self._sock is not None:
                self._sock.settimeout(seconds)


class Adapter(HTTPAdapter):
    """Tells its line about each socket, and never retries."""

    def __init__(self, line: Line) -> None:
        self._line = line
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs, socket_options=KEEPALIVE)
        self.poolmanager.pool_classes_by_scheme = pools(self._line)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **{"socket_options": KEEPALIVE, **kwargs})
        manager.pool_classes_by_scheme = pools(self._line)
        return manager


def pools(line: Line) -> dict[str, type[HTTPConnectionPool]]:
    """Return urllib3's pools by scheme, with connections that record their socket in the line."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return watched(super()._new_conn(), line)

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return watched(super()._new_conn(), line)

        def connect(self) -> None:
            super().connect()
            line.took(self.sock)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def watched(sock: socket.socket, line: Line) -> socket.socket:
    """Refuse a peer that a name was made to resolve to; nothing has been sent to it yet."""
    peer = sock.getpeername()[0].partition("%")[0]
    if forbidden_ip(peer):
        sock.close()
        raise BadAddress("COACH_GATEWAY_URL leads to a link-local or metadata address, which Coach never calls.")
    if line.allowed and not within(peer, line.allowed):
        sock.close()
        raise BadAddress("COACH_GATEWAY_URL leads to an address outside of the networks of COACH_GATEWAY_ALLOWED.")
    line.took(sock)
    return sock


def session(line: Line, *, proxy: str = "") -> requests.Session:
    """Return a session that takes nothing from the environment: no .netrc, and no proxy but the one given."""
    made = requests.Session()
    made.trust_env = False
    made.proxies = {"http": proxy, "https": proxy} if proxy else {}
    made.mount("http://", Adapter(line))
    made.mount("https://", Adapter(line))
    return made

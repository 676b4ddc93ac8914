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
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

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
    """The socket of the call in flight, as the thread that may have to shut it sees it.

    It is known from before the connection is made, so that a stop ends every phase: connecting, TLS, sending, waiting.
    """

    def __init__(self, *, allowed: tuple[Network, ...] = ()) -> None:
        self._lock = threading.Lock()
        self.allowed = allowed  # where a name may lead; empty: anywhere that is not forbidden
        self._sock: socket.socket | None = None
        # A second handle to the same connection: wrapping in TLS takes the first one away, and SSLSocket.shutdown
        # would forget the TLS state under the feet of the reading thread.
        self._wire: socket.socket | None = None
        self.aborted = False
        self.ready: Callable[[], None] = lambda: None  # raises when nothing may be sent any more

    def connecting(self, sock: socket.socket) -> None:
        """Remember a socket that is about to be connected."""
        self.close()
        with self._lock:
            if self.aborted:
                raise Aborted
            self._wire = sock.dup()

    def took(self, sock: Any) -> None:
        """Remember a socket over which nothing has been sent yet."""
        self.ready()
        with self._lock:
            self._sock = sock if isinstance(sock, socket.socket) else None
            if self.aborted:
                raise Aborted

    def abort(self) -> None:
        """Shut the socket, so that the thread that waits on it wakes at once."""
        with self._lock:
            self.aborted = True
            if self._wire is not None:
                with suppress(OSError):
                    self._wire.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()

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
            return connected(self, line)

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return connected(self, line)

        def connect(self) -> None:
            super().connect()
            try:
                line.took(self.sock)
            except BaseException:
                self.close()
                raise

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def connected(wanted: HTTPConnection, line: Line) -> socket.socket:
    """Do as urllib3 does, but refuse a peer before anything is sent to it, and let the line end the attempt."""
    try:
        found = socket.getaddrinfo(wanted._dns_host, wanted.port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        gone = error if isinstance(error, socket.gaierror) else socket.gaierror(str(error))
        raise NameResolutionError(wanted.host, wanted, gone) from error
    failed: OSError = OSError("No address.")
    for family, kind, protocol, _name, address in found:
        refuse(str(address[0]), line)
        sock = socket.socket(family, kind, protocol)
        try:
            open_up(sock, address, wanted, line)
            line.took(sock)
        except OSError as error:
            failed = error
            sock.close()
            if line.aborted:
                raise Aborted from error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    if isinstance(failed, TimeoutError):
        raise ConnectTimeoutError(wanted, "No connection in time.") from failed
    raise NewConnectionError(wanted, str(failed)) from failed


def open_up(sock: socket.socket, address: Any, wanted: HTTPConnection, line: Line) -> None:
    for option in wanted.socket_options or ():
        sock.setsockopt(*option)
    sock.settimeout(wanted.timeout if isinstance(wanted.timeout, int | float) else CONNECT_SECONDS)
    line.connecting(sock)
    sock.connect(address)


def refuse(peer: str, line: Line) -> None:
    """Raise BadAddress for a peer that a name was made to resolve to."""
    peer = peer.partition("%")[0]
    if forbidden_ip(peer):
        raise BadAddress("COACH_GATEWAY_URL leads to a link-local or metadata address, which Coach never calls.")
    if line.allowed and not within(peer, line.allowed):
        raise BadAddress("COACH_GATEWAY_URL leads to an address outside of the networks of COACH_GATEWAY_ALLOWED.")


def session(line: Line, *, proxy: str = "") -> requests.Session:
    """Return a session that takes nothing from the environment: no .netrc, and no proxy but the one given."""
    made = requests.Session()
    made.trust_env = False
    made.proxies = {"http": proxy, "https": proxy} if proxy else {}
    made.mount("http://", Adapter(line))
    made.mount("https://", Adapter(line))
    return made

"""The same over TLS: whom to believe, and how to break off."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests
import trustme

from coach.gateway import client
from coach.gateway.transport import Line
from jobs.exceptions import Misconfigured, Stopped
from tests.coach.gateway.fake_run import FakeRun

AUTHORITY = trustme.CA()  # made anew for each run: no key is kept
ASKED = [{"role": "user", "content": "hello"}]
ANSWER = b'data: {"choices":[{"delta":{"content":"{}"}}]}\n\n'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Secure:
    """A TLS server that sends the first words of an answer, and the rest when it is told to."""

    def __init__(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        AUTHORITY.issue_cert("localhost").configure_cert(context)
        self.listener = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)
        self.spoke, self.may_end = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.listener.getsockname()[1]}/v1"

    def serve(self) -> None:
        try:
            connection, _address = self.listener.accept()
        except OSError:  # a client that does not believe us, or the end
            return
        with connection:
            request(connection)
            connection.sendall(HEAD + ANSWER)
            self.spoke.set()
            self.may_end.wait(10)
            try:
                connection.sendall(b"data: [DONE]\n\n")
            except OSError:
                return

    def close(self) -> None:
        self.may_end.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()


def request(connection: socket.socket) -> None:
    """Read the whole request: what is left unread when the connection closes would take the answer with it."""
    read = b""
    while b"\r\n\r\n" not in read:
        read += connection.recv(65536)
    head, _, body = read.partition(b"\r\n\r\n")
    left = int(head.lower().partition(b"content-length:")[2].split()[0]) - len(body)
    while left > 0:
        left -= len(connection.recv(65536))


@pytest.fixture
def secure(pointed: Callable[..., None]) -> Iterator[Secure]:
    server = Secure()
    pointed(url=server.url)
    yield server
    server.close()


@pytest.fixture
def believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Trust the authority of the tests, as a machine trusts those it knows."""
    real = client.session
    known = tmp_path / "authority.pem"
    AUTHORITY.cert_pem.write_to_path(str(known))

    def trusting(line: Line, *, proxy: str = "") -> requests.Session:
        made = real(line, proxy=proxy)
        made.verify = str(known)
        return made

    monkeypatch.setattr(client, "session", trusting)


def ask(run: FakeRun) -> Any:
    return client.complete(run, ASKED, timeout_s=10)  # type: ignore[arg-type]


def test_a_certificate_that_nobody_vouches_for_is_a_matter_of_settings(secure: Secure, run: FakeRun) -> None:
    with pytest.raises(Misconfigured, match="certificate"):
        ask(run)


@pytest.mark.usefixtures("believed")
def test_an_answer_comes_over_tls(secure: Secure, run: FakeRun) -> None:
    secure.may_end.set()
    assert ask(run).text == "{}"


@pytest.mark.usefixtures("believed")
def test_a_stop_breaks_off_a_call_over_tls(secure: Secure, run: FakeRun) -> None:
    def stop() -> None:
        secure.spoke.wait(10)
        run.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(Stopped):
        ask(run)
    stopping.join()

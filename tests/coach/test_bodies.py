"""Bodies that are cut off, crawl or make no sense, sent to a real gunicorn: no traceback, nothing half taken in."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from coach import bodies, tokens
from coach.models import ImportRun, Upload
from tests import factories
from tests.coach.views.rows import signed_in
from tests.processes import ROOT, environment, until

pytestmark = pytest.mark.django_db(transaction=True)
BOUNDARY = "x" * 20


class Server:
    """gunicorn on the test database, as deployed; `log` is what it wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.output = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115
        names = {"COACH_BIND": f"127.0.0.1:{self.port}", "COACH_WEB_WORKERS": "1", "COACH_DATA": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "coach.wsgi"],
            cwd=ROOT,
            env=environment(**names),
            stdout=self.output,
            stderr=subprocess.STDOUT,
        )
        until(self.answers, what="the server answers")

    @property
    def log(self) -> str:
        return Path(self.output.name).read_text()

    def answers(self) -> bool:
        try:
            return b" 200 " in self.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        except OSError:
            return False

    def send(self, data: bytes, *, hang_up: bool = False) -> bytes:
        """Send bytes and return the answer; or hang up behind them, as a lost connection does."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(data)
            if hang_up:
                return b""
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        print(self.log)
        self.output.close()


@pytest.fixture
def server(transactional_db, tmp_path) -> Iterator[Server]:
    started = Server(tmp_path)
    yield started
    started.end()


@pytest.fixture
def ana():
    return factories.athlete()


@pytest.fixture
def cookies(ana, server) -> str:
    """A session, and the form's token."""
    session = signed_in(ana.user).cookies["sessionid"].value
    page = server.send(request("GET", "/import/", {"Cookie": f"sessionid={session}", "Connection": "close"}))
    secret = re.search(rb"csrftoken=(\w+)", page)[1].decode()
    return f"sessionid={session}; csrftoken={secret}"


def request(method, path, headers, body=b"", *, length=None):
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost",
        f"Content-Length: {len(body) if length is None else length}",
    ]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def form(cookies, *, content):
    """Return the fields of the import form with one file, up to the end of its bytes."""
    secret = cookies.rpartition("=")[2]
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{secret}\r\n',
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="recordings"; filename="ride.fit"\r\n\r\n',
    ]
    return "".join(parts).encode() + content


def form_headers(cookies):
    return {"Cookie": cookies, "Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Connection": "close"}


def is_calm(server):
    """Nothing of what went wrong outside is written down as a fault of ours."""
    return "Traceback" not in server.log and " ERROR " not in server.log and "Error" not in server.log


def test_a_form_that_is_cut_off_makes_no_import_and_no_traceback(server, cookies):
    body = form(cookies, content=b"y" * 200_000)
    server.send(request("POST", "/import/", form_headers(cookies), body, length=900_000), hang_up=True)
    until(lambda: "Bad Request: /import/" in server.log, what="the server noticed")
    assert not ImportRun.objects.exists()
    assert is_calm(server)
    whole = form(cookies, content=b"y" * 200_000) + f"\r\n--{BOUNDARY}--\r\n".encode()
    assert b" 302 " in server.send(request("POST", "/import/", form_headers(cookies), whole))
    assert ImportRun.objects.get().files.get().size == 200_000


@pytest.mark.parametrize(
    "broken",
    [b"no part at all", b"--wrong\r\n\r\n", f"--{BOUNDARY}\r\n".encode(), b"\0" * 1000, b""],
    ids=["text", "boundary", "open", "nul", "empty"],
)
def test_a_form_that_makes_no_sense_is_answered_without_a_traceback(server, cookies, broken):
    answer = server.send(request("POST", "/import/", form_headers(cookies), broken))
    assert re.match(rb"HTTP/1.1 (400|403) ", answer)
    assert not ImportRun.objects.exists()
    assert is_calm(server)


def test_a_form_without_a_boundary_is_answered_with_a_sentence(server, cookies):
    headers = form_headers(cookies) | {"Content-Type": "multipart/form-data"}
    answer = server.send(request("POST", "/import/", headers, b"x" * 100))
    assert b"It did not arrive wholly" in answer
    assert is_calm(server)


def test_too_many_files_in_a_form_are_answered_with_a_sentence(server, cookies):
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="recordings"; filename="a.fit"\r\n\r\nx\r\n'
    body = form(cookies, content=b"y\r\n") + part.encode() * 501 + f"--{BOUNDARY}--\r\n".encode()
    answer = server.send(request("POST", "/import/", form_headers(cookies), body))
    assert b" 413 " in answer
    assert b"too much at once" in answer
    assert is_calm(server)


def test_too_many_fields_are_answered_with_a_sentence(server, cookies):
    headers = form_headers(cookies) | {"Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"a=1&" * 2000, b"a=" + b"x" * 3_000_000):
        answer = server.send(request("POST", "/login/", headers, body))
        assert b" 413 " in answer
    assert is_calm(server)


def test_a_piece_that_is_cut_off_counts_as_far_as_it_came(server, cookies, ana):
    upload = Upload.objects.create(athlete=ana, name="a.zip", size=1_000_000)
    secret = cookies.rpartition("=")[2]
    headers = {
        "Cookie": cookies,
        "X-CSRFToken": secret,
        "Upload-Offset": "0",
        "Content-Type": "application/octet-stream",
    }
    path = f"/import/uploads/{upload.pk}/"
    server.send(request("PATCH", path, headers, b"y" * 300_000, length=1_000_000), hang_up=True)
    until(lambda: Upload.objects.get().received == 300_000, what="what came is counted")
    assert is_calm(server)


def test_a_file_of_a_phone_that_is_cut_off_makes_no_import(server, ana):
    secret = tokens.make(ana, "Phone")
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/octet-stream"}
    server.send(request("POST", "/api/import/", headers, b"y" * 300_000, length=1_000_000), hang_up=True)
    until(lambda: "Bad Request: /api/import/" in server.log, what="the server noticed")
    assert not ImportRun.objects.exists()
    assert not [path for path in server.folder.rglob("*") if path.is_file()]
    assert is_calm(server)
    assert secret not in server.log


def test_a_body_of_unknown_length_is_answered_with_a_sentence(server, ana):
    secret = tokens.make(ana, "Phone")
    sent = (
        f"POST /api/import/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n"
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    )
    assert b" 411 " in server.send(sent.encode())


def test_an_upload_goes_on_after_the_server_was_killed(server, cookies, ana, tmp_path):
    upload = Upload.objects.create(athlete=ana, name="a.zip", size=8)
    headers = {"Cookie": cookies, "X-CSRFToken": cookies.rpartition("=")[2], "Connection": "close"}
    path = f"/import/uploads/{upload.pk}/"
    server.send(request("PATCH", path, headers | {"Upload-Offset": "0"}, b"buy "))
    os.kill(server.process.pid, 9)
    server.process.wait()
    second = Server(tmp_path)
    try:
        assert b"Upload-Offset: 4" in second.send(request("HEAD", path, headers))
        assert b"Upload-Offset: 8" in second.send(request("PATCH", path, headers | {"Upload-Offset": "4"}, b"milk"))
    finally:
        second.end()


class Endless:
    """A stream that gives a byte at a time."""

    def read(self, size: int = -1) -> bytes:
        return b"x"

    readline = read


def test_a_body_that_crawls_is_given_up(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    body = bodies.Body(Endless(), 8192 * 100)
    assert body.read(10) == b"x"
    now[0] = bodies.SILENT_SECONDS + 99.0
    assert body.read(10) == b"x"
    now[0] += 2
    with pytest.raises(bodies.Cut, match="too slowly"):
        body.read(10)


def test_a_client_that_falls_silent_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(bodies, "SILENT_SECONDS", 0.1)
    ours, theirs = socket.socketpair()

    def application(environ, start_response):
        return [environ["wsgi.input"].read(10)]

    with ours, theirs, ours.makefile("rb") as stream:
        environ = {"CONTENT_LENGTH": "10", "wsgi.input": stream, "gunicorn.socket": ours}
        with pytest.raises(TimeoutError):
            bodies.whole(application)(environ, None)
        assert ours.gettimeout() is None

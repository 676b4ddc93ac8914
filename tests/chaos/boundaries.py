"""A way to the database that stops a slot at its n-th statement after a claim: before it, or before its answer."""

import re
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

CLAIM, ENDING = b"FROM jobs_claim(", b"INSERT INTO jobs_attempt"
ALONE = re.compile(rb"NULL, NULL, NULL\)\s*\0?$")  # a claim that ends no job before
RESTING = b"INSERT INTO jobs_idle"  # what a slot says before it claims once more and sleeps
OLD_ENOUGH_S = 1.1  # slots that die younger are started again ever more slowly


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """What happens to the slot at its n-th statement, the claim being the first."""

    at: int
    executed: bool  # the server has done it, and only the answer is missing
    act: Callable[[int], None]  # on the process
    cuts: bool = True  # its connection too; otherwise the answer arrives afterwards


class Session:
    """One connection of one process."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client = client
        self.server = server
        self.pid, _, _ = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        self.last = b""  # its last statement
        self.claiming = False
        self.pumps = 2  # there and back
        self.doomed: Strike | None = None

    def end(self) -> None:
        for each in (self.client, self.server):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class Boundaries:
    """Forwards to PostgreSQL from a socket in a folder of its own, statement by statement.

    `catch()` makes one slot wait at its claim while nothing is there to be claimed and keeps all other claims back;
    `let()` has it go on until the strike; then the others go on too.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._changed = threading.Condition()
        self._resting: bool | None = None  # which claims are caught: those before a sleep, or the first of a step
        self._sealed = False  # no claim but the caught one goes through
        self._among: Callable[[int], bool] = lambda pid: True
        self._caught: Session | None = None
        self._strike: Strike | None = None
        self._seen: dict[int, float] = {}
        self._sessions: list[Session] = []
        self.said: list[bytes] = []  # by the caught slot, from its claim on
        self.struck = b""  # the statement at which it happened
        self.passed = False  # the slot claims anew, and nothing has happened
        self._folder = tempfile.TemporaryDirectory(prefix="cut")
        self.folder, self.port = self._folder.name, port
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(Path(self.folder) / f".s.PGSQL.{port}"))
        self._listener.listen(64)
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    # What a test does

    def catch(self, *, resting: bool, among: Callable[[int], bool] = lambda pid: True, seconds: float = 20) -> None:
        with self._changed:
            self._among = among
            self.struck, self.passed, self.said, self._caught = b"", False, [], None
            self._resting = resting
            assert self._changed.wait_for(lambda: self._caught is not None, seconds), "No slot claims."
            self._sealed = True
            assert self._changed.wait_for(lambda: not any(one.claiming for one in self._sessions), seconds)

    def let(self, strike: Strike, *, seconds: float = 20) -> bool:
        """Have the caught slot go on; True when it was struck, False when it came to its next claim before."""
        with self._changed:
            self._strike = strike
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self.struck or self.passed, seconds), "Neither struck nor passed."
            self._sealed, self._resting = False, None
            self._changed.notify_all()
            return bool(self.struck)

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for session in list(self._sessions):
            session.end()
        for thread in self._threads:
            thread.join(5)
        self._listener.close()
        self._folder.cleanup()

    def has_ended(self, job: int) -> bool:
        """Return whether the caught slot came to the ending of this job."""
        named = re.compile(rb"\b%d\b" % job)
        return any(ends_one(each) and named.search(each) for each in self.said)

    # What goes through

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                session = Session(client, socket.create_connection(self._target))
                with self._changed:
                    self._sessions.append(session)
                    self._seen.setdefault(session.pid, time.monotonic())
                self._start(self._pump, self._questions, session)
                self._start(self._pump, self._answers, session)

    def _start(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _pump(self, work: Callable[[Session], None], session: Session) -> None:
        with suppress(OSError, EOFError):
            work(session)
        session.end()
        with self._changed:
            session.claiming = False
            session.pumps -= 1
            if not session.pumps:
                session.client.close()
                session.server.close()
                self._sessions.remove(session)
            self._changed.notify_all()

    def _questions(self, session: Session) -> None:
        with session.client.makefile("rb") as stream:
            session.server.sendall(message(stream, typed=False))
            while True:
                asked = message(stream)
                if asked[:1] in b"QS" and not self._may_go(session, asked):
                    return
                session.server.sendall(asked)

    def _answers(self, session: Session) -> None:
        with session.server.makefile("rb") as stream:
            kept = b""
            while True:
                answer = message(stream)
                kept += answer
                ready = answer[:1] == b"Z"
                if session.doomed and not ready:
                    continue
                if ready:
                    self._answered(session)
                session.client.sendall(kept)
                kept = b""

    def _answered(self, session: Session) -> None:
        if session.doomed:
            self._hit(session)
        with self._changed:
            session.claiming = False
            self._changed.notify_all()

    def _may_go(self, session: Session, asked: bytes) -> bool:
        """Keep a claim back, count a statement, strike before it; False when it must not reach the server."""
        claims = CLAIM in asked
        with self._changed:
            if claims and session is not self._caught:
                self._keep_back(session)
            session.claiming, session.last = claims, asked
            strike = self._strike
            if strike is None or self._caught is None or session.pid != self._caught.pid:
                return True
            if claims and self.said and not ends_one(asked):
                self._strike, self.passed = None, True
                self._changed.notify_all()
                return True
            self.said.append(asked)
            if len(self.said) < strike.at:
                return True
            session.doomed = strike
        if not strike.executed:
            self._hit(session)
        return strike.executed or not strike.cuts

    def _keep_back(self, session: Session) -> None:
        resting = RESTING in session.last
        old = time.monotonic() - self._seen[session.pid] > OLD_ENOUGH_S
        if self._caught is None and self._resting == resting and old and self._among(session.pid):
            self._caught = session
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._strike is not None)
        elif not (self._caught and self._caught.pid == session.pid):
            self._changed.wait_for(lambda: not self._sealed)

    def _hit(self, session: Session) -> None:
        strike = session.doomed
        assert strike is not None
        strike.act(session.pid)
        if strike.cuts:
            session.end()
        with self._changed:
            session.doomed = self._strike = None
            self.struck = session.last
            self._changed.notify_all()


def ends_one(asked: bytes) -> bool:
    """Return whether this statement ends a job: alone, or together with the claim of the next."""
    return ENDING in asked or (CLAIM in asked and not ALONE.search(asked))


def message(stream: BinaryIO, *, typed: bool = True) -> bytes:
    """Read one message of PostgreSQL's protocol; the first of a client has no type."""
    head = stream.read(5 if typed else 4)
    if len(head) < (5 if typed else 4):
        raise EOFError
    (length,) = struct.unpack("!I", head[-4:])
    return head + stream.read(length - 4)

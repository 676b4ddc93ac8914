"""A stop ends the call at once, whatever it is doing: connecting, greeting in TLS, sending, waiting, reading."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coach.gateway import client
from jobs.exceptions import Retry, Stopped
from tests.coach.gateway import worlds
from tests.coach.gateway.fake_run import FakeRun

ASKED = [{"role": "user", "content": "hello"}]


@contextmanager
def reads_nothing() -> Iterator[dict[str, Any]]:
    """Accept, and leave what is sent in the buffers until they are full."""
    over = threading.Event()
    with worlds.talker(lambda connection: over.wait(10) and None) as address:
        try:
            yield {"url": f"http://{address}/v1"}
        finally:
            over.set()


PHASES: dict[str, worlds.World] = {
    "connecting": worlds.full_house,
    "TLS": partial(worlds.says_nothing, "https"),
    "sending": reads_nothing,
    "waiting for headers": partial(worlds.says_nothing, "http"),
    "reading headers": partial(worlds.trickles, b"HTTP/1.1 200 OK\r\nX-Slow: "),
    "reading an error": partial(worlds.trickles, b"HTTP/1.1 500 Oh\r\n\r\n"),
    "connecting to a proxy": partial(worlds.behind_a_proxy, worlds.full_house),
    "waiting for a proxy": partial(worlds.behind_a_proxy, partial(worlds.says_nothing, "http"), scheme="https"),
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_stop_ends_it_within_a_second(run: FakeRun, pointed: Callable[..., None], phase: str) -> None:
    def stop() -> None:
        run.in_call.wait(5)
        time.sleep(0.3)  # into the phase
        run.stop()

    asked = [{"role": "user", "content": "x" * 20_000_000}] if phase == "sending" else ASKED
    with PHASES[phase]() as fields:
        pointed(**fields)
        stopping = threading.Thread(target=stop)
        stopping.start()
        with pytest.raises(Stopped):
            client.complete(run, asked, timeout_s=30)  # type: ignore[arg-type]
        ended = time.monotonic()
        stopping.join()
    assert run.stopped_at is not None
    assert ended - run.stopped_at < 1
    assert run.calls[0].ended == ""


@pytest.mark.parametrize("phase", ["connecting", "TLS", "sending"])
def test_the_time_of_a_call_ends_it_too(run: FakeRun, pointed: Callable[..., None], phase: str) -> None:
    asked = [{"role": "user", "content": "x" * 20_000_000}] if phase == "sending" else ASKED
    with PHASES[phase]() as fields:
        pointed(**fields)
        began = time.monotonic()
        with pytest.raises(Retry, match="time allowed"):
            client.complete(run, asked, timeout_s=0.5)  # type: ignore[arg-type]
    assert time.monotonic() - began < 3


def test_a_call_leaves_no_socket_behind(run: FakeRun, upstream: Any) -> None:
    def sockets() -> int:
        count = 0
        for each in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                count += "socket" in str(each.readlink())
        return count

    def ask() -> None:
        client.complete(run, ASKED, timeout_s=5)  # type: ignore[arg-type]

    ask()
    before = sockets()
    for _call in range(5):
        ask()
    assert sockets() <= before + 1  # the server closes its side a moment later


def test_keep_alive_is_set_on_the_socket(run: FakeRun, upstream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int, int]] = []

    class Watching(client.Line):
        def took(self, sock: Any) -> None:
            seen.append(
                (
                    sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
                    sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
                    sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT),
                )
            )
            super().took(sock)

    monkeypatch.setattr(client, "Line", Watching)
    client.complete(run, ASKED, timeout_s=5)  # type: ignore[arg-type]
    assert seen == [(1, 60, 5)]
